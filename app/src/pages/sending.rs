//! A request that the user sends by a button: under way once, and refused in the same place.

use leptos::prelude::*;

use crate::client::Answer;
use crate::model::{ApiError, Tone};
use crate::signals::dynamic;
use crate::ui::alert::Alert;

/// Its state.
#[derive(Clone, Copy)]
pub struct Sending {
    /// It is on its way.
    pub is_busy: RwSignal<bool>,
    refusal: RwSignal<Option<ApiError>>,
}

impl Sending {
    /// Nothing is sent yet.
    pub fn new() -> Self {
        Self { is_busy: RwSignal::new(false), refusal: RwSignal::new(None) }
    }

    /// Sends, unless it is under way already; `done` is called when it was accepted.
    pub fn send(self, ask: impl FnOnce() -> Answer<()>, done: impl FnOnce() + 'static) {
        if self.is_busy.get_untracked() {
            return;
        }
        self.is_busy.set(true);
        self.refusal.set(None);
        let (answer, done): (_, Box<dyn FnOnce()>) = (ask(), Box::new(done));
        leptos::task::spawn_local(async move {
            match answer.await {
                Ok(()) => done(),
                Err(refusal) => {
                    self.refusal.try_set(Some(refusal));
                }
            }
            self.is_busy.try_set(false);
        });
    }

    /// Why it was refused.
    pub fn refusal_view(self) -> AnyView {
        view! {
            <div role="alert">
                {dynamic(move || {
                    self.refusal
                        .get()
                        .map(|error| {
                            view! {
                                <Alert tone=Tone::Danger title=error.title()>
                                    <p class="wrap">{error.to_string()}</p>
                                </Alert>
                            }
                        })
                })}
            </div>
        }
        .into_any()
    }
}

/// An answer of which only counts that it was accepted.
pub fn accepted<T: 'static>(answer: Answer<T>) -> Answer<()> {
    Box::pin(async move { answer.await.map(drop) })
}
