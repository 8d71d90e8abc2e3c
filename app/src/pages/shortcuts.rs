//! Keyboard shortcuts, and the sheet that tells them. The single keys can be switched off there: who speaks to the browser,
//! or whose hand slips, must not go elsewhere by a letter (WCAG 2.1.4).

mod keys;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::activity;
use super::route::Route;
use super::shell::{Desk, Sheet};
use crate::client::kept;
use crate::ui::address::Address;
use crate::ui::button::button;
use crate::ui::element::{el, text};
use crate::ui::field::CheckBox;
use crate::ui::modal::{Modal, close_dialog};
use crate::ui::time::ExactTimes;
use crate::words::t;
use keys::{Act, Keys, Press};

/// Where it is kept that the single keys are switched off.
const KEY: &str = "slipway.keys";
const OFF: &str = "off";
/// What has its own use for letters.
const TAKEN: &str = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], yaml-editor, \
                     [role=menu], dialog";
/// The filter of a page: the first search field in it.
const FILTER: &str = "main .search input, main input[type=search]";

/// Listens for as long as the page is open.
pub fn listen(desk: Desk) {
    let (address, exact) = (Address::get(), ExactTimes::get());
    let keys = StoredValue::new(Keys::default());
    window_event_listener(ev::keydown, move |event| {
        if event.default_prevented() || event.alt_key() || event.is_composing() || event.repeat() {
            return;
        }
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let is_taken = target.is_some_and(|it| it.closest(TAKEN).ok().flatten().is_some()) || has_dialog();
        let key = event.key();
        let with_control = event.ctrl_key() || event.meta_key();
        let press = Press { key: &key, with_control, is_taken, at: event.time_stamp() };
        let mut act = None;
        keys.update_value(|keys| act = keys.press(&press, are_on()));
        let Some(act) = act else { return };
        // A dialog asks something: it comes first.
        if act == Act::Palette && has_dialog() {
            if desk.sheet.get_untracked() == Sheet::Palette {
                event.prevent_default();
                close_dialog();
            }
            return;
        }
        if act != Act::Escape {
            event.prevent_default();
        }
        do_it(act, desk, address, exact);
    });
}

fn do_it(act: Act, desk: Desk, address: Address, exact: ExactTimes) {
    let namespace = || desk.route.with_untracked(|route| route.namespace().map(str::to_owned));
    match act {
        Act::Palette => desk.sheet.set(Sheet::Palette),
        Act::Help => desk.sheet.set(Sheet::Shortcuts),
        Act::Filter => {
            let filter = document().query_selector(FILTER).ok().flatten();
            match filter.and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok()) {
                Some(filter) => {
                    let _ = filter.focus();
                    filter.select();
                }
                None => desk.sheet.set(Sheet::Palette),
            }
        }
        Act::Releases => address.go(&Route::Releases { namespace: namespace() }.to_string()),
        Act::Catalogue | Act::Create => {
            address.go(&Route::Catalogue { namespace: namespace(), chart: None }.to_string());
        }
        Act::Repositories => address.go(&Route::Repositories { namespace: namespace() }.to_string()),
        Act::Operations if desk.feed.is_open.get_untracked() => activity::close(desk.feed),
        Act::Operations => desk.feed.is_open.set(true),
        Act::ExactTimes => exact.switch(),
        Act::Escape => {
            if desk.feed.is_open.get_untracked() {
                activity::close(desk.feed);
            }
            desk.close_navigation();
        }
    }
}

fn has_dialog() -> bool {
    document().query_selector("dialog[open]").is_ok_and(|dialog| dialog.is_some())
}

fn are_on() -> bool {
    kept::read(KEY).as_deref() != Some(OFF)
}

/// The sheet that tells them.
#[component]
pub fn ShortcutSheet(desk: Desk) -> impl IntoView {
    let on = RwSignal::new(are_on());
    let switch = move |wanted: bool| {
        kept::write(KEY, if wanted { "" } else { OFF });
        on.set(wanted);
    };
    let is_mac =
        window().navigator().platform().is_ok_and(|it| it.starts_with("Mac") || it.starts_with("iP"));
    let control = if is_mac { "⌘" } else { t("Ctrl") };
    let all: [(&[&str], &str); 10] = [
        (&[control, "K"], t("Go to a release, chart or page, or do something")),
        (&["/"], t("Filter the list")),
        (&["n"], t("Create Helm release")),
        (&["g", "r"], t("Go to the Helm releases")),
        (&["g", "c"], t("Go to the Software Catalog")),
        (&["g", "p"], t("Go to the Helm repositories")),
        (&["g", "o"], t("Show the operations, or hide them")),
        (&["t"], t("Tell times exactly, or as “5 minutes ago”")),
        (&["?"], t("Show these shortcuts")),
        (&["Esc"], t("Close what lies over the page")),
    ];
    let rows = all
        .into_iter()
        .map(|(keys, what)| {
            let keys = keys.iter().map(|key| el("kbd").child(text(*key)).done()).collect();
            el("div.shortcut")
                .child(el("dt").child(text(what)).done())
                .child(el("dd").children(keys).done())
                .done()
        })
        .collect();
    view! {
        <Modal
            title=t("Keyboard shortcuts")
            on_close=Callback::new(move |()| desk.sheet.set(Sheet::None))
            footer=|| button("pf-v6-c-button pf-m-primary", t("Close"), close_dialog)
        >
            {el("dl.shortcuts").children(rows).done()}
            <CheckBox
                id="single-keys"
                label=t("Single keys")
                description=t("Switched off, only shortcuts with Ctrl or Cmd are left, and Esc.")
                checked=on
                on_change=switch
            />
        </Modal>
    }
}
