//! The manifest of a revision: what Helm sent to the cluster, with an outline of its documents by chart.

mod documents;

use std::sync::Arc;

use leptos::prelude::*;

use super::Live;
use super::revision::revision_choice;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::model::ReleaseKey;
use crate::pages::query::{query_value, query_word};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::code::lines::find;
use crate::ui::code::{Code, code_view};
use crate::ui::label::kind_badge;
use crate::ui::state::{EmptyState, shown, skeleton_lines};
use crate::words::{count, say, t};
use documents::{Document, outlined};

/// How many documents the outline names; a search finds the others.
const NAMED: usize = 500;

/// A document in the outline, and how many lines of it were found.
#[derive(Clone, PartialEq)]
struct Entry {
    document: Document,
    found: usize,
}

/// What the outline needs to be drawn.
#[derive(Clone, Copy)]
struct Outline {
    entries: Memo<Vec<Entry>>,
    /// The key of the document that is shown alone; empty for all of them.
    chosen: Memo<String>,
    choose: Callback<String>,
}

/// The tab.
#[component]
pub fn Manifest(release: ReleaseKey, live: Live) -> impl IntoView {
    let (revision, field) = revision_choice(&release, live);
    let name = release.name.clone();
    let of = release.clone();
    let manifest = fetch(move || client().manifest(of.clone(), revision.get()));
    let (query, chosen) = (query_value("q"), query_value("doc"));
    let whole = Memo::new(move || Arc::new(outlined(manifest.data.get().unwrap_or_default())));
    let text = Memo::new(move || {
        whole.with(|whole| {
            let shown = chosen.with(|chosen| whole.documents.iter().find(|it| it.key() == *chosen));
            // The manifest is without its hooks, as Helm has it.
            let range = shown.map_or(0..whole.hooks, |it| it.start..it.end);
            whole.text.get(range).unwrap_or_default().to_owned()
        })
    });
    let entries = Memo::new(move || {
        let query = query.get();
        let query = query.trim();
        whole.with(|whole| {
            let found = |document: &Document| {
                if query.is_empty() {
                    return 1;
                }
                let text = whole.text.get(document.start..document.end).unwrap_or_default();
                text.lines().filter(|line| find(line, query).is_some()).count()
            };
            let entries = whole.documents.iter();
            let entries =
                entries.map(|document| Entry { found: found(document), document: document.clone() });
            entries.filter(|entry| entry.found > 0).collect::<Vec<_>>()
        })
    });
    let file = Memo::new(move || {
        let of = whole.with(|whole| {
            let document = whole.documents.iter().find(|it| chosen.with(|chosen| it.key() == *chosen))?;
            Some(format!("-{}-{}", document.kind.to_ascii_lowercase(), document.name))
        });
        format!("{name}{}-v{}.yaml", of.unwrap_or_default(), revision.get().unwrap_or_default())
    });
    let choose = query_word("doc");
    let outline = Outline { entries, chosen, choose };
    let code = Code { label: t("Manifest"), text, query, on_query: query_word("q"), file };
    let is_empty = Memo::new(move || whole.with(|whole| whole.text.trim().is_empty()));
    let content = move || {
        dynamic(move || {
            if is_empty.get() {
                return view! {
                    <EmptyState title=t("An empty manifest") name="info">
                        <p>{t("The chart made no object with these values.")}</p>
                    </EmptyState>
                }
                .into_any();
            }
            view! {
                <div class="manifest">
                    {outline_view(outline, query)}
                    {code_view(code, ().into_any())}
                </div>
            }
            .into_any()
        })
    };
    view! {
        <div class="list-tools">
            {field}
            <span class="note">
                {dynamic(move || {
                    let (all, hooks) = whole.with(|whole| {
                        let hooks = whole.documents.iter().filter(|it| it.hook.is_some()).count();
                        (whole.documents.len() - hooks, hooks)
                    });
                    let objects = (all > 0).then(|| count(all, "{n} object", "{n} objects"));
                    let hooks = (hooks > 0).then(|| count(hooks, "{n} hook", "{n} hooks"));
                    objects.into_iter().chain(hooks).collect::<Vec<_>>().join(" · ")
                })}
            </span>
        </div>
        {shown(manifest, || skeleton_lines(12), content)}
    }
    .into_any()
}

fn outline_view(outline: Outline, query: Memo<String>) -> AnyView {
    let Outline { entries, chosen, choose, .. } = outline;
    let is_all = Memo::new(move || chosen.with(String::is_empty));
    view! {
        <nav class="outline" aria-label=t("Objects of the manifest")>
            <button
                type="button"
                class="outline-item"
                aria-current=Signal::derive(move || is_all.get().then_some("true"))
                on:click=move |_| choose.run(String::new())
            >
                {t("The whole manifest")}
            </button>
            {dynamic(move || {
                let is_search = query.with(|query| !query.trim().is_empty());
                entries.with(|entries| groups(entries, is_search, outline))
            })}
        </nav>
    }
    .into_any()
}

/// The documents by the charts that they come from, in the manifest's order; the hooks, which Helm keeps apart, last.
fn groups(entries: &[Entry], is_search: bool, outline: Outline) -> Vec<AnyView> {
    let mut groups: Vec<(&str, Vec<&Entry>)> = Vec::new();
    let named = entries.iter().take(NAMED);
    let (hooks, own): (Vec<_>, Vec<_>) = named.partition(|entry| entry.document.hook.is_some());
    for entry in own {
        let source = entry.document.source.as_str();
        match groups.iter_mut().find(|(of, _)| *of == source) {
            Some((_, group)) => group.push(entry),
            None => groups.push((source, vec![entry])),
        }
    }
    let has_groups = groups.len() > 1;
    let mut views = groups
        .into_iter()
        .map(|(source, group)| {
            let title = if source.is_empty() { t("(no source)").to_owned() } else { source.to_owned() };
            let items = group.into_iter().map(|entry| item(entry, is_search, outline)).views();
            view! {
                {has_groups.then(|| view! { <p class="outline-title wrap">{title}</p> })}
                <ul class="outline-list">{items}</ul>
            }
        })
        .views();
    if !hooks.is_empty() {
        let hooks = hooks.into_iter().map(|entry| item(entry, is_search, outline)).views();
        views.push(
            view! {
                <p class="outline-title">{t("Hooks, which are not part of the manifest")}</p>
                <ul class="outline-list">{hooks}</ul>
            }
            .into_any(),
        );
    }
    let more = entries.len().saturating_sub(NAMED);
    if more > 0 {
        let words = say("{n} more: search to find them.", &[("n", &more.to_string())]);
        views.push(view! { <p class="note">{words}</p> }.into_any());
    }
    views
}

fn item(Entry { document, found }: &Entry, is_search: bool, outline: Outline) -> AnyView {
    let Outline { chosen, choose, .. } = outline;
    let key = document.key();
    let of = key.clone();
    let is_here = Memo::new(move || chosen.with(|chosen| *chosen == of));
    let name = if document.name.is_empty() { t("(no name)").to_owned() } else { document.name.clone() };
    let events = document.hook.clone().filter(|events| !events.is_empty());
    let events = events.map(|events| view! { <span class="note">" " {events}</span> });
    let found = is_search.then(|| {
        let words = count(*found, "{n} line found", "{n} lines found");
        let title = words.clone();
        view! {
            <span class="outline-found" title=title>
                <span aria-hidden="true">{*found}</span>
                <span class="pf-v6-screen-reader">{words}</span>
            </span>
        }
    });
    view! {
        <li>
            <button
                type="button"
                class="outline-item"
                aria-current=Signal::derive(move || is_here.get().then_some("true"))
                on:click=move |_| choose.run(key.clone())
            >
                {kind_badge(&document.kind)}
                <span class="outline-name">
                    <span class="pf-v6-screen-reader">{document.kind.clone()} " "</span>
                    {name} {events}
                </span>
                {found}
            </button>
        </li>
    }
    .into_any()
}
