//! The button that opens the drawer, with the number of the ends that the user has not seen yet.

use leptos::prelude::*;

use super::{Feed, counts};
use crate::signals::{Memo, dynamic};
use crate::ui::icon::icon;
use crate::words::{count, say, t};

/// Its id: the focus comes back to it.
pub const BELL: &str = "bell";

/// The bell.
#[component]
pub fn Bell(feed: Feed) -> impl IntoView {
    let counted = Memo::new(move || {
        let (seen, user) = (feed.seen.get(), feed.user.get());
        feed.doings.with(|doings| counts(doings.map_or(&[], |it: &Vec<_>| it), user.as_deref(), seen))
    });
    let number = Memo::new(move || counted.get().1);
    let class = Signal::derive(move || match counted.get() {
        (_, 1..) => "pf-v6-c-button pf-m-stateful pf-m-unread",
        _ => "pf-v6-c-button pf-m-stateful pf-m-read",
    });
    let label = Signal::derive(move || {
        let (running, ended) = counted.get();
        let running = running + feed.more.get() as usize;
        let mut said = vec![t("Operations").to_owned()];
        if running > 0 {
            said.push(count(running, "{n} running", "{n} running"));
        }
        if ended > 0 {
            said.push(say("{n} ended since you looked", &[("n", &ended.to_string())]));
        }
        said.join(", ")
    });
    view! {
        <button
            type="button"
            id=BELL
            class=class
            aria-label=label
            title=label
            aria-expanded=Signal::derive(move || feed.is_open.get().to_string())
            on:click=move |_| feed.is_open.update(|open| *open = !*open)
        >
            <span class="pf-v6-c-button__icon">{icon("bell")}</span>
            // The label says more than the number, which is a picture to whoever hears it.
            {dynamic(move || {
                let number = number.get();
                (number > 0)
                    .then(|| view! { <span class="pf-v6-c-button__text bell-number" data-number=number.to_string()></span> })
            })}
        </button>
    }
}
