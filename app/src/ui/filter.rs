//! What a list is filtered by: menus of check boxes, and the labels of what was chosen.

use leptos::prelude::*;

use super::dropdown::{Dropdown, Look};
use super::element::{Element, el};
use super::icon::icon;
use super::toolbar::SearchInput;
use crate::signals::{Memo, dynamic, keyed};
use crate::words::{count, say, t};

/// How many boxes a menu has at most; its search finds the others.
const SHOWN: usize = 100;

/// A box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its word in the address.
    pub word: String,
    /// Its words on the page.
    pub title: String,
    /// How many items it would show.
    pub count: usize,
    /// Whether it is set.
    pub chosen: bool,
}

/// Boxes that belong together.
#[derive(Clone, Copy)]
pub struct Choices {
    /// What they are about.
    pub title: &'static str,
    /// The boxes, in their order.
    pub all: Memo<Vec<Choice>>,
    /// One was set, or taken away.
    pub on_change: Callback<(String, bool)>,
}

/// How much of something is chosen, as a number in a badge; nothing, if nothing is.
pub fn badge(chosen: Memo<usize>) -> AnyView {
    dynamic(move || {
        let chosen = chosen.get();
        (chosen > 0).then(|| el("span.pf-v6-c-badge.pf-m-read").child(chosen.to_string()))
    })
}

/// A menu of check boxes. `groups` is called when it is opened; with `search`, the boxes can be searched.
pub fn filter_menu(
    title: &'static str,
    chosen: Memo<usize>,
    search: Option<&'static str>,
    groups: impl Fn() -> Vec<Choices> + Send + Sync + 'static,
) -> AnyView {
    boxed_menu(title, chosen, search, StoredValue::new(Box::new(groups)))
}

type Groups = StoredValue<Box<dyn Fn() -> Vec<Choices> + Send + Sync>>;

fn boxed_menu(
    title: &'static str,
    chosen: Memo<usize>,
    search: Option<&'static str>,
    groups: Groups,
) -> AnyView {
    let face =
        move || el("span.toggle-filter").child(icon("filter")).child(title).child(badge(chosen)).done();
    let content = move || {
        let text = RwSignal::new(String::new());
        let field = search.map(|label| {
            let on_input = Callback::new(move |it| text.set(it));
            el("div.pf-v6-c-menu__search")
                .child(view! { <SearchInput label value=text on_input /> }.into_any())
        });
        let mut list = el("div.menu-scroll");
        for group in groups.with_value(|groups| groups()) {
            list = list.child(boxes(group, text));
        }
        el("div").child(field).child(list).done()
    };
    view! { <Dropdown look=Look::Framed toggle=face>{content()}</Dropdown> }.into_any()
}

fn boxes(choices: Choices, search: RwSignal<String>) -> AnyView {
    let Choices { title, all, on_change } = choices;
    let found = Memo::new(move || {
        let search = search.with(|text| text.trim().to_ascii_lowercase());
        let mut found = Vec::new();
        all.with(|all| {
            for one in all {
                if one.title.to_ascii_lowercase().contains(&search) {
                    found.push(one.word.clone());
                }
            }
        });
        found
    });
    let rest = move || {
        let found = found.with(Vec::len);
        let text = match found.checked_sub(SHOWN) {
            _ if found == 0 => t("None has these letters.").to_owned(),
            Some(more) if more > 0 => {
                count(more, "{n} more. Type to find it.", "{n} more. Type to find them.")
            }
            _ => return None,
        };
        Some(el("p.menu-note").child(text))
    };
    let keys = move || found.with(|found| found.iter().take(SHOWN).cloned().collect());
    el("div")
        .child(el("p.menu-group").attr("aria-hidden", "true").child(title))
        .child(
            el("div>ul.menu-checks")
                .attr("role", "group")
                .attr("aria-label", title)
                .child(keyed(keys, move |word| box_of(word, all, on_change))),
        )
        .child(dynamic(rest))
        .done()
}

fn box_of(word: String, all: Memo<Vec<Choice>>, on_change: Callback<(String, bool)>) -> AnyView {
    let of = word.clone();
    let choice = Memo::new(move || all.with(|all| all.iter().find(|one| one.word == of).cloned()));
    let title = choice.with_untracked(|it| it.as_ref().map(|it| it.title.clone()));
    let tick = el("input.pf-v6-c-check__input")
        .attr("type", "checkbox")
        .prop("checked", move || choice.with(|it| it.as_ref().is_some_and(|it| it.chosen)))
        .on("change", move |event| on_change.run((word.clone(), event_target_checked(&event))));
    el("li.menu-check")
        .child(el("label.pf-v6-c-check").child(tick).child(el("span.pf-v6-c-check__label").child(title)))
        .child(
            el("span.pf-v6-c-badge.pf-m-read")
                .telling(move || choice.with(|it| it.as_ref().map(|it| it.count.to_string()))),
        )
        .done()
}

/// What was chosen, each with a button that takes it away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// What it is about.
    pub title: &'static str,
    /// Its name in the address.
    pub name: &'static str,
    /// The words, in the address and on the page.
    pub chosen: Vec<(String, String)>,
}

/// The labels of a group; `remove` is called with the group's name and the word.
pub fn label_group(labels: Labels, remove: Callback<(&'static str, String)>) -> AnyView {
    let Labels { title, name, chosen } = labels;
    let mut list = el("ul.pf-v6-c-label-group__list").attr("role", "list").attr("aria-label", title);
    for (word, words) in chosen {
        list = list.child(label(name, word, words, remove));
    }
    el("div.pf-v6-c-label-group.pf-m-category>div.pf-v6-c-label-group__main")
        .child(el("span.pf-v6-c-label-group__label").attr("aria-hidden", "true").child(title))
        .child(list)
        .done()
}

fn label(
    name: &'static str,
    word: String,
    words: String,
    remove: Callback<(&'static str, String)>,
) -> Element {
    let button = el("button.pf-v6-c-button.pf-m-plain.pf-m-no-padding>span.pf-v6-c-button__icon")
        .attr("type", "button")
        .attr("aria-label", &say("Remove the filter {name}", &[("name", &words)]))
        .on("click", move |_| remove.run((name, word.clone())))
        .child(icon("close"));
    el("li.pf-v6-c-label-group__list-item>span.pf-v6-c-label.pf-m-outline")
        .child(el("span.pf-v6-c-label__content>span.pf-v6-c-label__text").child(words))
        .child(el("span.pf-v6-c-label__actions").child(button))
}
