//! The log of an operation, followed by long poll: each answer has what came since the one before.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

use crate::client::client;
use crate::client::poll::until_visible;
use crate::model::{ApiError, OperationId};
use crate::signals::{effect, task};
use crate::ui::logview::LogLines;

/// The pause after an error, in milliseconds, at first and at most.
const PAUSE_MS: (u32, u32) = (1000, 30_000);

/// How far a log is followed.
#[derive(Clone, Copy)]
pub struct FollowedLog {
    /// There was an answer.
    pub is_known: RwSignal<bool>,
    /// The operation has ended: nothing comes any more.
    pub is_over: RwSignal<bool>,
    /// Something older was left out.
    pub is_cut: RwSignal<bool>,
    /// How many attempts there were so far.
    pub attempts: RwSignal<usize>,
    /// Why the last try failed.
    pub error: RwSignal<Option<ApiError>>,
    again: RwSignal<u32>,
}

impl FollowedLog {
    /// Asks again, as after a press of "Try again".
    pub fn retry(self) {
        self.again.update(|times| *times += 1);
    }
}

/// Puts what helm says in the operation into `lines`, for as long as the component that calls this lives.
pub fn follow_log(id: OperationId, lines: LogLines) -> FollowedLog {
    let log = FollowedLog {
        is_known: RwSignal::new(false),
        is_over: RwSignal::new(false),
        is_cut: RwSignal::new(false),
        attempts: RwSignal::new(0),
        error: RwSignal::new(None),
        again: RwSignal::new(0),
    };
    let client = client();
    effect(move || {
        log.again.track();
        let (id, client) = (id.clone(), client);
        lines.clear();
        lines.set_live(true);
        task(async move {
            let (mut since, mut pause) = (None, PAUSE_MS.0);
            loop {
                match client.operation_log_part(id.clone(), since.clone()).await {
                    Ok(part) => {
                        pause = PAUSE_MS.0;
                        if !part.continues {
                            lines.clear();
                            log.attempts.set(0);
                        }
                        let attempts = attempts_in(&part.text, since.is_none() || !part.continues);
                        if attempts > 0 {
                            log.attempts.update(|all| *all += attempts);
                        }
                        lines.push(&marked(&part.text));
                        log.is_cut.set(part.is_cut);
                        log.error.set(None);
                        log.is_known.set(true);
                        if part.is_over {
                            log.is_over.set(true);
                            lines.set_live(false);
                            return;
                        }
                        since = Some(part.next);
                    }
                    Err(error) => {
                        let is_passing = error.is_passing();
                        log.error.set(Some(error));
                        if !is_passing {
                            lines.set_live(false);
                            return;
                        }
                        TimeoutFuture::new(pause).await;
                        pause = (pause * 2).min(PAUSE_MS.1);
                    }
                }
                until_visible().await;
            }
        });
    });
    log
}

/// How many attempts begin in a piece of the log: the first one has no line of its own.
fn attempts_in(text: &str, is_first: bool) -> usize {
    let begun = text.lines().filter(|line| is_attempt(line)).count();
    begun + usize::from(is_first && !text.is_empty())
}

/// The line with which the runner begins a further attempt: `Attempt 2 of 3`.
fn is_attempt(line: &str) -> bool {
    let Some((number, all)) = line.strip_prefix("Attempt ").and_then(|rest| rest.split_once(" of ")) else {
        return false;
    };
    number.parse::<u32>().is_ok() && all.parse::<u32>().is_ok()
}

/// The text with the lines that begin an attempt in bold, so that they are seen in a long log.
fn marked(text: &str) -> String {
    let mut marked = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if is_attempt(line.trim_end()) {
            marked.push_str("\u{1b}[1;36m");
            marked.push_str(line.trim_end());
            marked.push_str("\u{1b}[0m\n");
        } else {
            marked.push_str(line);
        }
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginnings_of_attempts_are_counted_and_marked() {
        let text = "one\n\nAttempt 2 of 3\ntwo\nAttempt at something of 3\n";
        assert_eq!(attempts_in(text, true), 2);
        assert_eq!(attempts_in(text, false), 1);
        assert_eq!(attempts_in("", true), 0);
        assert_eq!(
            marked(text),
            "one\n\n\u{1b}[1;36mAttempt 2 of 3\u{1b}[0m\ntwo\nAttempt at something of 3\n"
        );
    }
}
