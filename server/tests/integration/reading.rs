//! That releases are seen as they are: by watch, with the rights that there are, whatever is in them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::model::{
    ApiError, Detail, Health, Operation, OperationId, OperationKind, OperationOptions, OperationState, Phase,
    RecordStatus, ReleaseKey, ReleaseList, ReleaseView,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::api::{Api, DeleteParams, PostParams};
use serde_json::{Value, json};
use server::clock::cluster::Clock;
use server::kube::{Target, connect};
use server::releases::feed::OperationsFeed;
use server::releases::{Releases, Scope};
use testbed::HelmVersion;
use tokio::sync::watch;

use crate::cluster::{chart, cluster, helm, text};

/// Operations that a test makes up.
#[derive(Default)]
struct FakeOperations {
    operations: Mutex<Vec<Arc<Operation>>>,
    changes: watch::Sender<u64>,
}

impl FakeOperations {
    fn set(&self, operations: Vec<Operation>) {
        *self.operations.lock().unwrap() = operations.into_iter().map(Arc::new).collect();
        self.changes.send_modify(|counter| *counter += 1);
    }
}

impl OperationsFeed for FakeOperations {
    fn latest(&self, key: &ReleaseKey) -> Option<Arc<Operation>> {
        self.all_latest(None).into_iter().find(|operation| operation.release == *key)
    }

    fn all_latest(&self, namespace: Option<&str>) -> Vec<Arc<Operation>> {
        let operations = self.operations.lock().unwrap().clone();
        let is_in = |it: &Arc<Operation>| namespace.is_none_or(|namespace| it.release.namespace == namespace);
        operations.into_iter().filter(is_in).collect()
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

async fn releases_as(user: &str, scope: Scope, operations: Arc<FakeOperations>) -> Releases {
    let kubeconfig = Some(cluster().await.kubeconfig(user));
    let client = connect(&Target { kubeconfig, context: None }, &Clock::default()).await.unwrap();
    Releases::start(client, Clock::default(), scope, operations)
}

async fn releases() -> Releases {
    releases_as("admin", Scope::Cluster, Arc::default()).await
}

async fn namespace() -> String {
    cluster().await.create_namespace(None).await.unwrap()
}

async fn in_time<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(180), future).await.unwrap_or_else(|_| panic!("in time: {what}"))
}

/// Polls as a page does until the view is `wanted`. Checks on the way that an answer before its time is a new one.
async fn view_until(
    releases: &Releases,
    key: &ReleaseKey,
    wanted: impl Fn(&ReleaseView) -> bool,
) -> ReleaseView {
    let mut view = releases.view(key, None).await.unwrap();
    let mut seen = String::new();
    let polled = async {
        while !wanted(&view) {
            seen = format!("{} {:?} {:?}", view.phase.words(), view.progress, view.resources_error);
            view = releases.view(key, Some(&view.version)).await.unwrap();
        }
    };
    if tokio::time::timeout(Duration::from_secs(180), polled).await.is_err() {
        panic!("{key} stayed {seen}");
    }
    view
}

async fn list_until(
    releases: &Releases,
    namespace: &str,
    wanted: impl Fn(&ReleaseList) -> bool,
) -> ReleaseList {
    let mut list = releases.list(Some(namespace), None, None).await.unwrap();
    in_time("the list", async {
        while !wanted(&list) {
            list = releases.list(Some(namespace), None, Some(&list.version)).await.unwrap();
        }
        list
    })
    .await
}

fn is_ready(view: &ReleaseView) -> bool {
    view.phase == Phase::Deployed
        && view.progress.as_ref().is_some_and(|it| it.total > 0 && it.percent() == 100)
}

fn known(detail: &Detail) -> bool {
    detail.summary().is_some()
}

/// Writes a record as helm would, with this content.
async fn write_record(key: &ReleaseKey, payload: String) {
    let secrets: Api<Secret> =
        Api::namespaced(cluster().await.client("admin").await.unwrap(), &key.namespace);
    let secret = serde_json::from_value(json!({
        "metadata": {
            "name": format!("sh.helm.release.v1.{}.v1", key.name),
            "labels": {"owner": "helm", "name": key.name, "status": "deployed", "version": "1"},
        },
        "type": "helm.sh/release.v1",
        "stringData": {"release": payload},
    }));
    secrets.create(&PostParams::default(), &secret.unwrap()).await.unwrap();
}

fn payload(json: &Value) -> String {
    STANDARD.encode(json.to_string())
}

#[tokio::test]
async fn a_release_is_seen_from_install_to_uninstall_without_being_asked_for() {
    for version in [HelmVersion::V3, HelmVersion::V4] {
        let (namespace, releases) = (namespace().await, releases().await);
        let key = ReleaseKey::new(&namespace, "web");
        let (first, second) = (chart("web-1.0.0.tgz").await, chart("web-1.1.0.tgz").await);
        let empty = releases.list(Some(&namespace), None, None).await.unwrap();
        assert!(empty.releases.is_empty() && empty.warnings.is_empty());
        assert_eq!(releases.view(&key, None).await.unwrap().phase, Phase::NotFound);

        let held = releases.list(Some(&namespace), None, Some(&empty.version));
        let arguments = ["install", "web", text(&first), "--set", "replicas=3"];
        let install = helm(version, &namespace, &arguments);
        let (list, ()) = in_time("the install", futures::future::join(held, install)).await;
        assert_eq!(list.unwrap().releases[0].key, key);

        let view = view_until(&releases, &key, is_ready).await;
        let record = view.record.as_ref().unwrap();
        assert_eq!((record.revision, record.status), (1, RecordStatus::Deployed));
        assert_eq!(record.detail.summary().unwrap().chart_version.as_deref(), Some("1.0.0"));
        let deployment = view.resources.iter().find(|it| it.object.kind == "Deployment").unwrap();
        assert_eq!(deployment.message, "3 of 3 replicas ready");
        assert_eq!((deployment.source.as_str(), view.resources_error.as_deref()), ("web", None));

        helm(version, &namespace, &["upgrade", "web", text(&second), "--set", "replicas=1"]).await;
        let view = view_until(&releases, &key, |view| {
            is_ready(view)
                && view.record.as_ref().is_some_and(|record| record.revision == 2 && known(&record.detail))
        })
        .await;
        let deployment = view.resources.iter().find(|it| it.object.kind == "Deployment").unwrap();
        assert_eq!(deployment.message, "1 of 1 replica ready");
        let list = list_until(&releases, &namespace, |list| known(&list.releases[0].detail)).await;
        let row = &list.releases[0];
        assert_eq!((row.revision, row.phase.clone()), (Some(2), Phase::Deployed));
        assert_eq!(row.detail.summary().unwrap().chart_version.as_deref(), Some("1.1.0"));

        let history = releases.history(&key).await.unwrap();
        let told: Vec<_> = history
            .iter()
            .map(|it| (it.record.revision, it.record.status, known(&it.record.detail)))
            .collect();
        assert_eq!(told, [(2, RecordStatus::Deployed, true), (1, RecordStatus::Superseded, true)]);
        let values = releases.values(&key, Some(1)).await.unwrap();
        assert_eq!((values.revision, values.user.as_str()), (1, "replicas: 3\n"));
        assert!(
            values.computed.contains("replicas: 3\n") && values.computed.contains("port: 80\n"),
            "{values:?}"
        );
        assert_eq!(releases.values(&key, None).await.unwrap().user, "replicas: 1\n");
        assert!(releases.manifest(&key, None).await.unwrap().manifest.contains("# Source: web/templates/"));
        assert!(releases.notes(&key, Some(2)).await.unwrap().contains("kubectl port-forward"));
        let missing = releases.values(&key, Some(9)).await.unwrap_err();
        assert!(
            matches!(&missing, ApiError::NotFound { what } if what.contains("Revision 9")),
            "{missing:?}"
        );

        helm(version, &namespace, &["uninstall", "web"]).await;
        let gone = view_until(&releases, &key, |view| view.phase == Phase::NotFound).await;
        assert!(gone.resources.is_empty() && gone.record.is_none());
        list_until(&releases, &namespace, |list| list.releases.is_empty()).await;
    }
}

#[tokio::test]
async fn a_large_release_becomes_ready_step_by_step() {
    let (namespace, releases) = (namespace().await, releases().await);
    let key = ReleaseKey::new(&namespace, "shop");
    let platform = chart("platform-2026.2.0.tgz").await;
    let arguments = ["install", "shop", text(&platform), "--set", "global.startup.seconds=5"];
    let install = helm(HelmVersion::V3, &namespace, &arguments);
    let watched = async {
        let applying = view_until(&releases, &key, |view| {
            view.resources.iter().any(|it| it.health == Health::Progressing)
        })
        .await;
        assert!(applying.progress.unwrap().percent() < 100);
        view_until(&releases, &key, is_ready).await
    };
    let (view, ()) = in_time("the platform", futures::future::join(watched, install)).await;
    let progress = view.progress.unwrap();
    assert!(
        progress.total > 200 && progress.groups.len() > 40,
        "{} in {}",
        progress.total,
        progress.groups.len()
    );
    assert!(progress.groups.iter().all(|group| group.source.starts_with("platform")));
    let unknown: Vec<_> = view.resources.iter().filter(|it| it.health == Health::Unknown).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let hooks: Vec<_> = view.resources.iter().filter(|it| !it.hooks.is_empty()).collect();
    assert!(!hooks.is_empty());
}

#[tokio::test]
async fn all_who_look_at_a_release_get_the_same_state_and_it_is_held_until_it_changes() {
    let (namespace, releases) = (namespace().await, releases().await);
    let key = ReleaseKey::new(&namespace, "web");
    write_record(
        &key,
        payload(&json!({"manifest": "kind: ConfigMap\napiVersion: v1\nmetadata: {name: c}\n"})),
    )
    .await;
    let first = view_until(&releases, &key, |view| {
        view.record.as_ref().is_some_and(|record| known(&record.detail))
            && view.resources.iter().any(|it| it.health == Health::Missing)
    })
    .await;
    let second = releases.view(&key, None).await.unwrap();
    assert_eq!(first.version, second.version);

    let maps: Api<ConfigMap> = Api::namespaced(cluster().await.client("admin").await.unwrap(), &namespace);
    let map = serde_json::from_value(json!({"metadata": {"name": "c"}})).unwrap();
    let held = futures::future::join(
        releases.view(&key, Some(&first.version)),
        releases.view(&key, Some(&first.version)),
    );
    let created = async { maps.create(&PostParams::default(), &map).await.unwrap() };
    let ((one, other), _) = in_time("the change", futures::future::join(held, created)).await;
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!((&one.version, one.resources[0].health), (&other.version, Health::Ready));
    assert_ne!(one.version, first.version);

    let stranger = app::model::Version("of-another-server".into());
    assert_eq!(releases.view(&key, Some(&stranger)).await.unwrap().version, one.version, "answered at once");
}

#[tokio::test]
async fn what_cannot_be_read_costs_itself_alone() {
    let (namespace, releases) = (namespace().await, releases().await);
    let [broken, odd] = ["broken", "odd"].map(|name| ReleaseKey::new(&namespace, name));
    write_record(&broken, "not base64!".into()).await;
    let manifest = "kind: Gadget\napiVersion: example.org/v1\nmetadata: {name: g}\n---\n\
                    kind: Widget\napiVersion: v1\nmetadata: {name: w}\n---\n\
                    kind: ServiceAccount\napiVersion: v1\nmetadata: {name: default}\n---\n\
                    kind: ClusterRole\napiVersion: rbac.authorization.k8s.io/v1\nmetadata: {name: view}\n---\n\
                    kind: TokenReview\napiVersion: authentication.k8s.io/v1\nmetadata: {name: t}\n---\nkind: [\n";
    write_record(&odd, payload(&json!({"manifest": manifest, "chart": {"metadata": {"name": "odd"}}}))).await;

    let list = list_until(&releases, &namespace, |list| {
        list.releases.len() == 2 && list.releases.iter().all(|row| row.detail != Detail::Loading)
    })
    .await;
    let reason = Detail::Unreadable { reason: "The record is damaged: it is not base64.".into() };
    assert_eq!(list.releases[0].detail, reason);
    assert_eq!(list.releases[1].detail.summary().unwrap().chart.as_deref(), Some("odd"));

    let view = view_until(&releases, &odd, |view| view.resources.len() == 5).await;
    let told: Vec<_> =
        view.resources.iter().map(|it| (it.object.kind.as_str(), it.health, it.message.as_str())).collect();
    assert_eq!(
        told,
        [
            ("Gadget", Health::Unknown, "The cluster does not know the kind Gadget of example.org/v1"),
            ("Widget", Health::Unknown, "The cluster does not know the kind Widget of v1"),
            ("ServiceAccount", Health::Ready, "Exists"),
            ("ClusterRole", Health::Ready, "Exists"),
            ("TokenReview", Health::Unknown, "Objects of this kind cannot be read"),
        ]
    );
    assert_eq!(view.resources[3].object.namespace, None);
    assert_eq!(view.resources_error.as_deref(), Some("One document of the manifest cannot be read."));
    let view = view_until(&releases, &broken, |view| view.resources_error.is_some()).await;
    assert_eq!(view.resources_error.as_deref(), Some("The record is damaged: it is not base64."));
    assert!(releases.values(&broken, None).await.is_err());
}

#[tokio::test]
async fn an_identity_with_one_namespace_sees_that_one_and_is_told_of_the_rest() {
    let (own, other) = (namespace().await, namespace().await);
    cluster().await.grant_edit("editor", &own).await.unwrap();
    let manifest = "kind: ConfigMap\napiVersion: v1\nmetadata: {name: kube-root-ca.crt}\n---\n\
                    kind: ClusterRole\napiVersion: rbac.authorization.k8s.io/v1\nmetadata: {name: view}\n";
    for namespace in [&own, &other] {
        write_record(&ReleaseKey::new(namespace, "web"), payload(&json!({"manifest": manifest}))).await;
    }
    let releases = releases_as("editor", Scope::Cluster, Arc::default()).await;
    let all = releases.list(None, None, None).await.unwrap();
    assert!(releases.ready() && all.releases.is_empty());
    assert!(all.warnings[0].contains("Choose one by its name"), "{:?}", all.warnings);

    let mine = releases.list(Some(&own), None, None).await.unwrap();
    assert_eq!((mine.releases.len(), mine.warnings.len()), (1, 0));
    let not_mine = releases.list(Some(&other), None, None).await.unwrap();
    assert!(not_mine.releases.is_empty() && not_mine.warnings[0].contains(&other), "{:?}", not_mine.warnings);

    let view = view_until(&releases, &ReleaseKey::new(&own, "web"), |view| view.resources.len() == 2).await;
    let told: Vec<_> = view.resources.iter().map(|it| (it.health, it.message.as_str())).collect();
    assert_eq!(
        told,
        [(Health::Ready, "Exists"), (Health::Unknown, "Slipway may not read ClusterRole objects")]
    );
    let refused = releases.view(&ReleaseKey::new(&other, "web"), None).await.unwrap_err();
    assert!(matches!(refused, ApiError::Forbidden { .. }), "{refused:?}");
}

#[tokio::test]
async fn an_identity_with_nothing_is_ready_to_say_so() {
    let releases = releases_as("nobody", Scope::Cluster, Arc::default()).await;
    let list = in_time("an answer", releases.list(None, None, None)).await.unwrap();
    assert!(releases.ready() && list.releases.is_empty() && list.warnings.len() == 1, "{list:?}");
}

#[tokio::test]
async fn only_the_namespaces_that_are_named_are_followed() {
    let (named, other) = (namespace().await, namespace().await);
    for namespace in [&named, &other] {
        write_record(&ReleaseKey::new(namespace, "web"), payload(&json!({}))).await;
    }
    let releases = releases_as("admin", Scope::Namespaces(vec![named.clone()]), Arc::default()).await;
    let all = releases.list(None, None, None).await.unwrap();
    assert_eq!(
        all.releases.iter().map(|row| row.key.to_string()).collect::<Vec<_>>(),
        [format!("{named}/web")]
    );
    let not_followed = releases.list(Some(&other), None, None).await.unwrap();
    assert_eq!(not_followed.warnings, [format!("Slipway does not follow namespace {other}.")]);
}

#[tokio::test]
async fn the_list_has_only_what_the_user_may_see() {
    let (a, b) = (namespace().await, namespace().await);
    for namespace in [&a, &b] {
        write_record(&ReleaseKey::new(namespace, "web"), payload(&json!({}))).await;
    }
    let releases = releases().await;
    list_until(&releases, &b, |list| list.releases.len() == 1).await;
    assert!(releases.namespaces().is_superset(&BTreeSet::from([a.clone(), b.clone()])));
    let allowed = BTreeSet::from([a.clone()]);
    let list = releases.list(None, Some(&allowed), None).await.unwrap();
    assert_eq!(list.releases.iter().map(|row| &row.key.namespace).collect::<Vec<_>>(), [&a]);
}

#[tokio::test]
async fn an_operation_is_shown_before_it_has_a_record_and_its_word_wins_while_it_is_active() {
    let operations = Arc::<FakeOperations>::default();
    let (namespace, releases) =
        (namespace().await, releases_as("admin", Scope::Cluster, Arc::clone(&operations)).await);
    let key = ReleaseKey::new(&namespace, "web");
    let nothing = releases.view(&key, None).await.unwrap();
    let operation = Operation {
        id: OperationId("op-1".into()),
        kind: OperationKind::Install,
        release: key.clone(),
        chart: None,
        options: OperationOptions::default(),
        requested_by: "ann".into(),
        idempotency_key: None,
        created: nothing.now,
        state: OperationState::Queued,
        max_attempts: 1,
        next_attempt: None,
        attempts: vec![],
        base_revision: None,
        cancel: None,
        again: None,
        outcome: None,
    };
    operations.set(vec![operation.clone()]);
    let view = in_time("the operation", releases.view(&key, Some(&nothing.version))).await.unwrap();
    assert_eq!(
        (view.phase, view.operation.as_ref()),
        (Phase::Queued { kind: OperationKind::Install }, Some(&operation))
    );
    let list = list_until(&releases, &namespace, |list| list.releases.len() == 1).await;
    assert_eq!(list.releases[0].revision, None);

    write_record(&key, payload(&json!({}))).await;
    let view = view_until(&releases, &key, |view| view.record.is_some()).await;
    assert_eq!(view.phase, Phase::Queued { kind: OperationKind::Install });
    operations.set(vec![]);
    view_until(&releases, &key, |view| view.phase == Phase::Deployed).await;
}

#[tokio::test]
async fn a_record_that_is_deleted_by_hand_is_gone() {
    let (namespace, releases) = (namespace().await, releases().await);
    let key = ReleaseKey::new(&namespace, "web");
    write_record(&key, payload(&json!({}))).await;
    list_until(&releases, &namespace, |list| list.releases.len() == 1).await;
    let secrets: Api<Secret> = Api::namespaced(cluster().await.client("admin").await.unwrap(), &namespace);
    secrets.delete("sh.helm.release.v1.web.v1", &DeleteParams::default()).await.unwrap();
    list_until(&releases, &namespace, |list| list.releases.is_empty()).await;
}

#[tokio::test]
async fn a_name_that_no_release_can_have_is_not_found() {
    let releases = releases().await;
    for (namespace, name) in [("default", "../../pods/x"), ("a/b", "web"), ("default", "a,b=c"), ("", "web")]
    {
        let key = ReleaseKey::new(namespace, name);
        assert!(matches!(releases.view(&key, None).await, Err(ApiError::NotFound { .. })), "{key}");
        assert!(matches!(releases.history(&key).await, Err(ApiError::NotFound { .. })), "{key}");
        assert!(matches!(releases.values(&key, Some(1)).await, Err(ApiError::NotFound { .. })), "{key}");
    }
}
