//! One object of a release, in a panel at the side: what it is, what the cluster tells of it, what its pods say, and all of
//! it as YAML. Which object, and which of that, is in the address.

pub mod address;
mod conditions;
mod details;
mod events;
mod logs;
mod stream;

use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use leptos::wasm_split::wasm_split;
use wasm_bindgen::JsCast;

use super::Live;
use crate::client::client;
use crate::client::fetch::{Fetched, refresh};
use crate::model::{ObjectDetail, ObjectRef, PodList, ReleaseKey, Tone};
use crate::pages::parts::Part;
use crate::pages::query::{changed, query_setter, query_value};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::address::Address;
use crate::ui::alert::Alert;
use crate::ui::button::button;
use crate::ui::label::kind_badge;
use crate::ui::lazy::lazy_behind;
use crate::ui::modal::{close_button, close_dialog, open_dialog};
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::text::CopyButton;
use crate::words::{say, t, told};
pub use address::text as key_of;

/// How often an object is looked at again, in milliseconds: while something goes on, and else.
const PACES: (u32, u32) = (2_000, 5_000);

/// What of an address is the panel's.
const OBJECT: &str = "object";
const LOOK: &str = "look";
const POD: &str = "pod";
const CONTAINER: &str = "container";
const PREVIOUS: &str = "previous";
const TIMES: &str = "times";
const FIND: &str = "find";
/// All of it but the object.
const PARTS: [&str; 6] = [LOOK, POD, CONTAINER, PREVIOUS, TIMES, FIND];

/// What of an object is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Details,
    Events,
    Logs,
    Yaml,
}

impl Look {
    const ALL: [Self; 4] = [Self::Details, Self::Events, Self::Logs, Self::Yaml];

    fn key(self) -> &'static str {
        match self {
            Self::Details => "",
            Self::Events => "events",
            Self::Logs => "logs",
            Self::Yaml => "yaml",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Details => t("Details"),
            Self::Events => t("Events"),
            Self::Logs => t("Logs"),
            Self::Yaml => t("YAML"),
        }
    }
}

/// How often what depends on the cluster is asked for again.
pub fn pace(live: Live) -> Signal<Option<u32>> {
    let pace = Memo::new(move || Some(if live.active.get() { PACES.0 } else { PACES.1 }));
    pace.into()
}

/// The address of this page with the panel of an object; of none, without it.
fn at(object: Option<&ObjectRef>) -> Signal<String> {
    let (address, text) = (Address::get(), object.map(address::text).unwrap_or_default());
    Signal::derive(move || {
        let mut changes = PARTS.map(|part| (part, String::new())).to_vec();
        changes.push((OBJECT, text.clone()));
        address.query.with(|query| changed(&address.path.get(), query, changes))
    })
}

/// The address that opens the panel of an object on this page.
pub fn object_href(object: &ObjectRef) -> Signal<String> {
    at(Some(object))
}

/// An object's badge and its name, which opens its panel.
pub fn object_link(object: &ObjectRef) -> AnyView {
    let href = object_href(object);
    view! {
        <span class="named">
            {kind_badge(&object.kind)} <a class="wrap" href=href>
                {object.name.clone()}
            </a>
        </span>
    }
    .into_any()
}

/// The panel; nothing while the address names no object.
pub fn object_panel(release: ReleaseKey, live: Live) -> AnyView {
    let text = query_value(OBJECT);
    let object = Memo::new(move || address::parse(&text.get()));
    let is_open = Memo::new(move || object.with(Option::is_some));
    let panel = move || {
        let release = release.clone();
        lazy_behind(|| ().into_any(), || Box::pin(panel()), move |draw| draw(release.clone(), live, object))
    };
    dynamic(move || is_open.get().then(&panel))
}

/// Draws the panel of an object.
type DrawPanel = fn(ReleaseKey, Live, Memo<Option<ObjectRef>>) -> AnyView;

/// The panel is loaded when it is first opened.
#[wasm_split(object, wasm_split_path = leptos::wasm_split, fallible)]
fn panel() -> Part<DrawPanel> {
    Ok(dialog)
}

fn dialog(release: ReleaseKey, live: Live, object: Memo<Option<ObjectRef>>) -> AnyView {
    let node = NodeRef::<html::Dialog>::new();
    let (address, closed) = (Address::get(), at(None));
    open_dialog(node);
    // What lies beside the panel is its backdrop, and belongs to the dialog itself.
    let on_click = move |event: ev::MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlDialogElement>().ok());
        if target.is_some() {
            close_dialog();
        }
    };
    view! {
        <dialog
            class="panel object-panel"
            node_ref=node
            aria-labelledby="object-title"
            on:click=on_click
            on:close=move |_: ev::Event| {
                if object.with_untracked(Option::is_some) {
                    address.go(&closed.get_untracked());
                }
            }
        >
            <div class="object-frame">
                {dynamic(move || object.get().map(|object| content(release.clone(), live, object)))}
            </div>
        </dialog>
    }
    .into_any()
}

fn content(release: ReleaseKey, live: Live, object: ObjectRef) -> AnyView {
    let detail = {
        let (release, object) = (release.clone(), object.clone());
        refresh(pace(live), move || client().object(release.clone(), object.clone()))
    };
    let has_pods = logs::has_pods(&object.kind);
    let pods = {
        let release = release.clone();
        let paces = pace(live);
        let pace = Signal::derive(move || paces.get().filter(|_| has_pods));
        // Only a workload's panel asks for pods.
        has_pods.then(|| refresh(pace, move || client().pods(release.clone())))
    };
    let look = query_value(LOOK);
    let look = Memo::new(move || {
        let is_chosen = |one: &Look| look.with(|look| look == one.key()) && (has_pods || *one != Look::Logs);
        Look::ALL.into_iter().find(is_chosen).unwrap_or(Look::Details)
    });
    let kind = match &object.namespace {
        Some(namespace) => say("{kind} in {namespace}", &[("kind", &object.kind), ("namespace", namespace)]),
        None => object.kind.clone(),
    };
    let of = object.clone();
    let body = move || view_of(look.get(), &release, &of, detail, pods);
    view! {
        <header class="panel-head">
            {kind_badge(&object.kind)}
            <div class="object-name">
                <h2 class="pf-v6-c-title pf-m-h2 wrap" id="object-title">
                    {object.name.clone()}
                </h2>
                <p class="note">{kind}</p>
            </div>
            {close_button()}
        </header>
        {looks(look, has_pods)}
        <div class="object-body">{refresh_trouble(detail)} {dynamic(body)}</div>
    }
    .into_any()
}

/// Which part of the object is shown.
fn looks(look: Memo<Look>, has_pods: bool) -> AnyView {
    let set = query_setter();
    let items = Look::ALL
        .into_iter()
        .filter(|one| has_pods || *one != Look::Logs)
        .map(|one| {
            let is_here = move || look.get() == one;
            let class = Signal::derive(move || {
                if is_here() { "pf-v6-c-tabs__item pf-m-current" } else { "pf-v6-c-tabs__item" }
            });
            view! {
                <li class=class>
                    <button
                        type="button"
                        class="pf-v6-c-tabs__link"
                        aria-current=Signal::derive(move || is_here().then_some("true"))
                        on:click=move |_| set.run(vec![(LOOK, one.key().to_owned())])
                    >
                        <span class="pf-v6-c-tabs__item-text">{one.title()}</span>
                    </button>
                </li>
            }
        })
        .views();
    view! {
        <nav class="pf-v6-c-tabs release-tabs object-tabs" aria-label=t("Object")>
            <ul class="pf-v6-c-tabs__list" role="list">
                {items}
            </ul>
        </nav>
    }
    .into_any()
}

fn view_of(
    look: Look,
    release: &ReleaseKey,
    object: &ObjectRef,
    detail: Fetched<ObjectDetail>,
    pods: Option<Fetched<PodList>>,
) -> AnyView {
    match (look, pods) {
        // The log of a pod may be there when the object itself cannot be read.
        (Look::Logs, Some(pods)) => logs::logs(release, object, pods),
        (Look::Events, _) => shown(detail, || skeleton_lines(6), move || events::events(detail)),
        (Look::Yaml, _) => shown(detail, || skeleton_lines(12), move || yaml(detail)),
        _ => {
            let object = object.clone();
            shown(detail, || skeleton_lines(6), move || details::details(&object, detail, pods))
        }
    }
}

/// The object as it is in the cluster. What is secret is covered until it is asked for.
fn yaml(detail: Fetched<ObjectDetail>) -> AnyView {
    let part = move |of: fn(&ObjectDetail) -> &str| {
        Memo::new(move || detail.data.with(|it| it.map(|it| of(it).to_owned()).unwrap_or_default()))
    };
    let text = part(|it| &it.yaml);
    let is_sensitive = Memo::new(move || detail.data.with(|it| it.is_some_and(|it| it.is_sensitive)));
    let is_revealed = RwSignal::new(false);
    dynamic(move || {
        if is_sensitive.get() && !is_revealed.get() {
            return view! {
                <Alert tone=Tone::Neutral title=t("This object holds secrets")>
                    <p>{t("Anybody who sees your screen will see them.")}</p>
                    {button(
                        "pf-v6-c-button pf-m-secondary pf-m-small",
                        t("Reveal values"),
                        move || is_revealed.set(true),
                    )}
                </Alert>
            }
            .into_any();
        }
        view! {
            <div class="list-tools">
                <span class="note">{t("Without its managed fields")}</span>
                <CopyButton text />
            </div>
            <pre class="text object-yaml" tabindex="0" role="region" aria-label=t("YAML")>
                {dynamic(move || text.get())}
            </pre>
        }
        .into_any()
    })
}

/// Says that what is shown could not be asked for again. That the connection is lost the page says itself.
pub fn refresh_trouble<T: Send + Sync + 'static>(fetched: Fetched<T>) -> AnyView {
    use crate::model::ApiError;
    let error = fetched.error;
    let has_data = Memo::new(move || fetched.data.is_some());
    trouble(
        has_data,
        Signal::derive(move || {
            error
                .get()
                .filter(|error| !matches!(error, ApiError::Unreachable { .. }))
                .map(|error| told(&error.to_string()))
        }),
    )
}

fn trouble(has_data: Memo<bool>, text: Signal<Option<String>>) -> AnyView {
    dynamic(move || {
        text.get().filter(|_| has_data.get()).map(|text| {
            view! {
                <Alert tone=Tone::Warning title=t("This may be out of date")>
                    <p>{text}</p>
                </Alert>
            }
        })
    })
}
