//! The live resources of a release.

use crate::signals::{Memo, Views, dynamic};
use leptos::prelude::*;

use super::{Live, health};
use crate::model::{Health, ObjectRef, Resource, Tone};
use crate::pages::query::{query_setter, query_value};
use crate::ui::alert::Alert;
use crate::ui::field::Select;
use crate::ui::label::{kind_badge, plain_label};
use crate::ui::state::EmptyState;
use crate::ui::table::{cell, plain_head};
use crate::ui::time::ago;
use crate::ui::toolbar::{SearchInput, ToggleGroup};

/// How many rows are drawn at most; a filter finds the others.
const SHOWN: usize = 500;

/// A chart's resources under its name, or all of them under none.
#[derive(Clone, PartialEq)]
struct Section {
    title: Option<String>,
    objects: Vec<ObjectRef>,
}

/// The tab.
#[component]
pub fn Resources(live: Live) -> impl IntoView {
    let (text, chosen, layout) = (query_value("q"), query_value("health"), query_value("view"));
    let set = query_setter();
    let has_groups = Memo::new(move || {
        live.resources
            .with(|all| all.first().is_some_and(|first| all.iter().any(|one| one.source != first.source)))
    });
    let grouped = Memo::new(move || has_groups.get() && layout.with(|layout| layout != "list"));
    let found = Memo::new(move || {
        let (text, chosen) = (text.get().trim().to_ascii_lowercase(), chosen.get());
        live.resources
            .with(|all| all.iter().filter(|one| matches(one, &text, &chosen)).cloned().collect::<Vec<_>>())
    });
    let count = Memo::new(move || found.with(Vec::len));
    let sections = Memo::new(move || found.with(|found| in_sections(found, grouped.get())));
    let is_empty = Memo::new(move || live.resources.with(Vec::is_empty));
    let options: Vec<(String, String)> = std::iter::once((String::new(), "All states".to_owned()))
        .chain(health::ALL.map(|one| (health::word(one).to_owned(), health::word(one).to_owned())))
        .collect();
    let table = move || {
        view! {
            <table class="pf-v6-c-table pf-m-grid-md pf-m-compact resources" aria-label="Resources">
                <thead class="pf-v6-c-table__thead">
                    <tr class="pf-v6-c-table__tr">
                        {plain_head("Name")} {plain_head("Kind")} {plain_head("State")} {plain_head("Message")}
                        {plain_head("Created")}
                    </tr>
                </thead>
                {dynamic(move || sections.get().into_iter().map(|section| section_view(section, found)).views())}
            </table>
        }
    };
    let body = move || {
        if is_empty.get() {
            return view! {
                <EmptyState title="No resources yet" name="cubes">
                    <p>"They are listed here as soon as Helm has rendered the chart."</p>
                </EmptyState>
            }
            .into_any();
        }
        view! {
            <div class="list-tools">
                <SearchInput
                    label="Filter by name, kind or chart"
                    value=text
                    on_input=Callback::new(move |text| set.run(vec![("q", text)]))
                />
                <span class="narrow-select">
                    <label class="pf-v6-screen-reader" for="health">
                        "State"
                    </label>
                    <Select
                        id="health"
                        value=chosen
                        options=options.clone()
                        on_change=move |word| set.run(vec![("health", word)])
                    />
                </span>
                {has_groups
                    .get()
                    .then(|| {
                        view! {
                            <ToggleGroup
                                label="Layout"
                                options=vec![("groups", "By chart"), ("list", "One list")]
                                value=Signal::derive(move || {
                                    if grouped.get() { "groups" } else { "list" }.to_owned()
                                })
                                on_change=Callback::new(move |layout: &'static str| {
                                    set.run(vec![("view", layout.to_owned())]);
                                })
                            />
                        }
                    })}
                <span class="list-count">
                    {dynamic(move || format!("{} of {}", count.get(), live.resources.with(Vec::len)))}
                </span>
            </div>
            {table()}
            {dynamic(move || (count.get() == 0).then(|| view! { <p class="nothing-found">"No resources match the filters."</p> }))}
            {dynamic(move || {
                (count.get() > SHOWN)
                    .then(|| view! { <p class="note">{format!("The first {SHOWN} are shown. Filter to find the others.")}</p> })
            })}
        }
        .into_any()
    };
    view! {
        {dynamic(move || {
            live.resources_error
                .get()
                .map(|text| {
                    view! {
                        <Alert tone=Tone::Warning title="Not everything is known">
                            <p>{text}</p>
                        </Alert>
                    }
                })
        })}
        {dynamic(body)}
    }
    .into_any()
}

fn section_view(section: Section, found: Memo<Vec<Resource>>) -> AnyView {
    let title = section.title.map(|title| {
        view! {
            <tr class="pf-v6-c-table__tr group-row">
                <th class="pf-v6-c-table__th" colspan="5" scope="rowgroup">
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
            view! { <ResourceRow object resource /> }
        })
        .views();
    view! { <tbody class="pf-v6-c-table__tbody">{title} {rows}</tbody> }.into_any()
}

#[component]
fn ResourceRow(object: ObjectRef, resource: Memo<Option<Resource>>) -> impl IntoView {
    let health = Memo::new(move || resource.with(|it| it.as_ref().map_or(Health::Unknown, |it| it.health)));
    let message = Memo::new(move || resource.with(|it| it.as_ref().map(|it| it.message.clone())));
    let created = Memo::new(move || resource.with(|it| it.as_ref().and_then(|it| it.created)));
    let hooks = resource.with_untracked(|it| it.as_ref().map(|it| it.hooks.join(", ")).unwrap_or_default());
    view! {
        <tr class="pf-v6-c-table__tr">
            {cell("Name", view! {
                <span class="named">
                    {kind_badge(&object.kind)} <span class="wrap">{object.name.clone()}</span>
                    {(!hooks.is_empty()).then(|| plain_label(format!("Hook: {hooks}")))}
                </span>
            })} {cell("Kind", object.kind.clone())}
            {cell("State", dynamic(move || health::health_view(health.get())))}
            {cell("Message", view! { <span class="wrap">{dynamic(move || message.get())}</span> })}
            {cell("Created", dynamic(move || ago(created.get())))}
        </tr>
    }
    .into_any()
}

fn matches(resource: &Resource, text: &str, chosen: &str) -> bool {
    let is_chosen = chosen.is_empty() || health::word(resource.health) == chosen;
    let object = &resource.object;
    is_chosen
        && (text.is_empty()
            || [&object.name, &object.kind, &resource.source]
                .iter()
                .any(|it| it.to_ascii_lowercase().contains(text)))
}

/// The sections in the manifest's order; at most [`SHOWN`] objects in all.
fn in_sections(found: &[Resource], grouped: bool) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for resource in found.iter().take(SHOWN) {
        let title = grouped.then(|| resource.source.clone());
        let object = resource.object.clone();
        match sections.iter_mut().find(|section| section.title == title) {
            Some(section) => section.objects.push(object),
            None => sections.push(Section { title, objects: vec![object] }),
        }
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
        assert!(!matches(&one, "web", "Failed"));
    }

    #[test]
    fn a_chart_that_comes_up_twice_in_the_manifest_is_one_section() {
        let all =
            [("a", "x"), ("b", "y"), ("c", "x")].map(|(name, source)| resource(name, source, Health::Ready));
        let sections = in_sections(&all, true);
        let sizes: Vec<usize> = sections.iter().map(|section| section.objects.len()).collect();
        assert_eq!(sizes, [2, 1]);
        assert_eq!(in_sections(&all, false).len(), 1);
    }
}
