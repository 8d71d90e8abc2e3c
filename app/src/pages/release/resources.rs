//! The live resources of a release.

use crate::signals::{Memo, Views, dynamic};
use leptos::prelude::*;

use super::object::{object_link, object_panel};
use super::{Live, health};
use crate::model::{Health, ObjectRef, ReleaseKey, Resource, Tone};
use crate::pages::query::{query_setter, query_value};
use crate::ui::alert::Alert;
use crate::ui::field::Select;
use crate::ui::label::plain_label;
use crate::ui::state::EmptyState;
use crate::ui::table::{cell, or_dash, plain_head};
use crate::ui::time::ago;
use crate::ui::toolbar::{SearchInput, ToggleGroup};
use crate::words::{say, t, told};

/// How many rows are drawn at most; a filter finds the others.
const SHOWN: usize = 500;

/// What the rows are put together by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grouping {
    Chart,
    Kind,
    Nothing,
}

/// The rows of a chart or of a kind under its name, or all of them under none.
#[derive(Clone, PartialEq)]
struct Section {
    title: Option<String>,
    objects: Vec<ObjectRef>,
}

/// The tab.
#[component]
pub fn Resources(release: ReleaseKey, live: Live) -> impl IntoView {
    let (text, chosen, layout) = (query_value("q"), query_value("health"), query_value("view"));
    let has_charts = Memo::new(move || {
        live.resources
            .with(|all| all.first().is_some_and(|first| all.iter().any(|one| one.source != first.source)))
    });
    let grouping = Memo::new(move || match (layout.get().as_str(), has_charts.get()) {
        ("kind", _) => Grouping::Kind,
        ("list", _) | (_, false) => Grouping::Nothing,
        _ => Grouping::Chart,
    });
    let found = Memo::new(move || {
        let (text, chosen) = (text.get().trim().to_lowercase(), chosen.get());
        live.resources
            .with(|all| all.iter().filter(|one| matches(one, &text, &chosen)).cloned().collect::<Vec<_>>())
    });
    let number = Memo::new(move || found.with(Vec::len));
    let sections = Memo::new(move || found.with(|found| in_sections(found, grouping.get())));
    let is_empty = Memo::new(move || live.resources.with(Vec::is_empty));
    let body = move || {
        if is_empty.get() {
            return view! {
                <EmptyState title=t("No resources yet") name="cubes">
                    <p>{t("They are listed here as soon as Helm has rendered the chart.")}</p>
                </EmptyState>
            }
            .into_any();
        }
        view! {
            {tools(text, chosen, grouping, has_charts)}
            <table class="pf-v6-c-table pf-m-grid-md pf-m-compact resources" aria-label=t("Resources")>
                <thead class="pf-v6-c-table__thead">
                    <tr class="pf-v6-c-table__tr">
                        {plain_head(t("Name"))} {plain_head(t("Type"))} {plain_head(t("Namespace"))}
                        {plain_head(t("Status"))} {plain_head(t("Reason"))} {plain_head(t("Created"))}
                    </tr>
                </thead>
                {dynamic(move || sections.get().into_iter().map(|section| section_view(section, found)).views())}
            </table>
            {dynamic(move || {
                (number.get() == 0)
                    .then(|| view! { <p class="nothing-found">{t("No resources match the filters.")}</p> })
            })}
            <p class="note" role="status">
                {dynamic(move || {
                    // As the head counts them: hooks come and go by themselves.
                    let apart = |all: &Vec<Resource>| {
                        let hooks = all.iter().filter(|one| !one.hooks.is_empty()).count();
                        (all.len() - hooks, hooks)
                    };
                    let ((found, found_hooks), (all, hooks)) = (found.with(apart), live.resources.with(apart));
                    let (found, all) = (found.to_string(), all.to_string());
                    let words = say("{found} of {all} resources", &[("found", &found), ("all", &all)]);
                    if hooks == 0 {
                        return words;
                    }
                    let (found, all) = (found_hooks.to_string(), hooks.to_string());
                    [words, say(", {found} of {all} hooks", &[("found", &found), ("all", &all)])].concat()
                })}
                {dynamic(move || {
                    (number.get() > SHOWN)
                        .then(|| {
                            [". ", &say("The first {n} are shown. Filter to find the others.", &[("n", &SHOWN.to_string())])].concat()
                        })
                })}
            </p>
        }
        .into_any()
    };
    view! {
        {dynamic(move || {
            live.resources_error
                .get()
                .map(|text| {
                    view! {
                        <Alert tone=Tone::Warning title=t("Not everything is known")>
                            <p>{told(&text)}</p>
                        </Alert>
                    }
                })
        })}
        {dynamic(body)}
        {object_panel(release, live)}
    }
    .into_any()
}

/// The filters, and what the rows are put together by.
fn tools(
    text: Memo<String>,
    chosen: Memo<String>,
    grouping: Memo<Grouping>,
    has_charts: Memo<bool>,
) -> AnyView {
    let set = query_setter();
    let options: Vec<(String, String)> = std::iter::once((String::new(), t("All states").to_owned()))
        .chain(health::ALL.map(|one| (health::key(one).to_owned(), health::word(one).to_owned())))
        .collect();
    let layouts = move || {
        let by_chart = has_charts.get().then(|| ("groups", t("By chart")));
        let layouts = by_chart.into_iter().chain([("kind", t("By type")), ("list", t("One list"))]);
        let value = Signal::derive(move || {
            match grouping.get() {
                Grouping::Chart => "groups",
                Grouping::Kind => "kind",
                Grouping::Nothing => "list",
            }
            .to_owned()
        });
        view! {
            <ToggleGroup
                label=t("Grouping")
                options=layouts.collect()
                value
                on_change=Callback::new(move |layout: &'static str| {
                    set.run(vec![("view", layout.to_owned())]);
                })
            />
        }
        .into_any()
    };
    view! {
        <div class="list-tools">
            <SearchInput
                label=t("Filter by name, type or chart")
                value=text
                on_input=Callback::new(move |text| set.run(vec![("q", text)]))
            />
            <span class="narrow-select">
                <label class="pf-v6-screen-reader" for="health">
                    {t("Status")}
                </label>
                <Select
                    id="health"
                    value=chosen
                    options=options
                    on_change=move |word| set.run(vec![("health", word)])
                />
            </span>
            {dynamic(layouts)}
        </div>
    }
    .into_any()
}

fn section_view(section: Section, found: Memo<Vec<Resource>>) -> AnyView {
    let title = section.title.map(|title| {
        let title = if title.is_empty() { t("(no source)").to_owned() } else { title };
        view! {
            <tr class="pf-v6-c-table__tr group-row">
                <th class="pf-v6-c-table__th" colspan="6" scope="rowgroup">
                    {title} <span class="nothing">{section.objects.len()}</span>
                </th>
            </tr>
        }
    });
    let rows = section
        .objects
        .into_iter()
        .map(|object| {
            let of = object.clone();
            let resource =
                Memo::new(move || found.with(|found| found.iter().find(|one| one.object == of).cloned()));
            row(&object, resource)
        })
        .views();
    view! { <tbody class="pf-v6-c-table__tbody">{title} {rows}</tbody> }.into_any()
}

fn row(object: &ObjectRef, resource: Memo<Option<Resource>>) -> AnyView {
    let health = Memo::new(move || resource.with(|it| it.as_ref().map_or(Health::Unknown, |it| it.health)));
    let message = Memo::new(move || resource.with(|it| it.as_ref().map(|it| told(&it.message))));
    let created = Memo::new(move || resource.with(|it| it.as_ref().and_then(|it| it.created)));
    let hooks = resource.with_untracked(|it| it.as_ref().map(|it| it.hooks.join(", ")).unwrap_or_default());
    let name = view! {
        <span class="named">
            {object_link(object)}
            {(!hooks.is_empty()).then(|| plain_label(say("Hook: {events}", &[("events", &hooks)])))}
        </span>
    };
    view! {
        <tr class="pf-v6-c-table__tr">
            {cell(t("Name"), name)} {cell(t("Type"), object.kind.clone())}
            {cell(t("Namespace"), or_dash(object.namespace.clone()))}
            {cell(t("Status"), dynamic(move || health::health_view(health.get())))}
            {cell(t("Reason"), view! { <span class="wrap">{dynamic(move || or_dash(message.get()))}</span> })}
            {cell(t("Created"), dynamic(move || ago(created.get())))}
        </tr>
    }
    .into_any()
}

fn matches(resource: &Resource, text: &str, chosen: &str) -> bool {
    let is_chosen = chosen.is_empty() || health::key(resource.health) == chosen;
    let object = &resource.object;
    is_chosen
        && (text.is_empty()
            || [&object.name, &object.kind, &resource.source]
                .iter()
                .any(|it| it.to_lowercase().contains(text)))
}

/// The sections: the charts in the manifest's order, the kinds in the alphabet's; at most [`SHOWN`] objects in all.
fn in_sections(found: &[Resource], grouping: Grouping) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for resource in found.iter().take(SHOWN) {
        let title = match grouping {
            Grouping::Chart => Some(resource.source.clone()),
            Grouping::Kind => Some(resource.object.kind.clone()),
            Grouping::Nothing => None,
        };
        let object = resource.object.clone();
        match sections.iter_mut().find(|section| section.title == title) {
            Some(section) => section.objects.push(object),
            None => sections.push(Section { title, objects: vec![object] }),
        }
    }
    if grouping == Grouping::Kind {
        sections.sort_by(|one, other| one.title.cmp(&other.title));
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(name: &str, source: &str, health: Health) -> Resource {
        let object = ObjectRef {
            api_version: "v1".into(),
            kind: "Service".into(),
            namespace: None,
            name: name.into(),
        };
        Resource {
            object,
            source: source.into(),
            hooks: vec![],
            health,
            message: String::new(),
            created: None,
        }
    }

    #[test]
    fn a_text_finds_names_kinds_and_charts() {
        let one = resource("web", "platform/auth", Health::Ready);
        for text in ["", "we", "service", "auth"] {
            assert!(matches(&one, text, ""), "{text}");
        }
        assert!(!matches(&one, "db", ""));
        assert!(matches(&one, "web", "ready") && !matches(&one, "web", "failed"));
    }

    #[test]
    fn a_chart_that_comes_up_twice_in_the_manifest_is_one_section() {
        let all =
            [("a", "x"), ("b", "y"), ("c", "x")].map(|(name, source)| resource(name, source, Health::Ready));
        let sections = in_sections(&all, Grouping::Chart);
        let sizes: Vec<usize> = sections.iter().map(|section| section.objects.len()).collect();
        assert_eq!(sizes, [2, 1]);
        assert_eq!(in_sections(&all, Grouping::Nothing).len(), 1);
    }

    #[test]
    fn kinds_are_in_the_order_of_the_alphabet() {
        let mut all = ["a", "b", "c"].map(|name| resource(name, "x", Health::Ready));
        all[1].object.kind = "ConfigMap".into();
        let titles: Vec<_> = in_sections(&all, Grouping::Kind).into_iter().map(|it| it.title).collect();
        assert_eq!(titles, [Some("ConfigMap".to_owned()), Some("Service".to_owned())]);
    }
}
