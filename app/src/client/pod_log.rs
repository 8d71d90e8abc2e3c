//! A container's log as the server streams it (server-sent events). Each one that is open takes one of the few connections
//! that a browser has to a server: a page has one at most.

use std::rc::Rc;

use js_sys::Reflect;
use leptos::prelude::window;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, EventSource, MessageEvent, RequestInit, RequestRedirect, Response, ResponseType};

use super::session;
use crate::cluster;
use crate::model::ReleaseKey;
use crate::ui::address::encode;

/// How many lines of what was said before are asked for.
const TAIL: &str = "5000";

/// Which log.
#[derive(Clone, PartialEq, Eq)]
pub struct PodLog {
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
}

/// What comes of a log.
pub enum Said {
    /// It is connected: for the first time, or again.
    Connected,
    /// Whole lines; and whether the server goes on after them when the connection is lost.
    Lines(String, bool),
    /// The connection is lost, and being made again.
    Lost,
    /// There is no more, and why.
    End(String),
    /// It cannot be had, and why, where that is known.
    Refused(Option<String>),
    /// Nobody is signed in any longer.
    SignedOut,
    /// There is a session again: it can be asked for anew.
    SignedIn,
}

impl PodLog {
    /// Where all of it is, as a text.
    pub fn address(&self, release: &ReleaseKey) -> String {
        let namespaces = cluster::address("/api/v1/namespaces/");
        let parts = [
            namespaces.as_str(),
            &encode(&release.namespace),
            "/releases/",
            &encode(&release.name),
            "/pods/",
            &encode(&self.pod),
            "/log?podNamespace=",
            &encode(&self.namespace),
            "&container=",
            &encode(&self.container),
            if self.previous { "&previous=true" } else { "" },
            if self.timestamps { "&timestamps=true" } else { "" },
        ];
        parts.concat()
    }

    /// Follows it until what this gives is dropped.
    ///
    /// # Errors
    /// When the browser cannot.
    pub fn open(&self, release: &ReleaseKey, tell: impl Fn(Said) + 'static) -> Result<OpenLog, JsValue> {
        let address = self.address(release);
        let follow = if self.previous { "" } else { "&follow=true" };
        let probe = [&address, "&tail=1"].concat();
        OpenLog::new(&[&address, follow, "&tail=", TAIL].concat(), probe, Rc::new(tell))
    }
}

type Listener = Closure<dyn FnMut(Event)>;

/// A log that is being followed. Dropped, its connection is closed.
pub struct OpenLog {
    source: EventSource,
    _listeners: [Listener; 4],
}

impl Drop for OpenLog {
    fn drop(&mut self) {
        self.source.close();
    }
}

impl OpenLog {
    fn new(address: &str, probe: String, tell: Rc<dyn Fn(Said)>) -> Result<Self, JsValue> {
        let source = EventSource::new(address)?;
        let tells = || Rc::clone(&tell);
        let listeners: [(&str, Listener); 4] = [
            ("open", {
                let tell = tells();
                boxed(move |_| tell(Said::Connected))
            }),
            ("message", {
                let tell = tells();
                boxed(move |event| {
                    let Ok(event) = event.dyn_into::<MessageEvent>() else { return };
                    let mut text = event.data().as_string().unwrap_or_default();
                    text.push('\n');
                    tell(Said::Lines(text, !event.last_event_id().is_empty()));
                })
            }),
            ("end", {
                let (tell, source) = (tells(), source.clone());
                boxed(move |event| {
                    source.close();
                    let why =
                        event.dyn_into::<MessageEvent>().ok().and_then(|event| event.data().as_string());
                    tell(Said::End(why.unwrap_or_default()));
                })
            }),
            ("error", {
                let (tell, source) = (tells(), source.clone());
                boxed(move |_| {
                    if source.ready_state() != EventSource::CLOSED {
                        return tell(Said::Lost);
                    }
                    let (tell, probe) = (Rc::clone(&tell), probe.clone());
                    leptos::task::spawn_local(async move {
                        match reason(&probe).await {
                            Some(Reason::SignedOut) => {
                                session::note_end();
                                tell(Said::SignedOut);
                                session::when_back(Box::new(move || tell(Said::SignedIn)));
                            }
                            Some(Reason::Told(why)) => tell(Said::Refused(Some(why))),
                            None => tell(Said::Refused(None)),
                        }
                    });
                })
            }),
        ];
        for (event, listener) in &listeners {
            source.add_event_listener_with_callback(event, listener.as_ref().unchecked_ref())?;
        }
        Ok(Self { source, _listeners: listeners.map(|(_, listener)| listener) })
    }
}

fn boxed(listener: impl FnMut(Event) + 'static) -> Listener {
    Closure::wrap(Box::new(listener))
}

/// Why a log is refused.
enum Reason {
    SignedOut,
    Told(String),
}

/// Why the server refuses a log: an event source does not tell.
async fn reason(address: &str) -> Option<Reason> {
    let options = RequestInit::new();
    // A proxy sends who is not signed in to its own page.
    options.set_redirect(RequestRedirect::Manual);
    let answer = window().fetch_with_str_and_init(address, &options);
    let response: Response = JsFuture::from(answer).await.ok()?.dyn_into().ok()?;
    if response.status() == 401 || response.type_() == ResponseType::Opaqueredirect {
        return Some(Reason::SignedOut);
    }
    if response.ok() {
        return None;
    }
    let problem = JsFuture::from(response.json().ok()?).await.ok()?;
    Reflect::get(&problem, &"detail".into()).ok()?.as_string().map(Reason::Told)
}
