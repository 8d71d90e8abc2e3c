//! What is said when nobody is signed in any longer. It takes nothing away: the page stays, with what was typed in it, asks
//! again, and goes on by itself when the user is back.

use leptos::prelude::*;

use crate::client::session;
use crate::model::Tone;
use crate::signals::{dynamic, effect};
use crate::ui::alert::Alert;
use crate::ui::announce::Announcer;
use crate::ui::button::button;
use crate::words::t;

/// The notice, while there is no session.
#[component]
pub fn SessionNotice() -> impl IntoView {
    let has_ended = session::follow();
    let announcer = Announcer::get();
    let mut had_ended = false;
    effect(move || {
        let has_ended = has_ended.get();
        if had_ended && !has_ended {
            announcer.say(t("You are signed in again.").to_owned());
        }
        had_ended = has_ended;
    });
    view! {
        // There from the start, so that what comes into it is told.
        <div class="session" role="alert">
            {dynamic(move || has_ended.get().then(notice))}
        </div>
    }
}

fn notice() -> AnyView {
    let reload = || {
        let _ = window().location().reload();
    };
    view! {
        <Alert tone=Tone::Warning title=t("Your session has ended")>
            <p>
                {t("What you typed and what you see here stays. Sign in again in another tab: this page then goes on by itself.")}
            </p>
            <div class="session-ways">
                <a class="pf-v6-c-button pf-m-secondary pf-m-small" href="/" target="_blank" rel="noopener">
                    <span class="pf-v6-c-button__text">{t("Sign in in a new tab")}</span>
                </a>
                {button("pf-v6-c-button pf-m-link pf-m-small", t("Load this page again"), reload)}
            </div>
        </Alert>
    }
    .into_any()
}
