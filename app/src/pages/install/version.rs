//! The choice of the chart's version.

use crate::signals::Memo;
use leptos::prelude::*;

use super::chart::Chart;
use super::draft::Field;
use super::form::Form;
use crate::model::ChartVersion;
use crate::ui::field::{FormGroup, Hint, Select};
use crate::words::{say, t, told};

/// The chart's version.
#[component]
pub fn VersionSelect(
    form: Form,
    chart: Chart,
    /// The version that the release has now.
    current: Option<String>,
) -> impl IntoView {
    let detail = chart.detail;
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
        // The one that was there before is still shown below.
        let missing = detail.data.is_some().then(|| detail.error.get()).flatten();
        let error = form.error_at(Field::Version).or_else(|| missing.map(|error| told(&error.to_string())));
        Hint::or_error(t("Version of the chart, and of the application in it."), error)
    });
    view! {
        <FormGroup id="version" label=t("Chart version") required=true hint>
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
    let mut words = version.version.clone();
    if let Some(app) = &version.app_version {
        words.push_str(&say(" / App version {app}", &[("app", app)]));
    }
    let marks = [
        (current == Some(version.version.as_str()), t("current")),
        (version.deprecated, t("deprecated")),
        (version.incompatible, t("not for this cluster")),
    ];
    for (_, mark) in marks.into_iter().filter(|(is_so, _)| *is_so) {
        words.push_str(&format!(" ({mark})"));
    }
    (version.version.clone(), words)
}
