//! With a place for repositories that these tests play.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use app::model::{Credentials, Secured};
use async_trait::async_trait;

use super::*;
use crate::charts::source::RepositorySource;
use crate::clock::cluster::Clock;

/// Repositories of one origin, kept nowhere.
struct FakeSource {
    origin: RepositoryOrigin,
    kept: Mutex<Vec<(Definition, RepositoryCredentials)>>,
    fails: Mutex<Option<ClusterError>>,
}

impl FakeSource {
    fn new(origin: RepositoryOrigin, definitions: Vec<Definition>) -> Arc<Self> {
        let kept = definitions.into_iter().map(|it| (it, RepositoryCredentials::default())).collect();
        Arc::new(Self { origin, kept: Mutex::new(kept), fails: Mutex::default() })
    }
}

#[async_trait]
impl RepositorySource for FakeSource {
    fn origin(&self) -> RepositoryOrigin {
        self.origin
    }

    async fn list(&self, namespace: Option<&str>) -> Result<Vec<Definition>, ClusterError> {
        if let Some(error) = &*self.fails.lock().unwrap() {
            return Err(error.clone());
        }
        let kept = self.kept.lock().unwrap();
        let of = kept.iter().filter(|(known, _)| known.namespace.as_deref() == namespace);
        Ok(of.map(|(known, _)| known.clone()).collect())
    }

    async fn credentials(&self, of: &Definition) -> Result<RepositoryCredentials, ClusterError> {
        let kept = self.kept.lock().unwrap();
        let found = kept.iter().find(|(known, _)| known.name == of.name);
        Ok(found.map(|(_, credentials)| credentials.clone()).unwrap_or_default())
    }

    async fn takes_new(&self) -> bool {
        true
    }

    async fn add(&self, new: &Written) -> Result<(), ClusterError> {
        let mut kept = self.kept.lock().unwrap();
        let revision = kept.len().to_string();
        let mut made = definition(self.origin, &new.spec.name, &new.spec.url, new.spec.namespace.as_deref());
        (made.revision, made.disabled, made.secured) =
            (revision, new.spec.disabled, new.credentials.secured());
        kept.push((made, new.credentials.clone()));
        Ok(())
    }

    async fn change(&self, of: &Definition, new: &Written) -> Result<(), ClusterError> {
        self.remove(of).await?;
        self.add(new).await
    }

    async fn remove(&self, of: &Definition) -> Result<(), ClusterError> {
        let mut kept = self.kept.lock().unwrap();
        let before = kept.len();
        kept.retain(|(known, _)| known != of);
        if kept.len() == before { Err(ClusterError::Conflict(of.name.clone())) } else { Ok(()) }
    }
}

fn definition(origin: RepositoryOrigin, name: &str, url: &str, namespace: Option<&str>) -> Definition {
    Definition {
        origin,
        namespace: namespace.map(str::to_owned),
        name: name.to_owned(),
        address: super::super::source::address(url),
        display_name: None,
        description: None,
        disabled: false,
        secured: Secured::default(),
        revision: String::new(),
    }
}

fn spec(name: &str, url: &str) -> RepositorySpec {
    RepositorySpec {
        origin: RepositoryOrigin::Slipway,
        name: name.into(),
        url: url.into(),
        ..RepositorySpec::default()
    }
}

const AWAY: &str = "https://127.0.0.1:1/charts";

fn own(definitions: Vec<Definition>) -> (Arc<FakeSource>, Charts) {
    let source = FakeSource::new(RepositoryOrigin::Slipway, definitions);
    let charts = Charts::start_with(&[], vec![source.clone()], None, Clock::default()).unwrap();
    (source, charts)
}

async fn names(charts: &Charts, reach: &Reach) -> Vec<String> {
    charts.states(reach).await.0.into_iter().map(|state| state.name).collect()
}

#[tokio::test]
async fn what_is_seen_is_what_is_in_reach_and_one_name_is_one_repository() {
    use RepositoryOrigin::{Cluster, Project, Slipway};
    let secret = Definition {
        secured: Secured { password: true, ..Secured::default() },
        ..definition(Project, "secret", AWAY, Some("demo"))
    };
    let theirs = definition(Project, "theirs", AWAY, Some("web"));
    let sources: [Arc<dyn RepositorySource>; 3] = [
        FakeSource::new(Slipway, vec![definition(Slipway, "stable", AWAY, None)]),
        FakeSource::new(
            Cluster,
            vec![definition(Cluster, "stable", AWAY, None), definition(Cluster, "cluster", AWAY, None)],
        ),
        FakeSource::new(Project, vec![definition(Project, "team", AWAY, Some("demo")), secret, theirs]),
    ];
    let charts = Charts::start_with(&[], sources.into(), None, Clock::default()).unwrap();
    let reach = |cluster: bool, namespace: Option<&str>, secrets: bool| Reach {
        cluster,
        namespaces: namespace.map(|name| (name.to_owned(), secrets)).into_iter().collect(),
        is_partial: false,
    };
    assert_eq!(names(&charts, &reach(false, None, false)).await, ["stable"]);
    assert_eq!(names(&charts, &reach(true, None, false)).await, ["cluster", "stable", "stable"]);
    assert_eq!(names(&charts, &reach(false, Some("demo"), false)).await, ["demo:team", "stable"]);
    let (_, warnings) = charts.states(&reach(false, Some("demo"), false)).await;
    assert!(warnings.iter().any(|words| words.contains("Secrets that you may not read")), "{warnings:?}");
    assert!(charts.states(&reach(false, Some("demo"), true)).await.1.is_empty());
    assert_eq!(
        names(&charts, &reach(false, Some("demo"), true)).await,
        ["demo:secret", "demo:team", "stable"]
    );
    assert_eq!(names(&charts, &reach(false, Some("other"), true)).await, ["stable"]);
    let both = Reach {
        namespaces: [("demo".to_owned(), true), ("web".to_owned(), false)].into(),
        ..Reach::default()
    };
    assert_eq!(names(&charts, &both).await, ["demo:secret", "demo:team", "stable", "web:theirs"]);
    let (states, _) = charts.states(&reach(true, None, false)).await;
    let shadowed: HashMap<_, _> = states.iter().map(|it| (it.origin, it.error.is_some())).collect();
    assert_eq!((shadowed[&Slipway], states.iter().filter(|it| it.error.is_some()).count()), (false, 1));
    for hidden in ["cluster", "demo:team"] {
        let found = charts.set_up(&reach(false, None, false), hidden).await;
        assert!(matches!(found, Err(ApiError::NotFound { .. })), "{hidden}");
    }
}

#[tokio::test]
async fn a_change_of_something_else_keeps_the_part_of_an_address_that_is_not_shown() {
    let token = format!("{AWAY}?token=secret");
    let (source, charts) = own(vec![definition(RepositoryOrigin::Slipway, "stable", &token, None)]);
    let reach = Reach::default();
    let address = || source.kept.lock().unwrap()[0].0.address.clone().unwrap().to_string();
    let shown = charts.states(&reach).await.0.remove(0).url;
    assert_eq!(shown, AWAY);
    let set_up = charts.set_up(&reach, "stable").await.unwrap();
    let disabled = RepositorySpec { disabled: true, ..spec("stable", &shown) };
    let changed = charts.change_repository(&reach, &set_up, &disabled).await.unwrap();
    assert_eq!((changed.url.as_str(), changed.disabled, address()), (AWAY, true, token));
    let set_up = charts.set_up(&reach, "stable").await.unwrap();
    let other = format!("{AWAY}/other");
    charts.change_repository(&reach, &set_up, &spec("stable", &other)).await.unwrap();
    assert_eq!(address(), other, "another address is taken as it is");
}

#[tokio::test]
async fn credentials_that_are_kept_stay_with_the_server_that_they_were_given_for() {
    let (source, charts) = own(vec![]);
    let reach = Reach::default();
    let user =
        Credentials { username: Some("me".into()), password: Some("x".into()), ..Credentials::default() };
    let secured = RepositorySpec { credentials: Some(user), ..spec("stable", AWAY) };
    let made = charts.add_repository(&reach, &secured).await.unwrap();
    assert!(made.secured.password && !format!("{made:?}").contains("\"x\""));
    let taken = charts.add_repository(&reach, &spec("stable", AWAY)).await;
    assert!(matches!(taken, Err(ApiError::Conflict { .. })), "{taken:?}");
    let set_up = charts.set_up(&reach, "stable").await.unwrap();
    for (url, field) in [
        ("https://evil.example.org/charts", "credentials"),
        ("https://127.0.0.1:2/charts", "credentials"),
        ("http://127.0.0.1:1/charts", "credentials"),
    ] {
        let moved = spec("stable", url);
        for answer in [
            charts.change_repository(&reach, &set_up, &moved).await.map(drop),
            charts.test_repository(&moved, Some(&set_up)).await.map(drop),
        ] {
            match answer {
                Err(ApiError::Invalid { field: named, .. }) => assert_eq!(named.as_deref(), Some(field)),
                other => panic!("{url}: {other:?}"),
            }
        }
    }
    let below = spec("stable", "https://127.0.0.1:1/charts/below");
    assert!(charts.change_repository(&reach, &set_up, &below).await.unwrap().secured.password);
    let kept = source.kept.lock().unwrap()[0].1.clone();
    assert_eq!(kept.password.as_deref(), Some("x"));
    // Somebody else was faster: what was looked at is not what is there.
    let stale = charts.change_repository(&reach, &set_up, &below).await;
    assert!(matches!(stale, Err(ApiError::Conflict { .. })), "{stale:?}");
    let set_up = charts.set_up(&reach, "stable").await.unwrap();
    let open = RepositorySpec { credentials: Some(Credentials::default()), ..spec("stable", AWAY) };
    assert!(!charts.change_repository(&reach, &set_up, &open).await.unwrap().secured.password);
}

#[tokio::test]
async fn credentials_in_the_clear_are_refused() {
    let (_, charts) = own(vec![]);
    let token = Credentials { token: Some("x".into()), ..Credentials::default() };
    let plain = RepositorySpec { credentials: Some(token), ..spec("stable", "http://charts.example.org") };
    match charts.add_repository(&Reach::default(), &plain).await {
        Err(ApiError::Invalid { field, .. }) => assert_eq!(field.as_deref(), Some("url")),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_repository_that_is_disabled_or_removed_is_not_used() {
    let (_, charts) = own(vec![definition(RepositoryOrigin::Slipway, "stable", AWAY, None)]);
    let reach = Reach::default();
    assert_eq!(charts.catalogue(&reach).await.repositories.len(), 1);
    let set_up = charts.set_up(&reach, "stable").await.unwrap();
    let disabled = RepositorySpec { disabled: true, ..spec("stable", AWAY) };
    assert!(charts.change_repository(&reach, &set_up, &disabled).await.unwrap().disabled);
    assert_eq!(charts.catalogue(&reach).await.repositories, []);
    let chart = charts.chart(&reach, ("stable", "web"), None, None).await;
    assert!(matches!(chart, Err(ApiError::NotFound { .. })), "{chart:?}");
    let set_up = charts.set_up(&reach, "stable").await.unwrap();
    charts.remove_repository(&set_up).await.unwrap();
    assert_eq!(names(&charts, &reach).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_place_that_cannot_be_read_is_one_warning_and_one_that_is_not_there_is_none() {
    let (source, charts) = own(vec![definition(RepositoryOrigin::Slipway, "stable", AWAY, None)]);
    for (error, warned) in [
        (ClusterError::NotFound("no such kind".into()), false),
        (ClusterError::Forbidden("me may not list secrets".into()), true),
        (ClusterError::Unreachable("away".into()), true),
    ] {
        *source.fails.lock().unwrap() = Some(error.clone());
        charts.shelf.forget(RepositoryOrigin::Slipway, None);
        let (_, warnings) = charts.states(&Reach::default()).await;
        assert_eq!(warnings.len(), usize::from(warned), "{error}: {warnings:?}");
    }
}
