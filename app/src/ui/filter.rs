//! What a list is filtered by: menus of check boxes, and the labels of what was chosen.

use leptos::prelude::*;

use super::dropdown::{Dropdown, Look};
use super::icon::icon;
use super::toolbar::SearchInput;
use crate::signals::{Memo, Views, dynamic, keyed};
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

/// A menu of check boxes. `groups` is called when it is opened; with `search`, the boxes can be searched.
pub fn filter_menu(
    title: &'static str,
    chosen: Memo<usize>,
    search: Option<&'static str>,
    groups: impl Fn() -> Vec<Choices> + Send + Sync + 'static,
) -> AnyView {
    let groups: StoredValue<Box<dyn Fn() -> Vec<Choices> + Send + Sync>> = StoredValue::new(Box::new(groups));
    let face = move || {
        let badge = move || {
            let chosen = chosen.get();
            (chosen > 0).then(|| view! { <span class="pf-v6-c-badge pf-m-read">{chosen.to_string()}</span> })
        };
        view! { <span class="toggle-filter">{icon("filter")} {title} {dynamic(badge)}</span> }.into_any()
    };
    let content = move || {
        let text = RwSignal::new(String::new());
        let field = search.map(|label| {
            view! {
                <div class="pf-v6-c-menu__search">
                    <SearchInput label value=text on_input=Callback::new(move |it| text.set(it)) />
                </div>
            }
        });
        let groups = groups.with_value(|groups| groups());
        view! {
            {field}
            <div class="menu-scroll">{groups.into_iter().map(|group| boxes(group, text)).views()}</div>
        }
        .into_any()
    };
    view! { <Dropdown look=Look::Framed toggle=face>{content()}</Dropdown> }.into_any()
}

fn boxes(choices: Choices, search: RwSignal<String>) -> AnyView {
    let Choices { title, all, on_change } = choices;
    let found = Memo::new(move || {
        let search = search.with(|text| text.trim().to_lowercase());
        all.with(|all| {
            let found = all.iter().filter(|one| one.title.to_lowercase().contains(&search));
            found.map(|one| one.word.clone()).collect::<Vec<_>>()
        })
    });
    let item = move |word: String| {
        let of = word.clone();
        let choice = Memo::new(move || all.with(|all| all.iter().find(|one| one.word == of).cloned()));
        let title = choice.with_untracked(|it| it.as_ref().map(|it| it.title.clone()).unwrap_or_default());
        let number = move || choice.with(|it| it.as_ref().map(|it| it.count.to_string()));
        view! {
            <li class="menu-check">
                <label class="pf-v6-c-check">
                    <input
                        class="pf-v6-c-check__input"
                        type="checkbox"
                        prop:checked=Signal::derive(move || choice.with(|it| it.as_ref().is_some_and(|it| it.chosen)))
                        on:change=move |event| on_change.run((word.clone(), event_target_checked(&event)))
                    />
                    <span class="pf-v6-c-check__label">{title}</span>
                </label>
                <span class="pf-v6-c-badge pf-m-read">{dynamic(number)}</span>
            </li>
        }
        .into_any()
    };
    let rest = move || {
        let found = found.with(Vec::len);
        let text = match found.checked_sub(SHOWN) {
            _ if found == 0 => t("None has these letters.").to_owned(),
            Some(more) if more > 0 => {
                count(more, "{n} more. Type to find it.", "{n} more. Type to find them.")
            }
            _ => return None,
        };
        Some(view! { <p class="menu-note">{text}</p> })
    };
    view! {
        <p class="menu-group" aria-hidden="true">{title}</p>
        <ul class="menu-checks" role="group" aria-label=title>
            {keyed(move || found.with(|found| found.iter().take(SHOWN).cloned().collect()), item)}
        </ul>
        {dynamic(rest)}
    }
    .into_any()
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
    let items = chosen
        .into_iter()
        .map(|(word, words)| {
            let label = say("Remove the filter {name}", &[("name", &words)]);
            view! {
                <li class="pf-v6-c-label-group__list-item">
                    <span class="pf-v6-c-label pf-m-outline">
                        <span class="pf-v6-c-label__content">
                            <span class="pf-v6-c-label__text">{words}</span>
                        </span>
                        <span class="pf-v6-c-label__actions">
                            <button
                                type="button"
                                class="pf-v6-c-button pf-m-plain pf-m-no-padding"
                                aria-label=label
                                on:click=move |_| remove.run((name, word.clone()))
                            >
                                <span class="pf-v6-c-button__icon">{icon("close")}</span>
                            </button>
                        </span>
                    </span>
                </li>
            }
        })
        .views();
    view! {
        <div class="pf-v6-c-label-group pf-m-category">
            <div class="pf-v6-c-label-group__main">
                <span class="pf-v6-c-label-group__label" aria-hidden="true">{title}</span>
                <ul class="pf-v6-c-label-group__list" role="list" aria-label=title>{items}</ul>
            </div>
        </div>
    }
    .into_any()
}
