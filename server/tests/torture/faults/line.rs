//! What befalls requests between helm, or Slipway, and the API server.

use std::time::Duration;

use testbed::{Answer, Effect, Matcher, Rule, Times, WatchFault};

use super::Faults;
use crate::evidence::OPERATIONS;
use crate::plan::Line;

/// For how long a fault waits for the first request that it befalls.
const LIE_IN_WAIT: Duration = Duration::from_secs(30);

impl Faults {
    pub(super) async fn on_helms_line(&self, line: Line, lasts: Duration, seed: u64) -> bool {
        // What matters most is what helm writes; and there may be nothing to write yet.
        let requests =
            if line.is_of_watches() || seed.is_multiple_of(4) { requests(line) } else { Matcher::writes() };
        self.on_the_line(line, requests.agent("Helm/"), lasts, seed).await
    }

    pub(super) async fn on_slipways_line(&self, line: Line, lasts: Duration, seed: u64) -> bool {
        let requests = requests(line);
        // A server watches more than its own records.
        let records = if line.is_of_watches() { requests } else { requests.path(own_records()) };
        self.on_the_line(line, records, lasts, seed).await
    }

    async fn on_the_line(&self, line: Line, on: Matcher, lasts: Duration, seed: u64) -> bool {
        let (times, effect) = effect(line, seed);
        let proxies = self.world.proxies.iter();
        let rules: Vec<Rule> = proxies.map(|proxy| proxy.add(on.clone(), times, effect.clone())).collect();
        let hit =
            self.world.proxies.iter().zip(&rules).map(|(proxy, rule)| Box::pin(proxy.until_hit(rule, 1)));
        tokio::select! {
            _ = tokio::time::timeout(LIE_IN_WAIT, futures::future::select_all(hit)) => {}
            () = self.calm.cancelled() => {}
        }
        self.wait(lasts).await;
        let mut hits = 0;
        for (proxy, rule) in self.world.proxies.iter().zip(&rules) {
            proxy.remove(rule);
            hits += proxy.hits(rule);
        }
        hits > 0
    }
}

/// What is in the address of each request about Slipway's own records and Leases.
fn own_records() -> String {
    format!("/namespaces/{OPERATIONS}/")
}

/// Which requests it befalls.
fn requests(line: Line) -> Matcher {
    match line {
        _ if line.is_of_watches() => Matcher::watches(),
        Line::QuotaConflict | Line::AnswerLost | Line::Late => Matcher::writes(),
        _ => Matcher::any(),
    }
}

fn effect(line: Line, seed: u64) -> (Times, Effect) {
    let watch = |fault| (Times::Always, Effect::Watch(fault));
    let some = Times::OneIn(4, seed);
    match line {
        Line::QuotaConflict => (Times::First(3), Effect::Answer(Answer::quota_conflict("compute"))),
        Line::TooMany => (some, Effect::Answer(Answer::too_many_requests(1))),
        Line::InternalError => {
            (some, Effect::Answer(Answer::internal_error("etcdserver: request timed out")))
        }
        Line::Unavailable => (some, Effect::Answer(Answer::unavailable())),
        Line::Reset => (some, Effect::Reset { after: 40 }),
        Line::AnswerLost => (some, Effect::LoseAnswer),
        Line::Late => (Times::Always, Effect::Delay(Duration::from_secs(2))),
        Line::Hang => (some, Effect::Hang),
        Line::HandshakeHangs => (some, Effect::HangHandshake),
        Line::WatchGone => watch(WatchFault::GoneAfter(2)),
        Line::WatchClosed => watch(WatchFault::CloseAfter(3)),
        Line::WatchDouble => watch(WatchFault::Double),
        Line::WatchSwap => watch(WatchFault::Swap),
        Line::NoBookmarks => watch(WatchFault::DropBookmarks),
    }
}
