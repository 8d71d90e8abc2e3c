//! A chart that is in no repository: named by its address, or uploaded. It is looked at first; its form comes after.

mod address;
mod archive;
mod found;

use leptos::prelude::*;

use super::frame::{Line, line, page_head};
use super::query::{query_setter, query_value};
use super::route::{Origin, Route};
use super::title::heading;
use crate::client::client;
use crate::client::fetch::fetch;
use crate::client::session;
use crate::model::name::check_namespace;
use crate::model::{ApiError, ChartDetail};
use crate::pages::catalogue::why_not;
use crate::signals::{Memo, Slot, Views, dynamic, effect};
use crate::ui::address::{Address, encode};
use crate::ui::breadcrumb::breadcrumb;
use crate::ui::field::Hint;
use crate::ui::toolbar::ToggleGroup;
use crate::words::{say, t, told};

/// What changes the address.
type Change = Callback<Vec<(&'static str, String)>>;

/// The page's state. The address has what a reload needs: the chart's address, or the upload.
#[derive(Clone, Copy)]
struct State {
    /// Where it would go.
    namespace: RwSignal<String>,
    /// What is in the field of the address.
    url: RwSignal<String>,
    /// What was found there.
    chart: Slot<Looked>,
    /// It is being looked for.
    is_busy: RwSignal<bool>,
    /// Why it cannot be had.
    refusal: RwSignal<Option<ApiError>>,
    /// How much of an archive has been sent, in per cent; none while nothing is.
    sent: RwSignal<Option<u32>>,
    /// Of the last question; an answer to another one is dropped.
    turn: RwSignal<u32>,
}

/// A chart that was found.
#[derive(Clone, PartialEq)]
struct Looked {
    /// Where it comes from.
    origin: Origin,
    /// What is in it.
    chart: ChartDetail,
}

impl State {
    /// What was said is about something else now.
    fn forget(self) {
        self.turn.update(|turn| *turn += 1);
        self.chart.set(None);
        self.refusal.set(None);
        self.is_busy.set(false);
        self.sent.set(None);
    }

    /// The namespace, if it can be one; else says so.
    fn target(self) -> Option<String> {
        let name = self.namespace.get_untracked().trim().to_owned();
        match check_namespace(&name) {
            Ok(()) => Some(name),
            Err(words) => {
                let words = if name.is_empty() { t("Choose a namespace.").to_owned() } else { words };
                self.refusal.set(Some(ApiError::invalid("namespace", words)));
                None
            }
        }
    }

    /// What was refused of a field.
    fn refusal_at(self, wanted: &str) -> Option<String> {
        self.refusal.with(|refusal| match refusal {
            Some(ApiError::Invalid { field: Some(field), message, .. }) if field == wanted => {
                Some(told(message))
            }
            _ => None,
        })
    }

    /// Whether that turn's question is still the last one. The page may be gone.
    fn is_at(self, turn: u32) -> bool {
        self.turn.try_get_untracked() == Some(turn)
    }

    /// Takes the answer to the question of that turn. What ended with the session is asked `again` when there is another one.
    fn take(self, turn: u32, answer: Result<Looked, ApiError>, again: Box<dyn FnOnce()>) -> bool {
        if !self.is_at(turn) {
            return false;
        }
        self.is_busy.set(false);
        self.sent.set(None);
        match answer {
            Ok(looked) => self.chart.set(Some(looked)),
            Err(refusal) => {
                if matches!(refusal, ApiError::SignedOut { .. }) {
                    session::when_back(Box::new(move || {
                        if self.is_at(turn) {
                            again();
                        }
                    }));
                }
                self.refusal.set(Some(refusal));
            }
        }
        true
    }
}

/// The page.
#[component]
pub fn Elsewhere(route: Memo<Route>) -> impl IntoView {
    let (from, set) = (query_value("from"), query_setter());
    let chosen = Memo::new(move || route.with(|route| route.namespace().map(str::to_owned)));
    let state = State {
        namespace: RwSignal::new(String::new()),
        url: RwSignal::new(query_value("url").get_untracked()),
        chart: Slot::new(),
        is_busy: RwSignal::new(false),
        refusal: RwSignal::new(None),
        sent: RwSignal::new(None),
        turn: RwSignal::new(0),
    };
    // The namespace bar above is the same choice.
    effect(move || {
        if let Some(name) = chosen.get() {
            state.namespace.set(name);
        }
    });
    let is_upload = Memo::new(move || from.with(|from| from == "file"));
    restore(state, set, is_upload.get_untracked());
    let kind = Signal::derive(move || if is_upload.get() { "file".to_owned() } else { "url".to_owned() });
    let choose = Callback::new(move |kind: &'static str| {
        state.forget();
        set.run(vec![
            ("from", if kind == "file" { "file".to_owned() } else { String::new() }),
            ("upload", String::new()),
            ("version", String::new()),
        ]);
    });
    let catalogue = move || Route::Catalogue { namespace: chosen.get(), chart: None }.to_string();
    let go = Address::get();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        match next(state) {
            Some(to) => go.go(&to),
            None if !is_upload.get_untracked() => address::look(state, set, None),
            None => {}
        }
    };
    let field =
        move || if is_upload.get() { archive::field(state, set) } else { address::field(state, set, chosen) };
    let about =
        t("Enter an OCI registry URL or the HTTP(S) URL of a .tgz file, or upload a chart’s archive.");
    view! {
        {breadcrumb(t("Software Catalog"), Signal::derive(catalogue), t("Helm Chart from URL or file"))}
        {page_head(heading(t("Install Helm Chart from URL or file").to_owned()), about, ().into_any())}
        <form class="pf-v6-c-form form-frame" novalidate on:submit=submit>
            <section class="pf-v6-c-page__main-section form-body elsewhere">
                <ToggleGroup
                    label=t("Where the chart is")
                    options=vec![("url", t("URL")), ("file", t("File"))]
                    value=kind
                    on_change=choose
                />
                {dynamic(move || chosen.get().is_none().then(|| namespace_field(state)))}
                {dynamic(field)}
                {dynamic(move || state.chart.get().map(|looked| found::found(state, set, looked)))}
            </section>
            {foot(state, is_upload, Signal::derive(catalogue))}
        </form>
    }
    .into_any()
}

/// Comes back to what the address says was found before.
fn restore(state: State, set: Change, is_upload: bool) {
    let mut is_first = true;
    effect(move || {
        if !std::mem::replace(&mut is_first, false) {
            return;
        }
        let upload = query_value("upload").get_untracked();
        if is_upload && !upload.is_empty() {
            archive::recall(state, upload);
        } else if !is_upload && state.url.with_untracked(|url| !url.is_empty()) {
            let version = query_value("version").get_untracked();
            // Without a namespace there is nobody to ask for.
            if state.namespace.with_untracked(|name| !name.is_empty()) {
                address::look(state, set, Some(version).filter(|version| !version.is_empty()));
            }
        }
    });
}

/// The form of what was found; none as long as it cannot be installed.
fn next(state: State) -> Option<String> {
    let looked = state.chart.get_untracked().filter(|looked| why_not(&looked.chart).is_none())?;
    let namespace = state.target()?;
    let version = match &looked.origin {
        // The address of an archive is that of a version.
        Origin::Address(url) if !url.starts_with("oci://") => String::new(),
        _ => format!("?version={}", encode(&looked.chart.version)),
    };
    let form = Route::Install { namespace: Some(namespace), chart: looked.origin };
    Some(format!("{form}{version}"))
}

fn namespace_field(state: State) -> AnyView {
    let namespaces = fetch(|| client().namespaces());
    let hint = Signal::derive(move || {
        Hint::or_error(t("Where the chart is to be installed."), state.refusal_at("namespace"))
    });
    let change = move |name: String| {
        // What was found stays found; it was looked for with rights in the other one.
        if state.refusal_at("namespace").is_some() {
            state.refusal.set(None);
        }
        state.namespace.set(name);
    };
    let options = move || {
        let names = namespaces.data.get().unwrap_or_default().into_iter();
        names.map(|name| view! { <option value=name></option> }).views()
    };
    let kind = Line { required: true, list: "namespaces", ..Line::default() };
    let field = line("namespace", t("Namespace"), hint, state.namespace.into(), Box::new(change), kind);
    view! {
        <div>{field} <datalist id="namespaces">{dynamic(options)}</datalist></div>
    }
    .into_any()
}

fn foot(state: State, is_upload: Memo<bool>, cancel: Signal<String>) -> AnyView {
    let is_there = Memo::new(move || state.chart.is_some());
    let is_blocked = move || match state.chart.get() {
        Some(looked) => why_not(&looked.chart).is_some(),
        None => is_upload.get() || state.url.with(|url| url.trim().is_empty()),
    };
    let words = move || match (is_there.get(), state.is_busy.get()) {
        (true, _) => t("Continue"),
        (false, true) => t("Looking…"),
        (false, false) => t("Next"),
    };
    view! {
        <section class="pf-v6-c-page__main-section form-foot">
            <div class="form-buttons">
                <button type="submit" class="pf-v6-c-button pf-m-primary" prop:disabled=is_blocked>
                    <span class="pf-v6-c-button__text">{dynamic(words)}</span>
                </button>
                <a class="pf-v6-c-button pf-m-link" href=move || cancel.get()>
                    <span class="pf-v6-c-button__text">{t("Cancel")}</span>
                </a>
            </div>
        </section>
    }
    .into_any()
}

/// How large a file is, for people.
fn size_words(bytes: f64) -> String {
    let rounded = |value: f64| js_sys::Number::from(value).to_fixed(1).map(String::from).unwrap_or_default();
    if bytes < 1_000_000.0 {
        return say("{n} KB", &[("n", &rounded(bytes / 1000.0))]);
    }
    say("{n} MB", &[("n", &rounded(bytes / 1_000_000.0))])
}
