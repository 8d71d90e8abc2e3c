//! What there is to know about a release that is not simply well, and the ways on.

use leptos::prelude::*;

use super::Live;
use super::dialogs::{dialog_href, way_words};
use super::failure::{failure_view, install_again};
use crate::model::{Notice, Phase, ReleaseKey, Tone, Way};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::alert::Alert;
use crate::ui::button::{leading_button, link_button};
use crate::words::{t, told};

/// The notice, and the remark of an operation that succeeded all the same.
#[component]
pub fn Trouble(release: ReleaseKey, live: Live) -> impl IntoView {
    let remark = Memo::new(move || {
        live.operation.with(|operation| operation.as_ref()?.outcome.as_ref()?.remark.clone())
    });
    view! {
        {dynamic(move || live.notice.get().map(|notice| notice_view(notice, &release, live)))}
        {dynamic(move || {
            remark
                .get()
                .map(|text| {
                    view! {
                        <Alert tone=Tone::Neutral title=t("Worth knowing")>
                            <p>{told(&text)}</p>
                        </Alert>
                    }
                })
        })}
    }
}

fn notice_view(notice: Notice, release: &ReleaseKey, live: Live) -> AnyView {
    let Notice { tone, title, text, failure } = notice;
    let text = (!text.is_empty()).then(|| view! { <p>{told(&text)}</p> });
    let failure = failure.map(|failure| failure_view(failure, &title, release, live));
    let title = told(&title);
    let of = release.clone();
    let ways = move || {
        let ways = live.ways.get();
        if live.phase.with(|phase| *phase == Phase::Uninstalled) {
            let href = install_again(&of, live);
            return Some(
                view! { <div class="ways">{vec![link_button(SECONDARY, t("Install it again"), href)]}</div> },
            );
        }
        let buttons = ways.into_iter().map(|way| way_button(&way, &of)).views();
        (!buttons.is_empty()).then(|| view! { <div class="ways">{buttons}</div> })
    };
    view! {
        <Alert tone=tone title=title>
            {text} {failure} {dynamic(ways)}
        </Alert>
    }
    .into_any()
}

const SECONDARY: &str = "pf-v6-c-button pf-m-secondary pf-m-small";

fn way_button(way: &Way, release: &ReleaseKey) -> AnyView {
    leading_button(SECONDARY, way_words(way), dialog_href(release, way.action))
}
