//! A container's log as the server streams it (server-sent events), put into the lines of a log view. One at a time: each
//! takes one of the few connections that a browser has to a server.

use js_sys::Reflect;
use leptos::prelude::*;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, EventSource, MessageEvent, Response};

use crate::model::ReleaseKey;
use crate::signals::{effect, task};
use crate::ui::address::encode;
use crate::ui::logview::LogLines;
use crate::words::{t, told};

/// How many lines of what was said before are asked for: as many as a page keeps.
const TAIL: &str = "5000";

/// Which log.
#[derive(Clone, PartialEq, Eq)]
pub struct Which {
    /// The pod's namespace.
    pub namespace: String,
    /// The pod.
    pub pod: String,
    /// The container.
    pub container: String,
    /// That of its run before.
    pub previous: bool,
    /// Each line begins with its time.
    pub timestamps: bool,
    /// The container has begun.
    pub is_there: bool,
    /// How often the user has asked again.
    pub again: u32,
}

impl Which {
    fn address(&self, release: &ReleaseKey, tail: Option<&str>, follow: bool) -> String {
        let mut address = [
            "/api/v1/namespaces/",
            &encode(&release.namespace),
            "/releases/",
            &encode(&release.name),
            "/pods/",
            &encode(&self.pod),
            "/log?podNamespace=",
            &encode(&self.namespace),
            "&container=",
            &encode(&self.container),
        ]
        .concat();
        for (is_wanted, part) in [
            (self.previous, "&previous=true"),
            (self.timestamps, "&timestamps=true"),
            (follow && !self.previous, "&follow=true"),
        ] {
            if is_wanted {
                address.push_str(part);
            }
        }
        if let Some(tail) = tail {
            address.push_str("&tail=");
            address.push_str(tail);
        }
        address
    }
}

/// Keeps the log that `which` names in `lines`, for as long as this is shown. `error` says why there is none.
pub fn follow_log(
    release: ReleaseKey,
    which: RwSignal<Option<Which>>,
    lines: LogLines,
    error: RwSignal<Option<String>>,
) {
    effect(move || {
        let Some(which) = which.get() else { return };
        lines.clear();
        error.set(None);
        lines.set_name([&which.pod, " ", &which.container].concat());
        lines.set_source(which.is_there.then(|| which.address(&release, None, false)));
        lines.set_live(false);
        if !which.is_there {
            lines.set_status(t("The container has not started yet."));
            return;
        }
        lines.set_status(t("Connecting…"));
        let address = which.address(&release, Some(TAIL), true);
        let probe = which.address(&release, Some("1"), false);
        let is_live = !which.previous;
        task(async move {
            match Open::new(&address, probe, is_live, lines, error) {
                // It is closed when this future is dropped.
                Ok(_open) => std::future::pending::<()>().await,
                Err(_) => error.set(Some(t("This browser cannot follow a log.").to_owned())),
            }
        });
    });
}

/// A log that is being followed. Dropped, its connection is closed.
struct Open {
    source: EventSource,
    _listeners: [Closure<dyn FnMut(Event)>; 4],
}

impl Drop for Open {
    fn drop(&mut self) {
        self.source.close();
    }
}

impl Open {
    fn new(
        address: &str,
        probe: String,
        is_live: bool,
        lines: LogLines,
        error: RwSignal<Option<String>>,
    ) -> Result<Self, JsValue> {
        let source = EventSource::new(address)?;
        let is_resumable = StoredValue::new(true);
        let opened = move |_: Event| {
            // Without a time to go on from the server begins again.
            if !is_resumable.get_value() {
                lines.clear();
            }
            lines.set_live(is_live);
            lines.set_status("");
        };
        let told_lines = move |event: Event| {
            let Ok(event) = event.dyn_into::<MessageEvent>() else { return };
            is_resumable.set_value(!event.last_event_id().is_empty());
            let mut text = event.data().as_string().unwrap_or_default();
            text.push('\n');
            lines.push(&text);
        };
        let ended = {
            let source = source.clone();
            move |event: Event| {
                source.close();
                lines.set_live(false);
                let why = event.dyn_into::<MessageEvent>().ok().and_then(|event| event.data().as_string());
                let why = why.filter(|why| !why.is_empty());
                lines.set_status(why.map_or_else(|| t("The log has ended.").to_owned(), |why| told(&why)));
            }
        };
        let failed = {
            let source = source.clone();
            move |_: Event| {
                lines.set_live(false);
                if source.ready_state() != EventSource::CLOSED {
                    lines.set_status(t("The connection was lost. Connecting again…"));
                    return;
                }
                lines.set_status("");
                let probe = probe.clone();
                leptos::task::spawn_local(async move {
                    let why = reason(&probe).await;
                    error.try_set(Some(why.unwrap_or_else(|| t("The connection was lost.").to_owned())));
                });
            }
        };
        let listeners: [(&str, Closure<dyn FnMut(Event)>); 4] = [
            ("open", boxed(opened)),
            ("message", boxed(told_lines)),
            ("end", boxed(ended)),
            ("error", boxed(failed)),
        ];
        for (event, listener) in &listeners {
            source.add_event_listener_with_callback(event, listener.as_ref().unchecked_ref())?;
        }
        Ok(Self { source, _listeners: listeners.map(|(_, listener)| listener) })
    }
}

fn boxed(listener: impl FnMut(Event) + 'static) -> Closure<dyn FnMut(Event)> {
    Closure::wrap(Box::new(listener))
}

/// Why the server refuses a log: an event source does not tell.
async fn reason(address: &str) -> Option<String> {
    let response: Response = JsFuture::from(window().fetch_with_str(address)).await.ok()?.dyn_into().ok()?;
    if response.ok() {
        return None;
    }
    let problem = JsFuture::from(response.json().ok()?).await.ok()?;
    Reflect::get(&problem, &"detail".into()).ok()?.as_string().map(|detail| told(&detail))
}
