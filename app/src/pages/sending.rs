//! What the user sends by a button: under way once, and refused in the same place.

use leptos::prelude::*;

use crate::client::Answer;
use crate::model::{Accepted, ApiError, OperationId};

/// Its state.
#[derive(Clone, Copy)]
pub struct Sending {
    /// It is on its way.
    pub is_busy: RwSignal<bool>,
    /// Why the last try was refused.
    pub refusal: RwSignal<Option<ApiError>>,
}

impl Sending {
    /// Nothing is sent yet.
    pub fn new() -> Self {
        Self { is_busy: RwSignal::new(false), refusal: RwSignal::new(None) }
    }

    /// Sends, unless it is under way already; `done` is called when it was accepted.
    pub fn send(self, ask: impl FnOnce() -> Answer<OperationId>, done: impl FnOnce(OperationId) + 'static) {
        if self.is_busy.get_untracked() {
            return;
        }
        self.is_busy.set(true);
        self.refusal.set(None);
        let (answer, done): (_, Box<dyn FnOnce(OperationId)>) = (ask(), Box::new(done));
        leptos::task::spawn_local(async move {
            match answer.await {
                Ok(id) => done(id),
                Err(refusal) => {
                    self.refusal.try_set(Some(refusal));
                }
            }
            self.is_busy.try_set(false);
        });
    }
}

/// Of an answer only which operation it is about.
pub fn accepted(answer: Answer<Accepted>) -> Answer<OperationId> {
    Box::pin(async move { Ok(answer.await?.id) })
}
