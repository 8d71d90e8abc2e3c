//! What differs between two revisions of a release, and the choice of what is compared.

use leptos::prelude::*;

use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::{Facet, ReleaseKey};
use crate::signals::{Memo, dynamic};
use crate::ui::diff::comparison;
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::toolbar::ToggleGroup;
use crate::words::t;

/// What is compared unless something else was chosen.
const FIRST: &str = "manifest";

fn facet_of(word: &str) -> Facet {
    match word {
        "values" => Facet::Values,
        "computed" => Facet::Computed,
        "notes" => Facet::Notes,
        _ => Facet::Manifest,
    }
}

/// The differences from the first to the second revision of `pair`; `facet` is the word of what is compared, and `choose` is
/// told another one.
pub fn difference(
    release: ReleaseKey,
    pair: Memo<Option<(u32, u32)>>,
    facet: Signal<String>,
    choose: Callback<&'static str>,
) -> AnyView {
    let chosen = Memo::new(move || {
        facet.with(|facet| if facet.is_empty() { FIRST.to_owned() } else { facet.clone() })
    });
    let options = vec![
        (FIRST, t("Manifest")),
        ("values", t("Values given")),
        ("computed", t("All values")),
        ("notes", t("Release notes")),
    ];
    let body = move || {
        let (from, to) = pair.get()?;
        let facet = chosen.with(|chosen| facet_of(chosen));
        let release = release.clone();
        let compared = fetch(move || client().compare(release.clone(), facet, Some(from), Some(to)));
        let content = move || compared.data.with(|it| it.map_or_else(|| ().into_any(), comparison));
        Some(shown(compared, || skeleton_lines(6), content))
    };
    view! {
        <div class="difference">
            <ToggleGroup label=t("What is compared") options value=chosen on_change=choose />
            {dynamic(body)}
        </div>
    }
    .into_any()
}
