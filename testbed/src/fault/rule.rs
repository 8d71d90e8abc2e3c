//! Which requests a fault befalls, how often, and what it does to them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::{HeaderMap, Method, Uri, header};
use regex::Regex;
use tokio::sync::watch;

use super::{Answer, WatchFault};
use crate::Error;

/// What can happen to a request.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Effect {
    /// It never reaches the API server: this is the answer.
    Answer(Answer),
    /// It is not answered before the rule is removed; then it goes on its way.
    Hang,
    /// The connection is accepted, and nothing is said on it before the rule is removed, not even a TLS handshake. The
    /// matcher is not asked: there is no request yet.
    HangHandshake,
    /// It reaches the API server this much later.
    Delay(Duration),
    /// It reaches the API server, which does as asked; the connection is reset in place of the answer.
    LoseAnswer,
    /// The connection is reset after this many bytes of the answer's body.
    Reset {
        /// How many bytes reach the client. A body that is shorter arrives whole, and its connection is reset.
        after: u64,
    },
    /// The stream of a watch is not what the API server sent. Other requests pass unchanged.
    Watch(WatchFault),
}

/// How many of the requests that match a fault befalls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// The first so many.
    First(u64),
    /// All of them.
    Always,
    /// One in so many, by chance; the same ones for the same seed.
    OneIn(u32, u64),
}

/// Which requests a rule is about. Each condition narrows it further.
#[derive(Debug, Clone, Default)]
pub struct Matcher {
    kind: Kind,
    method: Option<Method>,
    path: Option<String>,
    pattern: Option<Regex>,
    agent: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Any,
    Read,
    Write,
    Watch,
}

impl Matcher {
    /// Every request.
    pub fn any() -> Self {
        Self::default()
    }

    /// Requests that store nothing, watches among them. Reviews of rights are reads, although they are posted.
    pub fn reads() -> Self {
        Self { kind: Kind::Read, ..Self::default() }
    }

    /// Requests that create, change or delete objects.
    pub fn writes() -> Self {
        Self { kind: Kind::Write, ..Self::default() }
    }

    /// Watches.
    pub fn watches() -> Self {
        Self { kind: Kind::Watch, ..Self::default() }
    }

    /// With this method only.
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        self.method = Some(method);
        self
    }

    /// Only if the path, with its query, contains this.
    #[must_use]
    pub fn path(mut self, part: impl Into<String>) -> Self {
        self.path = Some(part.into());
        self
    }

    /// Only if this regular expression is found in the path with its query.
    pub fn path_like(mut self, pattern: &str) -> Result<Self, Error> {
        self.pattern = Some(Regex::new(pattern).map_err(|error| Error::Rule(error.to_string()))?);
        Ok(self)
    }

    /// Only if the client's name for itself contains this, such as `Helm/`.
    #[must_use]
    pub fn agent(mut self, part: impl Into<String>) -> Self {
        self.agent = Some(part.into());
        self
    }

    fn matches(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> bool {
        let path = uri.path_and_query().map_or("", |path| path.as_str());
        let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
        let kind = match self.kind {
            Kind::Any => true,
            Kind::Read => !is_write(method, uri),
            Kind::Write => is_write(method, uri),
            Kind::Watch => is_watch(uri),
        };
        kind && self.method.as_ref().is_none_or(|wanted| wanted == method)
            && self.path.as_ref().is_none_or(|part| path.contains(part.as_str()))
            && self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(path))
            && self.agent.as_ref().is_none_or(|part| agent.contains(part.as_str()))
    }
}

fn is_write(method: &Method, uri: &Uri) -> bool {
    let stores_nothing = ["/apis/authorization.k8s.io/", "/apis/authentication.k8s.io/"];
    let changes = [Method::POST, Method::PUT, Method::PATCH, Method::DELETE].contains(method);
    changes && !stores_nothing.iter().any(|group| uri.path().starts_with(group))
}

/// Whether a request asks for a stream of events.
pub(super) fn is_watch(uri: &Uri) -> bool {
    uri.query().is_some_and(|query| query.split('&').any(|pair| pair == "watch=true" || pair == "watch=1"))
}

/// A fault that was added to a proxy.
#[derive(Debug, Clone)]
pub struct Rule(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    matcher: Matcher,
    effect: Effect,
    left: Mutex<Left>,
    hits: watch::Sender<u64>,
    removed: watch::Sender<bool>,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Debug)]
enum Left {
    Some(u64),
    Always,
    OneIn(u32, fastrand::Rng),
}

impl From<Times> for Left {
    fn from(times: Times) -> Self {
        match times {
            Times::First(count) => Self::Some(count),
            Times::Always => Self::Always,
            Times::OneIn(count, seed) => Self::OneIn(count.max(1), fastrand::Rng::with_seed(seed)),
        }
    }
}

impl Left {
    /// Whether the fault befalls the next request that matches.
    fn take(&mut self) -> bool {
        match self {
            Self::Some(0) => false,
            Self::Some(left) => {
                *left -= 1;
                true
            }
            Self::Always => true,
            Self::OneIn(count, random) => random.u32(..*count) == 0,
        }
    }
}

impl Rule {
    pub(super) fn new(matcher: Matcher, times: Times, effect: Effect) -> Self {
        let (hits, removed) = (watch::Sender::new(0), watch::Sender::new(false));
        Self(Arc::new(Inner { matcher, effect, left: Mutex::new(times.into()), hits, removed }))
    }

    pub(super) fn effect(&self) -> &Effect {
        &self.0.effect
    }

    /// Whether it befalls this request, which then counts.
    pub(super) fn takes_request(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> bool {
        let possible = match self.effect() {
            Effect::HangHandshake => false,
            Effect::Watch(_) => is_watch(uri),
            _ => true,
        };
        possible && self.0.matcher.matches(method, uri, headers) && self.take()
    }

    /// Whether it befalls a new connection, which then counts.
    pub(super) fn takes_connection(&self) -> bool {
        matches!(self.effect(), Effect::HangHandshake) && self.take()
    }

    fn take(&self) -> bool {
        self.0.left.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// It took effect.
    pub(super) fn hit(&self) {
        self.0.hits.send_modify(|hits| *hits += 1);
    }

    pub(super) fn hits(&self) -> u64 {
        *self.0.hits.borrow()
    }

    pub(super) async fn until_hit(&self, count: u64) {
        // It cannot fail: the sender lives as long as we do.
        let _ = self.0.hits.subscribe().wait_for(|hits| *hits >= count).await;
    }

    pub(super) fn release(&self) {
        self.0.removed.send_replace(true);
    }

    pub(super) async fn until_removed(&self) {
        let _ = self.0.removed.subscribe().wait_for(|removed| *removed).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(matcher: &Matcher, method: &Method, path: &str, agent: &str) -> bool {
        let headers = [(header::USER_AGENT, agent.parse().expect("a header"))].into_iter().collect();
        matcher.matches(method, &path.parse().expect("a path"), &headers)
    }

    #[test]
    fn a_matcher_matches_what_it_is_about() {
        const SECRETS: &str = "/api/v1/namespaces/demo/secrets";
        const REVIEW: &str = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
        let like = |pattern| Matcher::any().path_like(pattern).expect("a pattern");
        for (matcher, method, path, expected) in [
            (Matcher::any(), Method::GET, SECRETS, true),
            (Matcher::writes(), Method::GET, SECRETS, false),
            (Matcher::writes(), Method::POST, SECRETS, true),
            (Matcher::writes(), Method::DELETE, SECRETS, true),
            (Matcher::writes(), Method::POST, REVIEW, false),
            (Matcher::reads(), Method::POST, REVIEW, true),
            (Matcher::reads(), Method::GET, SECRETS, true),
            (Matcher::watches(), Method::GET, SECRETS, false),
            (Matcher::watches(), Method::GET, &format!("{SECRETS}?limit=1&watch=true"), true),
            (Matcher::watches(), Method::GET, &format!("{SECRETS}?labelSelector=watch%3Dtrue"), false),
            (Matcher::any().method(Method::PUT), Method::POST, SECRETS, false),
            (Matcher::any().path("/secrets"), Method::GET, SECRETS, true),
            (Matcher::any().path("/pods"), Method::GET, SECRETS, false),
            (like("demo/secrets$"), Method::GET, SECRETS, true),
            (like("^/secrets"), Method::GET, SECRETS, false),
            (Matcher::any().agent("Helm/"), Method::GET, SECRETS, true),
            (Matcher::any().agent("kubectl"), Method::GET, SECRETS, false),
            (Matcher::writes().path("/secrets").agent("kubectl"), Method::POST, SECRETS, false),
        ] {
            let matched = matches(&matcher, &method, path, "Helm/4.3.1");
            assert_eq!(matched, expected, "{matcher:?} {method} {path}");
        }
        assert!(Matcher::any().path_like("(").is_err());
    }

    #[test]
    fn times_count() {
        let taken = |times: Times| {
            let mut left = Left::from(times);
            (0..100).map(|_| left.take()).collect::<Vec<_>>()
        };
        let count = |taken: &[bool]| taken.iter().filter(|one| **one).count();
        assert_eq!(count(&taken(Times::Always)), 100);
        assert_eq!(count(&taken(Times::First(0))), 0);
        assert_eq!(taken(Times::First(2))[..3], [true, true, false]);
        assert_eq!(taken(Times::OneIn(4, 7)), taken(Times::OneIn(4, 7)));
        assert!((10..45).contains(&count(&taken(Times::OneIn(4, 7)))));
        assert_ne!(taken(Times::OneIn(4, 7)), taken(Times::OneIn(4, 8)));
    }

    #[test]
    fn a_rule_takes_what_it_can_have_an_effect_on() {
        let takes = |effect: Effect, path: &str| {
            let rule = Rule::new(Matcher::any(), Times::Always, effect);
            let path = path.parse().expect("a path");
            (rule.takes_connection(), rule.takes_request(&Method::GET, &path, &HeaderMap::new()))
        };
        assert_eq!(takes(Effect::HangHandshake, "/version"), (true, false));
        assert_eq!(takes(Effect::Hang, "/version"), (false, true));
        assert_eq!(takes(Effect::Watch(WatchFault::Double), "/api/v1/pods"), (false, false));
        assert_eq!(takes(Effect::Watch(WatchFault::Double), "/api/v1/pods?watch=1"), (false, true));
    }
}
