//! Every revision of a release, what differs between any two of them, and the way back to one.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::Live;
use super::actions::why_not;
use super::difference::difference;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::{Detail, HistoryEntry, Phase, RecordStatus, ReleaseKey, Tone, WayAction};
use crate::pages::query::{query_setter, query_value};
use crate::pages::route::{Route, Tab};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::button::button;
use crate::ui::dropdown::{Dropdown, Look, MenuLink, MenuList};
use crate::ui::icon::icon;
use crate::ui::label::status_label;
use crate::ui::pagination::{Paging, pagination};
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::table::{cell, hidden_head, or_dash, plain_head};
use crate::ui::time::ago;
use crate::words::{say, t, told};

/// How many revisions a page can have.
const SIZES: [usize; 4] = [20, 50, 100, 200];
/// How many it has unless others are asked for.
const PAGE_SIZE: usize = 50;

/// The revisions that are chosen to be compared: none, one, or two with the older one first.
type Chosen = (Option<u32>, Option<u32>);

/// What each row needs of the table.
#[derive(Clone, Copy)]
struct Table {
    live: Live,
    release: StoredValue<ReleaseKey>,
    chosen: Memo<Chosen>,
    choose: Callback<Chosen>,
    can_roll_back: Memo<bool>,
}

/// The tab.
#[component]
pub fn History(release: ReleaseKey, live: Live) -> impl IntoView {
    // A revision's status changes with the phase, without a new revision.
    let status =
        Memo::new(move || live.record.with(|record| record.as_ref().map(|it| (it.revision, it.status))));
    let of = release.clone();
    let history = fetch(move || {
        status.track();
        client().history(of.clone())
    });
    let (from, to, facet, page) =
        (query_value("from"), query_value("to"), query_value("facet"), query_value("page"));
    let set = query_setter();
    let chosen = Memo::new(move || {
        let of = |text: Memo<String>| text.with(|text| text.parse::<u32>().ok());
        (of(from), of(to))
    });
    let choose = Callback::new(move |(from, to): Chosen| {
        let words = |revision: Option<u32>| revision.map(|it| it.to_string()).unwrap_or_default();
        set.run(vec![("from", words(from)), ("to", words(to))]);
    });
    let can_roll_back =
        Memo::new(move || live.actions.with(|all| why_not(all, WayAction::Rollback).is_none()));
    let table = Table { live, release: StoredValue::new(release.clone()), chosen, choose, can_roll_back };
    let count = Memo::new(move || history.data.with(|all| all.map_or(0, Vec::len)));
    let size = query_value("size");
    let size = Memo::new(move || {
        SIZES.into_iter().find(|one| size.with(|size| *size == one.to_string())).unwrap_or(PAGE_SIZE)
    });
    let page = Memo::new(move || {
        let page = page.with(|page| page.parse::<usize>().unwrap_or(1).saturating_sub(1));
        page.min(count.get().saturating_sub(1) / size.get())
    });
    let rows = move || {
        let first = page.get() * size.get();
        let all = history.data.get().unwrap_or_default();
        all.into_iter().skip(first).take(size.get()).map(|entry| row(entry, table)).views()
    };
    let turn = Callback::new(move |page: usize| {
        set.run(vec![("page", if page == 0 { String::new() } else { (page + 1).to_string() })]);
    });
    let resize = Callback::new(move |size: usize| {
        let word = if size == PAGE_SIZE { String::new() } else { size.to_string() };
        set.run(vec![("size", word), ("page", String::new())]);
    });
    let paging = Paging { page, total: count, size, sizes: &SIZES, on_page: turn, on_size: resize };
    let content = move || {
        view! {
            <div class="list-tools">
                {dynamic(move || choice_view(chosen.get(), count.get(), choose))}
                {pagination(paging, t("Pages"))}
            </div>
            <table class="pf-v6-c-table pf-m-grid-lg history" aria-label=t("Revision history")>
                <thead class="pf-v6-c-table__thead">
                    <tr class="pf-v6-c-table__tr">
                        {hidden_head(t("Compare"))} {revision_columns().into_iter().map(plain_head).views()}
                        {hidden_head(t("Actions"))}
                    </tr>
                </thead>
                <tbody class="pf-v6-c-table__tbody">{dynamic(rows)}</tbody>
            </table>
        }
        .into_any()
    };
    let pair = Memo::new(move || {
        let (from, to) = chosen.get();
        Some((from?, to?))
    });
    let compared = move || {
        let (from, to) = pair.get()?;
        let choose = Callback::new(move |word: &'static str| set.run(vec![("facet", word.to_owned())]));
        let title = say(
            "Revision {from} compared with {to}",
            &[("from", &from.to_string()), ("to", &to.to_string())],
        );
        Some(view! {
            <section class="overview-part" aria-labelledby="compared">
                <h2 class="pf-v6-c-title pf-m-h2" id="compared" tabindex="-1">
                    {title}
                </h2>
                {difference(release.clone(), pair, facet.into(), choose)}
            </section>
        })
    };
    view! {
        {shown(history, || skeleton_lines(4), content)}
        {dynamic(compared)}
    }
    .into_any()
}

/// What is chosen, and what to do about it.
fn choice_view((from, to): Chosen, count: usize, choose: Callback<Chosen>) -> AnyView {
    let clear =
        || button("pf-v6-c-button pf-m-link pf-m-inline", t("Clear"), move || choose.run((None, None)));
    match (from, to) {
        _ if count < 2 => {
            let words =
                t("An upgrade or a rollback makes the next revision. Two of them can be compared here.");
            view! { <span class="note">{words}</span> }.into_any()
        }
        (Some(from), Some(to)) => {
            let words = say(
                "Revisions {from} and {to} are chosen.",
                &[("from", &from.to_string()), ("to", &to.to_string())],
            );
            view! {
                <span class="note" role="status">
                    {words}
                </span>
                {button("pf-v6-c-button pf-m-secondary pf-m-small", t("See what differs"), to_comparison)}
                {clear()}
            }
            .into_any()
        }
        (Some(one), None) | (None, Some(one)) => {
            let words = say(
                "Revision {one} is chosen: choose another one to compare it with.",
                &[("one", &one.to_string())],
            );
            view! {
                <span class="note" role="status">
                    {words}
                </span>
                {clear()}
            }
            .into_any()
        }
        (None, None) => {
            view! { <span class="note">{t("Choose two revisions to see what differs.")}</span> }.into_any()
        }
    }
}

fn to_comparison() {
    let heading = document().get_element_by_id("compared");
    if let Some(heading) = heading.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
        heading.scroll_into_view();
        let _ = heading.focus();
    }
}

/// What is chosen after the box of `revision` was pressed: of three, the one goes that lies nearer to the new one's side.
fn pressed((from, to): Chosen, revision: u32) -> Chosen {
    match (from, to) {
        (Some(one), other) | (other, Some(one)) if one == revision => (other, None),
        (one, Some(two)) if two == revision => (one, None),
        (Some(one), None) | (None, Some(one)) => (Some(one.min(revision)), Some(one.max(revision))),
        (Some(one), Some(two)) if revision > two => (Some(one), Some(revision)),
        (Some(_), Some(two)) => (Some(revision), Some(two)),
        (None, None) => (Some(revision), None),
    }
}

fn row(entry: HistoryEntry, table: Table) -> AnyView {
    let Table { live, release, chosen, choose, can_roll_back } = table;
    let revision = entry.record.revision;
    let number = revision.to_string();
    let is_chosen =
        Signal::derive(move || chosen.with(|(from, to)| *from == Some(revision) || *to == Some(revision)));
    // The newest one is what the release is already.
    let is_offered = move || can_roll_back.get() && live.revision.get() != Some(revision);
    let page = release.with_value(|release| Route::Rollback { key: release.clone() }.to_string());
    let label = say("Rollback to revision {revision}", &[("revision", &number)]);
    let offer = move || {
        let (href, label) = (format!("{page}?revision={revision}"), label.clone());
        view! {
            <a class="pf-v6-c-button pf-m-link pf-m-inline" href=href aria-label=label>
                <span class="pf-v6-c-button__text">{t("Rollback")}</span>
            </a>
        }
    };
    let box_label = say("Compare revision {revision}", &[("revision", &number)]);
    let menu_label = say("Actions for revision {revision}", &[("revision", &number)]);
    view! {
        <tr class="pf-v6-c-table__tr">
            {cell(
                t("Compare"),
                view! {
                    <input
                        type="checkbox"
                        aria-label=box_label
                        prop:checked=is_chosen
                        on:change=move |_| choose.run(pressed(chosen.get_untracked(), revision))
                    />
                },
            )}
            {revision_cells(entry)}
            <td class="pf-v6-c-table__td pf-v6-c-table__action">
                <span class="row-actions">
                    {dynamic(move || is_offered().then(offer.clone()))}
                    <Dropdown look=Look::Icon label=menu_label align_end=true toggle=|| icon("kebab")>
                        {menu(revision, table)}
                    </Dropdown>
                </span>
            </td>
        </tr>
    }
    .into_any()
}

fn menu(revision: u32, Table { live, release, .. }: Table) -> AnyView {
    let tab = |tab| release.with_value(|release| Route::Release { key: release.clone(), tab }.to_string());
    let history = tab(Tab::History);
    let none = Signal::stored(None::<String>);
    let newest = live.revision.get_untracked().filter(|newest| *newest != revision);
    let with_newest = newest.map(|newest| {
        let href = format!("{history}?from={}&to={}", revision.min(newest), revision.max(newest));
        view! { <MenuLink href text=t("Compare with the newest") disabled=none /> }
    });
    let with_before = (revision > 1).then(|| {
        let href = format!("{history}?from={}&to={revision}", revision - 1);
        view! { <MenuLink href text=t("Compare with the one before") disabled=none /> }
    });
    let values = format!("{}?revision={revision}", tab(Tab::Values));
    let manifest = format!("{}?revision={revision}", tab(Tab::Manifest));
    view! {
        <MenuList>
            {with_newest} {with_before} <MenuLink href=values text=t("See the values") disabled=none />
            <MenuLink href=manifest text=t("See the manifest") disabled=none />
        </MenuList>
    }
    .into_any()
}

/// The heads of a revision's cells.
pub fn revision_columns() -> [&'static str; 8] {
    [
        t("Revision"),
        t("Updated"),
        t("Status"),
        t("Chart name"),
        t("Chart version"),
        t("App version"),
        t("Requested by"),
        t("Description"),
    ]
}

/// What tells a revision from the others.
pub fn revision_cells(entry: HistoryEntry) -> AnyView {
    let HistoryEntry { record, requested_by } = entry;
    let changed = record.updated();
    let had_failed = record.had_failed();
    let (summary, reason) = match record.detail {
        Detail::Known(summary) => (summary, None),
        Detail::Loading => Default::default(),
        Detail::Unreadable { reason } => (Default::default(), Some(told(&reason))),
    };
    let (tone, words) = status(record.status);
    let [number, updated, state, chart, version, app, by, about] = revision_columns();
    view! {
        {cell(number, record.revision)} {cell(updated, ago(changed))}
        {cell(
            state,
            view! {
                <span class="revision-state">
                    {status_label(tone, words)}
                    {had_failed.then(|| status_label(Tone::Danger, t("Had failed").to_owned()))}
                </span>
            },
        )} {cell(chart, or_dash(summary.chart))}
        {cell(version, or_dash(summary.chart_version))} {cell(app, or_dash(summary.app_version))}
        {cell(by, or_dash(requested_by))}
        {cell(about, description(reason.or(summary.description)))}
    }
    .into_any()
}

/// From how many characters on a description is folded to two lines.
const LONG: usize = 120;

/// What is said of a revision; of a long text the beginning, and the rest when that is pressed.
fn description(text: Option<String>) -> AnyView {
    match text {
        Some(text) if text.chars().count() > LONG => {
            view! { <details class="clamped"><summary class="wrap">{text}</summary></details> }.into_any()
        }
        text => view! { <span class="wrap">{or_dash(text)}</span> }.into_any(),
    }
}

/// A record's status by itself, in the words that the phases have for it.
fn status(status: RecordStatus) -> (Tone, String) {
    let phase = match status {
        RecordStatus::Deployed => Phase::Deployed,
        RecordStatus::Failed => Phase::Failed { kind: None },
        RecordStatus::Uninstalled => Phase::Uninstalled,
        RecordStatus::Superseded => Phase::Superseded,
        RecordStatus::Unknown => Phase::Unknown,
        status => Phase::Pending { status },
    };
    // What an old revision says of an operation is over, whatever it says.
    let tone = if phase.is_active() { Tone::Neutral } else { phase.tone() };
    (tone, told(&phase.words()))
}

#[cfg(test)]
mod tests {
    use super::pressed;

    #[test]
    fn two_revisions_are_chosen_at_most() {
        for (before, revision, after) in [
            ((None, None), 3, (Some(3), None)),
            ((Some(3), None), 3, (None, None)),
            ((Some(3), None), 1, (Some(1), Some(3))),
            ((None, Some(3)), 5, (Some(3), Some(5))),
            ((Some(1), Some(3)), 1, (Some(3), None)),
            ((Some(1), Some(3)), 3, (Some(1), None)),
            ((Some(2), Some(4)), 5, (Some(2), Some(5))),
            ((Some(2), Some(4)), 1, (Some(1), Some(4))),
            ((Some(2), Some(4)), 3, (Some(3), Some(4))),
        ] {
            assert_eq!(pressed(before, revision), after, "{before:?} and {revision}");
        }
    }
}
