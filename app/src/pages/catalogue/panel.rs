//! One chart, in a panel at the side of the catalogue.

use crate::signals::{Memo, Views, dynamic};
use leptos::html;
use leptos::prelude::*;

use super::chart_icon;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::ChartDetail;
use crate::pages::query::with_query;
use crate::pages::route::{ChartRef, Origin, Route};
use crate::ui::address::Address;
use crate::ui::icon::icon;
use crate::ui::modal::{close_dialog, open_dialog};
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::table::or_dash;
use crate::ui::time::ago;

/// The panel. It is a dialog: Escape closes it, and the focus goes back to the card.
#[component]
pub fn ChartPanel(namespace: Option<String>, chart: ChartRef) -> impl IntoView {
    let detail = {
        let chart = chart.clone();
        fetch(move || client().chart(chart.repository.clone(), chart.chart.clone(), None))
    };
    let address = Address::get();
    let catalogue = Route::Catalogue { namespace: namespace.clone(), chart: None }.to_string();
    let dialog = NodeRef::<html::Dialog>::new();
    let close = Callback::new(move |()| {
        address.go(&untrack(|| with_query(&catalogue)));
    });
    open_dialog(dialog);
    let install = Route::Install { namespace, chart: Origin::Repository(chart.clone()) }.to_string();
    let picture = Memo::new(move || detail.data.with(|it| it.and_then(|it| it.icon.clone())));
    let content = move || detail.data.get().map_or_else(|| ().into_any(), properties);
    view! {
        <dialog
            class="panel"
            node_ref=dialog
            aria-labelledby="panel-title"
            on:close=move |_: leptos::ev::Event| close.run(())
        >
            <header class="panel-head">
                {dynamic(move || chart_icon(picture.get()))}
                <div>
                    <h2 class="pf-v6-c-title pf-m-h1" id="panel-title">
                        {chart.chart}
                    </h2>
                    <p class="note">{format!("From the repository {}", chart.repository)}</p>
                </div>
                <button
                    type="button"
                    class="pf-v6-c-button pf-m-plain panel-close"
                    aria-label="Close"
                    on:click=move |_| close_dialog()
                >
                    <span class="pf-v6-c-button__icon">{icon("close")}</span>
                </button>
            </header>
            <div class="panel-actions">
                <a class="pf-v6-c-button pf-m-primary" href=install>
                    <span class="pf-v6-c-button__text">"Create"</span>
                </a>
            </div>
            <div class="panel-body">{shown(detail, || skeleton_lines(8), content)}</div>
        </dialog>
    }
    .into_any()
}

fn properties(chart: ChartDetail) -> AnyView {
    let created = chart.versions.iter().find(|one| one.version == chart.version).and_then(|one| one.created);
    let deprecated = chart.versions.iter().any(|one| one.version == chart.version && one.deprecated);
    let home = chart.home.map(|address| {
        let words = address.clone();
        view! {
            <a class="wrap" href=address target="_blank" rel="noopener noreferrer">
                {words} " " {icon("external")}
            </a>
        }
    });
    let maintainers =
        chart.maintainers.into_iter().map(|who| view! { <div class="wrap">{who.to_string()}</div> }).views();
    let readme = match chart.readme {
        Some(html) => view! { <div class="pf-v6-c-content readme" inner_html=html></div> }.into_any(),
        None => view! { <p class="nothing">"README not available"</p> }.into_any(),
    };
    view! {
        <dl class="panel-facts">
            <dt>"Latest chart version"</dt>
            <dd>{chart.version} {deprecated.then_some(" (deprecated)")}</dd>
            <dt>"App version"</dt>
            <dd>{or_dash(chart.app_version)}</dd>
            <dt>"Created"</dt>
            <dd>{ago(created)}</dd>
            <dt>"Versions"</dt>
            <dd>{chart.versions.len()}</dd>
            <dt>"Home page"</dt>
            <dd>{home.map_or_else(|| or_dash(None), IntoAny::into_any)}</dd>
            <dt>"Maintainers"</dt>
            <dd>{maintainers}</dd>
        </dl>
        <div class="panel-text">
            <h3 class="pf-v6-c-title pf-m-h2">"Description"</h3>
            <p>{or_dash(Some(chart.description))}</p>
            {readme}
        </div>
    }
    .into_any()
}
