//! The first tab: what goes on now, what went wrong, and what the release is.

use leptos::prelude::*;

use super::Live;
use super::attempts::Attempts;
use super::command::command_of;
use super::groups::Groups;
use super::head::update_view;
use super::key_resources::KeyResources;
use super::notes::Notes;
use super::now::Now;
use super::trouble::Trouble;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::{Detail, Phase, RecordSummary, ReleaseKey, ReleaseRecord, Timestamp, Tone};
use crate::pages::route::Route;
use crate::signals::{Memo, dynamic};
use crate::ui::alert::Alert;
use crate::ui::label::{kind_badge, status_label};
use crate::ui::table::or_dash;
use crate::ui::time::{ago, date_words};
use crate::words::{phrase, t, told};

/// The tab.
#[component]
pub fn Overview(release: ReleaseKey, live: Live) -> impl IntoView {
    let is_counted =
        Memo::new(move || live.progress.with(|progress| progress.as_ref().is_some_and(|it| it.total > 0)));
    let has_record = Memo::new(move || live.revision.get().is_some());
    let own = Memo::new(move || {
        let id = live.operation.with(|operation| operation.as_ref().map(|it| it.id.clone()));
        id.filter(|_| !live.is_foreign.get())
    });
    let (of, of_rest) = (release.clone(), release.clone());
    let rest = move || {
        let release = of_rest.clone();
        has_record.get().then(|| {
            view! {
                <div class="overview-columns">
                    <section class="overview-part" aria-labelledby="details-title">
                        <div class="part-head">
                            <h2 class="pf-v6-c-title pf-m-h2" id="details-title">
                                {t("Helm release details")}
                            </h2>
                        </div>
                        <Facts release=release.clone() live />
                    </section>
                    <KeyResources release=release.clone() live />
                </div>
                <Notes release revision=live.revision />
            }
        })
    };
    view! {
        <div class="overview">
            <Trouble release=release.clone() live />
            <section class="now" aria-label=t("State")>
                <Now live />
                {dynamic(move || {
                    let release = of.clone();
                    is_counted.get().then(|| view! { <Groups release live /> })
                })}
                {dynamic(move || live.resources_error.get().map(|text| view! { <p class="note">{told(&text)}</p> }))}
                <Attempts live />
                {dynamic(move || own.get().map(command_of))}
            </section>
            {dynamic(rest)}
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
            Some(Detail::Unreadable { reason }) => Some(told(reason)),
            _ => None,
        })
    });
    let text = move |of: fn(&RecordSummary) -> Option<String>| {
        dynamic(move || or_dash(summary.with(|summary| summary.as_ref().and_then(of))))
    };
    let when = move |of: fn(&ReleaseRecord) -> Option<Timestamp>| {
        dynamic(move || match live.record.with(|record| record.as_ref().and_then(of)) {
            Some(at) => view! { {date_words(at)} " (" {ago(Some(at))} ")" }.into_any(),
            None => or_dash(None),
        })
    };
    // Which of the operations made the newest revision, the history knows: tests and failures may have come since.
    let of = release.clone();
    let history = fetch(move || {
        live.revision.track();
        client().history(of.clone())
    });
    let by = move || {
        let newest = history.data.with(|history| {
            let entry = history?.iter().find(|entry| Some(entry.record.revision) == live.revision.get())?;
            Some((entry.record.operation.is_some(), entry.requested_by.clone()))
        });
        match newest {
            None => or_dash(None),
            Some((_, Some(user))) => {
                phrase("{user}, by Slipway", vec![("user", view! { <b>{user}</b> }.into_any())])
            }
            Some((true, None)) => t("Not kept any more").into_any(),
            Some((false, None)) => t("Not known: made outside of Slipway").into_any(),
        }
    };
    let stored = StoredValue::new(release.clone());
    let namespace = Route::Releases { namespace: Some(release.namespace.clone()) }.to_string();
    let status = move || live.phase.with(|phase: &Phase| status_label(phase.tone(), told(&phase.words())));
    view! {
        {dynamic(move || {
            unreadable
                .get()
                .map(|reason| {
                    view! {
                        <Alert tone=Tone::Warning title=t("The record of this release cannot be read")>
                            <p>{reason}</p>
                        </Alert>
                    }
                })
        })}
        <dl class="pf-v6-c-description-list facts">
            {fact(t("Name"), release.name.clone())} {fact(t("Status"), dynamic(status))}
            {fact(
                t("Namespace"),
                view! { <span class="named">{kind_badge("Namespace")} <a href=namespace>{release.namespace}</a></span> },
            )} {fact(t("Revision"), dynamic(move || or_dash(live.revision.get().map(|number| number.to_string()))))}
            {fact(t("Chart name"), text(|summary| summary.chart.clone()))}
            {fact(
                t("Chart version"),
                view! { <span class="chart-version">{text(|summary| summary.chart_version.clone())} {update_view(stored, live)}</span> },
            )} {fact(t("App version"), text(|summary| summary.app_version.clone()))}
            {fact(t("Requested by"), dynamic(by))}
            {fact(t("Created"), when(|record| record.detail.summary()?.first_deployed))}
            {fact(t("Updated"), when(ReleaseRecord::updated))}
            {fact(t("Description"), text(|summary| summary.description.clone()))}
        </dl>
    }
    .into_any()
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
