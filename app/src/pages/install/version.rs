//! The choice of the chart's version.

use crate::signals::Memo;
use leptos::prelude::*;

use super::draft::Field;
use super::form::Form;
use crate::client::fetch::Fetched;
use crate::model::{ChartDetail, ChartVersion};
use crate::ui::field::{FormGroup, Hint, Select};

/// The chart's version.
#[component]
pub fn VersionSelect(
    form: Form,
    detail: Fetched<ChartDetail>,
    /// The version that the release has now.
    current: Option<String>,
) -> impl IntoView {
    let options = Memo::new(move || {
        detail.data.with(|detail| {
            detail
                .iter()
                .flat_map(|it| &it.versions)
                .map(|one| option(one, current.as_deref()))
                .collect::<Vec<_>>()
        })
    });
    let chosen = Memo::new(move || {
        let wanted = form.draft.with(|draft| draft.version.clone());
        detail.data.with(|detail| match detail {
            // The newest one, or one in the place of a version that the repository does not have any more.
            Some(detail) if !detail.versions.iter().any(|one| one.version == wanted) => {
                detail.version.clone()
            }
            _ => wanted,
        })
    });
    let hint = Signal::derive(move || {
        Hint::or_error("Version of the chart, and of the application in it.", form.error_at(Field::Version))
    });
    view! {
        <FormGroup id="version" label="Chart version" required=true hint>
            <Select
                id="version"
                value=chosen
                options
                on_change=move |version| form.draft.update(|draft| draft.version = version)
            />
        </FormGroup>
    }
}

fn option(version: &ChartVersion, current: Option<&str>) -> (String, String) {
    let app = version.app_version.as_ref().map(|app| format!(" / App version {app}")).unwrap_or_default();
    let mark = if current == Some(version.version.as_str()) { " (current)" } else { "" };
    let advice = if version.deprecated { " (deprecated)" } else { "" };
    (version.version.clone(), format!("{}{app}{mark}{advice}", version.version))
}
