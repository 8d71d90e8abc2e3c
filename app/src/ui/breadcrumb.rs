//! Where a page is, and the way up.

use leptos::prelude::*;

use super::icon::icon;
use crate::words::t;

/// The page above, as a link, and the name of this one.
pub fn breadcrumb(above: &str, href: impl Into<Signal<String>>, here: &'static str) -> AnyView {
    let (above, href): (String, Signal<String>) = (above.to_owned(), href.into());
    view! {
        <section class="pf-v6-c-page__main-breadcrumb">
            <nav class="pf-v6-c-breadcrumb" aria-label=t("Breadcrumb")>
                <ol class="pf-v6-c-breadcrumb__list" role="list">
                    <li class="pf-v6-c-breadcrumb__item">
                        <a class="pf-v6-c-breadcrumb__link" href=href>
                            {above}
                        </a>
                    </li>
                    <li class="pf-v6-c-breadcrumb__item">
                        <span class="pf-v6-c-breadcrumb__item-divider">{icon("angle-right")}</span>
                        <span aria-current="page">{here}</span>
                    </li>
                </ol>
            </nav>
        </section>
    }
    .into_any()
}
