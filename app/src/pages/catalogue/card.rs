//! A chart among the others.

use leptos::prelude::*;

use super::PANEL;
use crate::model::{CatalogueEntry, RepositoryState, Tone};
use crate::pages::query::with_query_without;
use crate::pages::repositories::state::shown_name;
use crate::pages::route::{ChartRef, Route};
use crate::signals::{Memo, dynamic};
use crate::ui::icon::icon;
use crate::ui::label::{plain_label, status_label};
use crate::words::{say, t};

/// The card.
pub fn card(
    entry: &CatalogueEntry,
    namespace: Option<String>,
    repositories: Memo<Vec<RepositoryState>>,
) -> AnyView {
    let chart = ChartRef { repository: entry.repository.clone(), chart: entry.name.clone() };
    let path = Route::Catalogue { namespace, chart: Some(chart) }.to_string();
    let version = &entry.latest.version;
    let versions = match &entry.latest.app_version {
        Some(app) => say("{version} · App {app}", &[("version", version), ("app", app)]),
        None => version.clone(),
    };
    let advice = if entry.deprecated {
        status_label(Tone::Warning, t("Deprecated").to_owned())
    } else {
        ().into_any()
    };
    // The filters stay behind the panel.
    let href = move || with_query_without(&path, &PANEL);
    view! {
        <li class="pf-v6-c-card card">
            <div class="card-head">
                {chart_icon(entry.icon.clone())}
                {plain_label(repository_name(&entry.repository, repositories))}
            </div>
            <h2 class="card-title">
                <a class="card-link" href=href>
                    {entry.name.clone()}
                </a>
            </h2>
            <p class="card-version">{versions}</p>
            {advice}
            <p class="card-text">{entry.description.clone()}</p>
        </li>
    }
    .into_any()
}

/// What people call the repository of this name.
pub fn repository_name(name: &str, repositories: Memo<Vec<RepositoryState>>) -> String {
    repositories
        .with(|all| all.iter().find(|one| one.name == name).map_or_else(|| name.to_owned(), shown_name))
}

/// The chart's icon, or a stand-in: for none, and for one that cannot be loaded. Its place is there before it is.
pub fn chart_icon(address: Option<String>) -> AnyView {
    let address = RwSignal::new(address);
    dynamic(move || match address.get() {
        // Its address comes last: how it is loaded is told before.
        Some(source) => view! {
            <img
                class="chart-icon"
                alt=""
                width="40"
                height="40"
                loading="lazy"
                decoding="async"
                referrerpolicy="no-referrer"
                on:error=move |_| address.set(None)
                src=source
            />
        }
        .into_any(),
        None => view! { <span class="chart-icon chart-icon-none">{icon("cubes")}</span> }.into_any(),
    })
}
