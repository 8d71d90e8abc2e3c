//! A container's log, put into the lines of a log view as it is said.

use leptos::prelude::*;

use crate::client::pod_log::{PodLog, Said};
use crate::model::ReleaseKey;
use crate::signals::{effect, task};
use crate::ui::logview::LogLines;
use crate::words::{t, told};

/// Which log is shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Which {
    /// It.
    pub log: PodLog,
    /// The container has begun.
    pub is_there: bool,
    /// How often the user has asked again.
    pub again: u32,
}

/// Keeps the log that `which` names in `lines`, for as long as this is shown. `error` says why there is none.
pub fn follow_log(
    release: ReleaseKey,
    which: RwSignal<Option<Which>>,
    lines: LogLines,
    error: RwSignal<Option<String>>,
) {
    effect(move || {
        let Some(Which { log, is_there, .. }) = which.get() else { return };
        lines.clear();
        error.set(None);
        lines.set_name([&*log.pod, " ", &log.container].concat());
        lines.set_source(is_there.then(|| log.address(&release)));
        lines.set_live(false);
        if !is_there {
            lines.set_status(t("The container has not started yet."));
            return;
        }
        lines.set_status(t("Connecting…"));
        let release = release.clone();
        let is_resumable = StoredValue::new(true);
        task(async move {
            let is_live = !log.previous;
            let opened = log.open(&release, move |said| match said {
                Said::Connected => {
                    // Without a time to go on from the server begins again.
                    if !is_resumable.try_get_value().unwrap_or(true) {
                        lines.clear();
                    }
                    lines.set_live(is_live);
                    lines.set_status("");
                }
                Said::Lines(text, goes_on) => {
                    is_resumable.try_set_value(goes_on);
                    lines.push(&text);
                }
                Said::Lost => {
                    lines.set_live(false);
                    lines.set_status(t("The connection was lost. Connecting again…"));
                }
                Said::End(why) => {
                    lines.set_live(false);
                    let ended = || t("The log has ended.").to_owned();
                    lines.set_status(if why.is_empty() { ended() } else { told(&why) });
                }
                Said::SignedOut => {
                    lines.set_live(false);
                    lines.set_status(t("Your session has ended"));
                }
                Said::SignedIn => {
                    which.try_update(|which| {
                        if let Some(which) = which {
                            which.again += 1;
                        }
                    });
                }
                Said::Refused(why) => {
                    let why = why.map(|why| told(&why));
                    error.try_set(Some(why.unwrap_or_else(|| t("The connection was lost.").to_owned())));
                    lines.set_live(false);
                    lines.set_status("");
                }
            });
            match opened {
                // It is closed when this future is dropped.
                Ok(_open) => std::future::pending::<()>().await,
                Err(_) => error.set(Some(t("This browser cannot follow a log.").to_owned())),
            }
        });
    });
}
