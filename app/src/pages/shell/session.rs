//! What is said when nobody is signed in any longer. It takes nothing away: the page stays, with what was typed in it, asks
//! again, and goes on by itself when the user is back.

use leptos::prelude::*;

use crate::client::session;
use crate::model::Tone;
use crate::signals::{dynamic, effect};
use crate::ui::alert::Alert;
use crate::ui::announce::Announcer;
use crate::ui::button::button;
use crate::ui::element::{el, text};
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
    let again = view! {
        <a class="pf-v6-c-button pf-m-secondary pf-m-small" href="/" target="_blank" rel="noopener">
            <span class="pf-v6-c-button__text">{t("Sign in again in a new tab")}</span>
        </a>
    };
    let ways = vec![
        again.into_any(),
        button("pf-v6-c-button pf-m-link pf-m-small", t("Load this page again"), reload),
    ];
    let what =
        t("What you typed and what you see here stays. When you are signed in, this page goes on by itself.");
    view! {
        <Alert tone=Tone::Warning title=t("Your session has ended")>
            {el("p").child(text(what)).done()} {el("div.session-ways").children(ways).done()}
        </Alert>
    }
    .into_any()
}
