//! Where the chart of an upgrade comes from.

use leptos::prelude::*;

use crate::pages::install::form::Form;
use crate::pages::route::Origin;
use crate::signals::{Memo, dynamic};
use crate::ui::field::{FormGroup, Hint, Select, TextInput};
use crate::words::{say, t};

/// What stands for an address that is typed, before it is.
const ADDRESS: &str = "address ";

/// How an origin is kept in a draft.
fn token(origin: &Origin) -> String {
    match origin {
        Origin::Repository(chart) => format!("repository {}", chart.repository),
        Origin::Address(url) => format!("{ADDRESS}{url}"),
        Origin::Upload(upload) => format!("upload {upload}"),
    }
}

/// The origin that is chosen: the first of those known, until another one is; none while an address is to be given.
pub fn chosen_origin(form: Form, origins: Vec<Origin>) -> Memo<Option<Origin>> {
    Memo::new(move || {
        let chosen = form.draft.with(|draft| draft.origin.clone());
        if let Some(url) = chosen.strip_prefix(ADDRESS) {
            return is_address(url).then(|| Origin::Address(url.to_owned()));
        }
        origins.iter().find(|one| token(one) == chosen).or_else(|| origins.first()).cloned()
    })
}

fn is_address(url: &str) -> bool {
    ["https://", "http://", "oci://"]
        .iter()
        .any(|scheme| url.strip_prefix(scheme).is_some_and(|rest| !rest.trim().is_empty()))
}

/// The choice. Without any origin that is known an address is asked for.
#[component]
pub fn OriginSelect(form: Form, origins: Vec<Origin>) -> impl IntoView {
    let words = |origin: &Origin| match origin {
        Origin::Repository(chart) => say("Repository {name}", &[("name", &chart.repository)]),
        Origin::Address(url) => url.split('?').next().unwrap_or_default().to_owned(),
        Origin::Upload(_) => t("Uploaded archive").to_owned(),
    };
    let mut options: Vec<(String, String)> = origins.iter().map(|one| (token(one), words(one))).collect();
    let known: Vec<String> = options.iter().map(|(token, _)| token.clone()).collect();
    options.push((ADDRESS.to_owned(), t("Another address…").to_owned()));
    let first = known.first().cloned().unwrap_or_else(|| ADDRESS.to_owned());
    let value = Memo::new(move || {
        let chosen = form.draft.with(|draft| draft.origin.clone());
        match known.contains(&chosen) {
            true => chosen,
            false if chosen.starts_with(ADDRESS) => ADDRESS.to_owned(),
            false => first.clone(),
        }
    });
    let choose = move |origin: String| {
        form.draft.update(|draft| draft.origin = origin);
    };
    let hint = if origins.is_empty() {
        Hint::Warning(
            t("No repository lists this chart. Give the address of its archive, or one in a registry.")
                .to_owned(),
        )
    } else {
        Hint::Plain(t("Where the chart is taken from.").to_owned())
    };
    let address = Memo::new(move || {
        let origin = form.draft.with(|draft| draft.origin.clone());
        origin.strip_prefix(ADDRESS).unwrap_or_default().to_owned()
    });
    let address_hint = Signal::derive(move || {
        let address = address.get();
        if address.is_empty() || is_address(&address) {
            Hint::Plain(t("https://… of an archive, or oci://… of a chart in a registry.").to_owned())
        } else {
            Hint::Error(t("An address starts with https://, http:// or oci://.").to_owned())
        }
    });
    let is_address = Memo::new(move || value.with(|value| value == ADDRESS));
    let typed = move || {
        is_address.get().then(|| {
            view! {
                <FormGroup id="chart-address" label=t("Address of the chart") required=true hint=address_hint>
                    <TextInput
                        id="chart-address"
                        value=address
                        hint=address_hint
                        on_change=true
                        on_input=move |url: String| {
                            form.draft.update(|draft| draft.origin = format!("{ADDRESS}{}", url.trim()));
                        }
                    />
                </FormGroup>
            }
        })
    };
    view! {
        <FormGroup id="chart-source" label=t("Chart source") hint>
            <Select id="chart-source" value options on_change=choose />
        </FormGroup>
        {dynamic(typed)}
    }
    .into_any()
}
