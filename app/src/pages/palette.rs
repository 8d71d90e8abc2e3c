//! The command palette: a line to type in, and what it could mean. To releases, charts, namespaces and pages, and to what
//! can be done with a release. A combobox with a list, as the ARIA practice has it.

mod rank;
mod stock;

use leptos::html;
use leptos::prelude::*;

use super::shell::{Desk, Sheet};
use crate::signals::{Memo, Views, dynamic, effect};
use crate::ui::address::Address;
use crate::ui::button::icon_button;
use crate::ui::element::{el, text};
use crate::ui::icon::icon;
use crate::ui::modal::{close_dialog, open_dialog};
use crate::words::{count, t, told};
use stock::{Choice, Found};

pub use stock::Stock;

/// The palette; it is there for as long as it is open.
#[component]
pub fn Palette(desk: Desk) -> impl IntoView {
    let stock = desk.stock;
    untrack(|| desk.route.with(|here| stock.refresh(here)));
    let dialog = NodeRef::<html::Dialog>::new();
    open_dialog(dialog);
    let address = Address::get();
    let typed = RwSignal::new(String::new());
    let chosen = RwSignal::new(0_usize);
    let found = Memo::new(move || typed.with(|typed| desk.route.with(|here| stock.find(typed, here))));
    let last = move || found.with_untracked(|(found, _)| found.len()).saturating_sub(1);
    let choose = move |choice: Choice| {
        close_dialog();
        match choice {
            Choice::To(href) => address.go(&href),
            Choice::Open(sheet) => desk.sheet.set(sheet),
            Choice::Operations => desk.feed.is_open.set(true),
        }
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        // An input method uses these keys to choose a letter.
        if event.is_composing() {
            return;
        }
        let at = chosen.get_untracked();
        match event.key().as_str() {
            "ArrowDown" => chosen.set(if at >= last() { 0 } else { at + 1 }),
            "ArrowUp" => chosen.set(if at == 0 { last() } else { at - 1 }),
            "Enter" => {
                if let Some(it) = found.with_untracked(|(found, _)| found.get(at).cloned()) {
                    choose(it.choice);
                }
            }
            _ => return,
        }
        event.prevent_default();
    };
    effect(move || {
        let at = chosen.get();
        if let Some(option) = document().get_element_by_id(&option_id(at)) {
            let options = web_sys::ScrollIntoViewOptions::new();
            options.set_block(web_sys::ScrollLogicalPosition::Nearest);
            option.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
    let is_none = Memo::new(move || found.with(|(found, _)| found.is_empty()));
    let note = move || {
        let (shown, all) = found.with(|(found, all)| (found.len(), *all));
        if stock.awaited.get() > 0 {
            t("Loading…").to_owned()
        } else if all == 0 {
            t("Nothing fits.").to_owned()
        } else if all > shown {
            count(all, "{n} choice", "{n} choices; type more to narrow them down")
        } else {
            count(all, "{n} choice", "{n} choices")
        }
    };
    let options = move || {
        let found = found.with(|(found, _)| found.clone());
        found.into_iter().enumerate().map(|(at, it)| option(at, it, chosen, choose)).views()
    };
    view! {
        <dialog
            node_ref=dialog
            class="modal palette"
            aria-label=t("Go to or do")
            on:close=move |_: leptos::ev::Event| {
                desk.sheet.update(|sheet| if *sheet == Sheet::Palette { *sheet = Sheet::None });
            }
        >
            <div class="pf-v6-c-modal-box">
                <div class="palette-line">
                    {icon("search")}
                    <input
                        type="text"
                        class="palette-input"
                        role="combobox"
                        aria-label=t("Go to or do")
                        aria-expanded="true"
                        aria-controls="palette-list"
                        aria-autocomplete="list"
                        aria-activedescendant=Signal::derive(move || (!is_none.get()).then(|| option_id(chosen.get())))
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        placeholder=t("A release, a chart, a page, or what to do: “upgrade web”")
                        prop:value=typed
                        on:input=move |event| {
                            chosen.set(0);
                            typed.set(event_target_value(&event));
                        }
                        on:keydown=on_key
                    />
                    {icon_button(t("Close").to_owned(), "close", close_dialog)}
                </div>
                <ul class="palette-list" id="palette-list" role="listbox" aria-label=t("Choices")>
                    {dynamic(options)}
                </ul>
                {el("p.palette-foot").attr("role", "status").child(dynamic(note)).done()}
                {dynamic(move || {
                    stock
                        .error
                        .get()
                        .map(|error| el("p.palette-foot.palette-error").child(icon("warning")).child(text(told(&error.to_string()))).done())
                })}
            </div>
        </dialog>
    }
}

fn option_id(at: usize) -> String {
    format!("palette-{at}")
}

fn option(
    at: usize,
    it: Found,
    chosen: RwSignal<usize>,
    choose: impl Fn(Choice) + Copy + 'static,
) -> AnyView {
    let is_chosen = Memo::new(move || chosen.get() == at);
    let Found { title, detail, choice } = it;
    view! {
        <li
            class="palette-option"
            id=option_id(at)
            role="option"
            aria-selected=Signal::derive(move || is_chosen.get().to_string())
            // The focus stays in the line.
            on:mousedown=|event: leptos::ev::MouseEvent| event.prevent_default()
            on:click=move |_| choose(choice.clone())
        >
            {el("span.palette-title").child(text(title)).done()} {el("span.palette-detail").child(text(detail)).done()}
        </li>
    }
    .into_any()
}
