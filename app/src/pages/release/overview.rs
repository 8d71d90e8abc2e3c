//! The first tab: what goes on now, what went wrong, and what the release is.

use crate::signals::{Memo, dynamic};
use leptos::prelude::*;

use super::Live;
use super::attempts::Attempts;
use super::groups::Groups;
use super::now::Now;
use super::trouble::Trouble;
use crate::model::{Detail, RecordSummary, ReleaseKey, Timestamp, Tone};
use crate::pages::route::Route;
use crate::ui::alert::Alert;
use crate::ui::label::kind_badge;
use crate::ui::table::or_dash;
use crate::ui::time::{ago, date_words};

/// The tab.
#[component]
pub fn Overview(release: ReleaseKey, live: Live) -> impl IntoView {
    let is_counted =
        Memo::new(move || live.progress.with(|progress| progress.as_ref().is_some_and(|it| it.total > 0)));
    let of = release.clone();
    view! {
        <div class="overview">
            <Trouble release=release.clone() live />
            <section class="now" aria-label="State">
                <Now live />
                {dynamic(move || {
                    let release = of.clone();
                    is_counted.get().then(|| view! { <Groups release live /> })
                })}
                {dynamic(move || live.resources_error.get().map(|text| view! { <p class="note">{text}</p> }))}
                <Attempts live />
            </section>
            <h2 class="pf-v6-c-title pf-m-h2">"Helm release details"</h2>
            <Facts release live />
        </div>
    }
    .into_any()
}

/// The description list.
#[component]
fn Facts(release: ReleaseKey, live: Live) -> impl IntoView {
    let summary = Memo::new(move || {
        live.record.with(|record| record.as_ref().and_then(|record| record.detail.summary().cloned()))
    });
    let unreadable = Memo::new(move || {
        live.record.with(|record| match record.as_ref().map(|record| &record.detail) {
            Some(Detail::Unreadable { reason }) => Some(reason.clone()),
            _ => None,
        })
    });
    let told = move |of: fn(&RecordSummary) -> Option<String>| {
        dynamic(move || or_dash(summary.with(|summary| summary.as_ref().and_then(of))))
    };
    let when = move |of: fn(&RecordSummary) -> Option<Timestamp>| {
        dynamic(move || match summary.with(|summary| summary.as_ref().and_then(of)) {
            Some(at) => view! { {date_words(at)} " (" {ago(Some(at))} ")" }.into_any(),
            None => or_dash(None),
        })
    };
    let namespace = Route::Releases { namespace: Some(release.namespace.clone()) }.to_string();
    view! {
        {dynamic(move || {
            unreadable
                .get()
                .map(|reason| {
                    view! {
                        <Alert tone=Tone::Warning title="The record of this release cannot be read">
                            <p>{reason}</p>
                        </Alert>
                    }
                })
        })}
        <dl class="pf-v6-c-description-list facts">
            {fact("Name", release.name.clone())}
            {fact(
                "Namespace",
                view! { <span class="named">{kind_badge("Namespace")} <a href=namespace>{release.namespace}</a></span> },
            )} {fact("Chart name", told(|summary| summary.chart.clone()))}
            {fact("Chart version", told(|summary| summary.chart_version.clone()))}
            {fact("App version", told(|summary| summary.app_version.clone()))}
            {fact("Revision", dynamic(move || or_dash(live.revision.get().map(|number| number.to_string()))))}
            {fact("Created", when(|summary| summary.first_deployed))}
            {fact("Updated", when(|summary| summary.last_deployed))}
            {fact("Description", told(|summary| summary.description.clone()))}
        </dl>
    }
}

fn fact(term: &'static str, value: impl IntoAny) -> AnyView {
    view! {
        <div class="pf-v6-c-description-list__group">
            <dt class="pf-v6-c-description-list__term">
                <span class="pf-v6-c-description-list__text">{term}</span>
            </dt>
            <dd class="pf-v6-c-description-list__description">
                <div class="pf-v6-c-description-list__text wrap">{value.into_any()}</div>
            </dd>
        </div>
    }
    .into_any()
}
