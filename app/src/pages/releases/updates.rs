//! Newer versions of the charts that releases were made of: asked behind the list, which waits for nothing of it.

use gloo_timers::future::TimeoutFuture;

use crate::client::client;
use crate::client::fetch::{Fetched, fetch};
use crate::client::poll::until_visible;
use crate::model::{ReleaseList, ReleaseRow, ReleaseUpdate, version};
use crate::pages::sorting::places;
use crate::signals::{Memo, effect, task};

/// How long the list must have told of no other version before it is asked, in milliseconds: its rows come to be known a few
/// at a time.
const CALM_MS: u32 = 500;
/// How often it is asked again, in milliseconds: repositories get new versions while nothing happens here.
const AGAIN_MS: u32 = 10 * 60 * 1000;

/// The newer versions that are known of, by namespace and name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Updates(Vec<ReleaseUpdate>);

impl Updates {
    /// Those that the server told, in whatever order.
    pub fn new(all: &[ReleaseUpdate]) -> Self {
        let key = |at: usize| (&all[at].namespace, &all[at].name);
        let places = places(all.len(), &|a, b| key(a).cmp(&key(b)));
        Self(places.into_iter().map(|at| all[at].clone()).collect())
    }

    /// The newer version of a release; none, if it has that one by now.
    pub fn of(&self, row: &ReleaseRow) -> Option<&ReleaseUpdate> {
        let key = (&row.key.namespace, &row.key.name);
        let at = self.0.binary_search_by(|one| (&one.namespace, &one.name).cmp(&key)).ok()?;
        let installed = row.detail.summary()?.chart_version.as_deref()?;
        self.0.get(at).filter(|newer| version::compare(installed, &newer.version).is_lt())
    }
}

/// Asks for the updates of the releases in `list`, and again when the charts of them have changed.
pub fn ask(list: Fetched<ReleaseList>, namespace: Option<String>) -> Fetched<Vec<ReleaseUpdate>> {
    let installed = Memo::new(move || list.data.with(|data| data.map_or(0, |data| print(&data.releases))));
    let client = client();
    let updates = fetch(move || {
        let (calm, ask) = (installed.get() != 0, (client, namespace.clone()));
        Box::pin(async move {
            TimeoutFuture::new(if calm { CALM_MS } else { 0 }).await;
            if calm { ask.0.updates(ask.1).await } else { std::future::pending().await }
        })
    });
    effect(move || {
        task(async move {
            loop {
                TimeoutFuture::new(AGAIN_MS).await;
                until_visible().await;
                updates.retry();
            }
        });
    });
    updates
}

/// A number that is another one when a release came, went, or has another version of its chart (FNV-1a).
fn print(rows: &[ReleaseRow]) -> u64 {
    let mut print: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |text: &str| {
        for byte in text.bytes().chain([0]) {
            print = (print ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for row in rows {
        let version = row.detail.summary().and_then(|summary| summary.chart_version.as_deref());
        for text in [&*row.key.namespace, &*row.key.name, version.unwrap_or_default()] {
            add(text);
        }
    }
    print.max(1)
}
