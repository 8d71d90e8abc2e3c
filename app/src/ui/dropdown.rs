//! A button that opens a menu: by mouse, or by keyboard as the ARIA practice for menu buttons has it.

use crate::signals::{Memo, dynamic, effect};
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

use super::element::el;
use super::icon::icon;

/// What may take the focus inside an open menu.
const ITEMS: &str = ".pf-v6-c-menu__item:not(:disabled), .menu-check input, .pf-v6-c-menu input";

/// How the button looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Framed, with a caret.
    Framed,
    /// Text and a caret alone.
    Text,
    /// An icon alone.
    Icon,
    /// Filled: the main action of a page.
    Primary,
}

/// A menu button.
#[component]
pub fn Dropdown(
    /// How the button looks.
    look: Look,
    /// What a screen reader says for the button, where its content does not.
    #[prop(into, optional)]
    label: Option<String>,
    /// What is on the button.
    #[prop(into)]
    toggle: ViewFn,
    /// Opens to the left instead of the right.
    #[prop(optional)]
    align_end: bool,
    /// The items: those of this module, or a form of check boxes.
    children: ChildrenFn,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let root = NodeRef::<html::Div>::new();
    let class = Signal::derive(move || {
        let (closed, opened) = match look {
            Look::Framed => ("pf-v6-c-menu-toggle", "pf-v6-c-menu-toggle pf-m-expanded"),
            Look::Text => (
                "pf-v6-c-menu-toggle pf-m-plain pf-m-text",
                "pf-v6-c-menu-toggle pf-m-plain pf-m-text pf-m-expanded",
            ),
            Look::Icon => ("pf-v6-c-menu-toggle pf-m-plain", "pf-v6-c-menu-toggle pf-m-plain pf-m-expanded"),
            Look::Primary => {
                ("pf-v6-c-menu-toggle pf-m-primary", "pf-v6-c-menu-toggle pf-m-primary pf-m-expanded")
            }
        };
        if open.get() { opened } else { closed }
    });
    let on_key = move |event: KeyboardEvent| match event.key().as_str() {
        "Escape" if open.get_untracked() => {
            event.stop_propagation();
            open.set(false);
            focus_toggle(root);
        }
        "ArrowDown" if !open.get_untracked() => {
            event.prevent_default();
            open.set(true);
        }
        "ArrowDown" => step(root, &event, 1),
        "ArrowUp" if open.get_untracked() => step(root, &event, -1),
        "Home" | "End" if open.get_untracked() && !is_in_text(&event) => {
            event.prevent_default();
            let items = focusable(root);
            let end = if event.key() == "Home" { items.first() } else { items.last() };
            if let Some(item) = end {
                let _ = item.focus();
            }
        }
        "Tab" => open.set(false),
        _ => {}
    };
    let controls = (look != Look::Icon).then(|| {
        view! {
            <span class="pf-v6-c-menu-toggle__controls">
                <span class="pf-v6-c-menu-toggle__toggle-icon">{icon("caret")}</span>
            </span>
        }
    });
    let face = if look == Look::Icon { "pf-v6-c-menu-toggle__icon" } else { "pf-v6-c-menu-toggle__text" };
    view! {
        <div class="dropdown" node_ref=root on:keydown=on_key>
            <button
                type="button"
                class=class
                title=label.clone().filter(|_| look == Look::Icon)
                aria-label=label
                aria-haspopup="true"
                aria-expanded=Signal::derive(move || open.get().to_string())
                on:click=move |_| open.update(|open| *open = !*open)
            >
                <span class=face>{dynamic(move || toggle.run())}</span>
                {controls}
            </button>
            {dynamic(move || {
                open.get()
                    .then(|| {
                        let children = children.clone();
                        view! { <Panel open root align_end children /> }
                    })
            })}
        </div>
    }
    .into_any()
}

#[component]
fn Panel(
    open: RwSignal<bool>,
    root: NodeRef<html::Div>,
    align_end: bool,
    children: ChildrenFn,
) -> impl IntoView {
    let class =
        if align_end { "pf-v6-c-menu dropdown-panel align-end" } else { "pf-v6-c-menu dropdown-panel" };
    let outside = window_event_listener(ev::pointerdown, move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Node>().ok());
        if root.get_untracked().is_some_and(|root| !root.contains(target.as_ref())) {
            open.set(false);
        }
    });
    on_cleanup(move || outside.remove());
    // The first item takes the focus once it is there.
    effect(move || {
        if let Some(first) = focusable(root).first() {
            let _ = first.focus();
        }
        let panel =
            root.get_untracked().and_then(|root| root.query_selector(".dropdown-panel").ok().flatten());
        if let Some(panel) = panel {
            let options = web_sys::ScrollIntoViewOptions::new();
            options.set_block(web_sys::ScrollLogicalPosition::Nearest);
            options.set_inline(web_sys::ScrollLogicalPosition::Nearest);
            panel.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
    let on_click = move |event: ev::MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let item = target.and_then(|target| target.closest(".pf-v6-c-menu__item").ok().flatten());
        if item.is_some_and(|item| item.get_attribute("aria-disabled").is_none()) {
            open.set(false);
            focus_toggle(root);
        }
    };
    view! {
        <div class=class on:click=on_click>
            <div class="pf-v6-c-menu__content">{children()}</div>
        </div>
    }
}

fn focusable(root: NodeRef<html::Div>) -> Vec<HtmlElement> {
    let Some(list) = root.get_untracked().and_then(|root| root.query_selector_all(ITEMS).ok()) else {
        return Vec::new();
    };
    (0..list.length()).filter_map(|at| list.item(at)?.dyn_into().ok()).collect()
}

fn focus_toggle(root: NodeRef<html::Div>) {
    let toggle = root.get_untracked().and_then(|root| root.query_selector("button").ok().flatten());
    if let Some(toggle) = toggle.and_then(|toggle| toggle.dyn_into::<HtmlElement>().ok()) {
        let _ = toggle.focus();
    }
}

/// Whether the key is meant for a field of text.
fn is_in_text(event: &KeyboardEvent) -> bool {
    let field = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
    field.is_some_and(|field| field.type_() == "text")
}

fn step(root: NodeRef<html::Div>, event: &KeyboardEvent, by: i32) {
    event.prevent_default();
    let items = focusable(root);
    let Ok(count) = i32::try_from(items.len()) else { return };
    let active = document().active_element();
    let at = items.iter().position(|item| active.as_ref() == Some(item.as_ref()));
    let at = at.and_then(|at| i32::try_from(at).ok()).unwrap_or(if by > 0 { -1 } else { 0 });
    let next = usize::try_from((at + by).rem_euclid(count.max(1))).ok().and_then(|next| items.get(next));
    if let Some(item) = next {
        let _ = item.focus();
    }
}

/// The list inside a menu, for items.
#[component]
pub fn MenuList(children: Children) -> impl IntoView {
    menu_list(vec![children()])
}

/// [`MenuList`], of items that are there.
pub fn menu_list(items: Vec<AnyView>) -> AnyView {
    el("ul.pf-v6-c-menu__list").attr("role", "menu").child(items).done()
}

/// A line between items.
pub fn menu_divider() -> AnyView {
    el("li.pf-v6-c-divider").attr("role", "separator").done()
}

/// An item that leads somewhere; with `disabled`, one that says why it does not. It stays the same element, so that it keeps
/// the focus when that changes.
#[component]
pub fn MenuLink(
    /// Where to.
    href: String,
    /// The words.
    #[prop(into)]
    text: String,
    /// Why it cannot be chosen now.
    #[prop(into)]
    disabled: Signal<Option<String>>,
    /// It destroys something.
    #[prop(optional)]
    danger: bool,
) -> impl IntoView {
    let is_disabled = Memo::new(move || disabled.with(Option::is_some));
    let class = move || {
        let class = match (is_disabled.get(), danger) {
            (true, _) => "pf-v6-c-menu__list-item pf-m-aria-disabled",
            (_, true) => "pf-v6-c-menu__list-item pf-m-danger",
            _ => "pf-v6-c-menu__list-item",
        };
        Some(class.to_owned())
    };
    let reason = move || disabled.get().map(|reason| el("span.pf-v6-c-menu__item-description").child(reason));
    let link = el("a.pf-v6-c-menu__item")
        .attr("role", "menuitem")
        .attr("tabindex", "-1")
        .follow("href", move || (!is_disabled.get()).then(|| href.clone()))
        .follow("aria-disabled", move || is_disabled.get().then(|| "true".to_owned()))
        .child(el("span.pf-v6-c-menu__item-main>span.pf-v6-c-menu__item-text").child(text))
        .child(dynamic(reason));
    el("li").attr("role", "none").follow("class", class).child(link).done()
}

/// An item that can be the chosen one of its list.
#[component]
pub fn MenuChoice(
    /// The words.
    #[prop(into)]
    text: String,
    /// It is the chosen one.
    selected: bool,
    /// It was chosen.
    on_choose: impl Fn() + 'static,
) -> impl IntoView {
    let class = if selected { "pf-v6-c-menu__item pf-m-selected" } else { "pf-v6-c-menu__item" };
    let mark = selected.then(|| el("span.pf-v6-c-menu__item-select-icon").child(icon("check")));
    let main =
        el("span.pf-v6-c-menu__item-main").child(el("span.pf-v6-c-menu__item-text").child(text)).child(mark);
    let button = el("button")
        .attr("class", class)
        .attr("type", "button")
        .attr("role", "menuitemradio")
        .attr("aria-checked", if selected { "true" } else { "false" })
        .on("click", move |_| on_choose())
        .child(main);
    el("li.pf-v6-c-menu__list-item").attr("role", "none").child(button).done()
}
