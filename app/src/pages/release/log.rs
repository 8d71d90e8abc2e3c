//! What helm said in the newest operation: live while it runs.

use crate::signals::{Memo, dynamic, effect};
use leptos::html;
use leptos::prelude::*;

use super::Live;
use crate::client::client;
use crate::client::fetch::{Fetched, follow};
use crate::model::OperationId;
use crate::ui::button::button;
use crate::ui::state::{EmptyState, error_state, skeleton_lines};
use crate::ui::text::CopyButton;

/// How near to its end a log must be scrolled to follow it, in pixels.
const NEAR_END: i32 = 40;

/// The tab.
#[component]
pub fn Log(live: Live) -> impl IntoView {
    let id = Memo::new(move || live.operation.with(|operation| operation.as_ref().map(|it| it.id.clone())));
    dynamic(move || match id.get() {
        Some(id) => view! { <LogOf id live /> }.into_any(),
        None => view! {
            <EmptyState title="No operation of Slipway’s" name="info">
                <p>"What other programs do with this release leaves no log here."</p>
            </EmptyState>
        }
        .into_any(),
    })
}

#[component]
fn LogOf(id: OperationId, live: Live) -> impl IntoView {
    let runs = Memo::new(move || {
        live.operation.with(|operation| operation.as_ref().is_some_and(|it| !it.state.is_terminal()))
    });
    let log: Fetched<String> = follow(runs.into(), move || client().operation_log(id.clone()));
    let text = Memo::new(move || log.data.get().unwrap_or_default());
    let following = RwSignal::new(true);
    let frame = NodeRef::<html::Pre>::new();
    // Keeps the end in sight, unless the reader has scrolled up to read.
    effect(move || {
        text.track();
        if let Some(frame) = frame.get()
            && following.get()
        {
            request_animation_frame(move || frame.set_scroll_top(frame.scroll_height()));
        }
    });
    let on_scroll = move |_| {
        if let Some(frame) = frame.get_untracked() {
            let below = frame.scroll_height() - frame.scroll_top() - frame.client_height();
            let at_end = below < NEAR_END;
            if following.get_untracked() != at_end {
                following.set(at_end);
            }
        }
    };
    let is_known = Memo::new(move || log.data.is_some());
    dynamic(move || {
        if !is_known.get() {
            return match log.error.get() {
                Some(error) => error_state(&error, move || log.retry()),
                None => skeleton_lines(8),
            };
        }
        view! {
            <div class="list-tools">
                <span class="note">
                    {dynamic(move || {
                        match (runs.get(), following.get()) {
                            (true, true) => "Following the log",
                            (true, false) => "Scrolled up: not following",
                            _ => "The operation has ended",
                        }
                    })}
                </span>
                {dynamic(move || {
                    (runs.get() && !following.get())
                        .then(|| {
                            button("pf-v6-c-button pf-m-link pf-m-inline", "Follow", move || following.set(true))
                        })
                })}
                <CopyButton text />
            </div>
            <pre
                class="log"
                node_ref=frame
                tabindex="0"
                role="log"
                aria-live="off"
                aria-label="Operation log"
                on:scroll=on_scroll
            >
                {dynamic(move || {
                    let text = text.get();
                    if text.is_empty() { "Helm has said nothing yet.".to_owned() } else { text }
                })}
            </pre>
        }
        .into_any()
    })
}
