//! Whose repositories a caller may see, use and change.
//!
//! | set up | seen and used by | changed by |
//! | --- | --- | --- |
//! | in the settings | everybody who uses Slipway | nobody, here |
//! | in a Secret of Slipway's | everybody who uses Slipway | whoever may create, update and delete Secrets in the namespace of its records |
//! | as a `HelmChartRepository` | whoever may list them | whoever may create, update and delete them |
//! | as a `ProjectHelmChartRepository` | whoever may list them in the namespace, and read Secrets there, where it needs any | likewise |
//!
//! Whoever names objects with credentials must be allowed to read them: Slipway would send them to an address that the same
//! caller chooses.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use app::model::{
    ApiError, Catalogue, ChartDetail, ChartSource, Operation, ReleaseKey, ReleaseRow, ReleaseUpdate,
    RepositoryList, RepositoryOrigin, RepositorySpec, RepositoryState, RepositoryTest,
};
use app::port::{Backend, Caller};
use futures::future::join_all;

use super::World;
use crate::charts::updates::Installed;
use crate::charts::{Reach, constraint};
use crate::kube::ClusterError;
use crate::kube::access::Right;
use crate::kube::repositories::openshift::{CONFIG_NAMESPACE, OpenShiftRepositories};
use crate::operations::Sourced;

/// How long the cluster may take to say what a caller may see besides what everybody may.
const ANSWER_WITHIN: Duration = Duration::from_secs(3);
/// How many namespaces' repositories are shown together: each is a list and two questions of the cluster.
const NAMESPACES_MAX: usize = 30;

impl World {
    /// Which repositories the caller may see; those of a namespace, where one is named.
    pub(super) async fn reach(&self, caller: &Caller, namespace: Option<&str>) -> Result<Reach, ApiError> {
        let cluster = right("list", RepositoryOrigin::Cluster, None, "");
        let mut reach = Reach { cluster: self.surely(caller, &cluster).await, ..Reach::default() };
        let Some(namespace) = namespace else { return Ok(reach) };
        app::model::name::check_namespace(namespace)
            .map_err(|words| ApiError::invalid("namespace", words))?;
        reach.namespaces.extend(self.reach_in(caller, namespace.to_owned()).await);
        Ok(reach)
    }

    /// The same; without a namespace those of all namespaces that the caller may see.
    async fn reach_over(&self, caller: &Caller, namespace: Option<&str>) -> Result<Reach, ApiError> {
        let mut reach = self.reach(caller, namespace).await?;
        if namespace.is_some() {
            return Ok(reach);
        }
        let names = match tokio::time::timeout(ANSWER_WITHIN, self.charts.namespaces()).await {
            Ok(Ok(names)) => names.into_iter().collect(),
            // Each may be asked for by itself.
            Ok(Err(ClusterError::Forbidden(_))) => self.namespaces(caller).await.unwrap_or_default(),
            Ok(Err(_)) | Err(_) => Vec::new(),
        };
        reach.is_partial = names.len() > NAMESPACES_MAX;
        let each = names.into_iter().take(NAMESPACES_MAX).map(|name| self.reach_in(caller, name));
        reach.namespaces.extend(join_all(each).await.into_iter().flatten());
        Ok(reach)
    }

    /// Whether the caller may see the repositories of a namespace, and may read Secrets there.
    async fn reach_in(&self, caller: &Caller, namespace: String) -> Option<(String, bool)> {
        let project = right("list", RepositoryOrigin::Project, Some(&namespace), "");
        if self.in_limits(&namespace).is_err() || !self.surely(caller, &project).await {
            return None;
        }
        let may_read = self.surely(caller, &to_read("secrets", &namespace)).await;
        Some((namespace, may_read))
    }

    /// Whether the caller has a right, as far as the cluster says so soon: while it is away, the repositories of the settings
    /// are there all the same.
    async fn surely(&self, caller: &Caller, right: &Right) -> bool {
        let answer = tokio::time::timeout(ANSWER_WITHIN, self.access.allows(caller, right)).await;
        matches!(answer, Ok(Ok(true)))
    }

    /// The same, as needed for the repository of this name: `namespace:name` says which namespace.
    pub(super) async fn reach_of(&self, caller: &Caller, repository: &str) -> Result<Reach, ApiError> {
        let namespace = repository.split_once(':').map(|(namespace, _)| namespace);
        // What is no namespace's name is no repository's either.
        let namespace = namespace.filter(|name| app::model::name::check_namespace(name).is_ok());
        self.reach(caller, namespace).await
    }

    /// Where a chart is looked for that is to be looked into. One from elsewhere is fetched for those alone who may install it.
    pub(super) async fn reach_to(
        &self,
        caller: &Caller,
        namespace: &str,
        chart: &ChartSource,
    ) -> Result<Reach, ApiError> {
        if let ChartSource::Repository { repository, .. } = chart {
            return self.reach_of(caller, repository).await;
        }
        self.may_install(caller, namespace).await?;
        self.reach(caller, Some(namespace)).await
    }

    /// Where helm finds a chart that is to be installed in `namespace`.
    pub(super) async fn resolve(
        &self,
        caller: &Caller,
        source: &ChartSource,
        namespace: &str,
    ) -> Result<Sourced, ApiError> {
        let reach = match source {
            ChartSource::Repository { repository, .. } => self.reach_of(caller, repository).await?,
            ChartSource::Upload { .. } => Reach::default(),
            ChartSource::Url { .. } | ChartSource::Oci { .. } => self.reach(caller, Some(namespace)).await?,
        };
        self.charts.resolve(&reach, &caller.user, source).await
    }

    /// Checks that the caller may install something in `namespace`.
    pub(super) async fn may_install(&self, caller: &Caller, namespace: &str) -> Result<(), ApiError> {
        app::model::name::check_namespace(namespace)
            .map_err(|words| ApiError::invalid("namespace", words))?;
        self.in_limits(namespace)?;
        Ok(self.access.require(caller, &Right::to_write_releases(namespace)).await?)
    }

    /// A chart with whether this cluster is one that it asks for.
    pub(super) async fn checked(&self, mut chart: ChartDetail) -> ChartDetail {
        if let Some(wanted) = &mut chart.kubernetes
            && let Ok(version) = self.cluster_version.get().await
        {
            wanted.fits = constraint::fits(&wanted.wanted, &version);
            wanted.cluster = Some(version);
        }
        chart
    }

    pub(super) async fn list_repositories(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
    ) -> Result<RepositoryList, ApiError> {
        let reach = self.reach_over(caller, namespace).await?;
        let (repositories, warnings) = self.charts.states(&reach).await;
        let mut may_add = Vec::new();
        for origin in self.charts.origins().await {
            let namespace = namespace.filter(|_| origin == RepositoryOrigin::Project);
            // One of a namespace is added where a namespace is chosen.
            if origin == RepositoryOrigin::Project && namespace.is_none() {
                continue;
            }
            if self.access.allows(caller, &self.right_to("create", origin, namespace)).await? {
                may_add.push(origin);
            }
        }
        let mut may_change = Vec::new();
        for state in &repositories {
            if self.may_change(caller, state.origin, state.namespace.as_deref()).await? {
                may_change.push(state.name.clone());
            }
        }
        Ok(RepositoryList { repositories, may_add, may_change, warnings })
    }

    pub(super) async fn try_repository(
        &self,
        caller: &Caller,
        spec: &RepositorySpec,
        of: Option<&str>,
    ) -> Result<RepositoryTest, ApiError> {
        let Some(of) = of else {
            self.may_write(caller, "create", spec).await?;
            return self.charts.test_repository(spec, None).await;
        };
        let set_up = self.charts.set_up(&self.reach_of(caller, of).await?, of).await?;
        self.access.require(caller, &self.right_to("update", set_up.origin(), set_up.namespace())).await?;
        self.may_write(caller, "update", spec).await?;
        self.charts.test_repository(spec, Some(&set_up)).await
    }

    pub(super) async fn new_repository(
        &self,
        caller: &Caller,
        spec: &RepositorySpec,
    ) -> Result<RepositoryState, ApiError> {
        self.may_write(caller, "create", spec).await?;
        let reach = self.reach(caller, spec.namespace.as_deref()).await?;
        self.charts.add_repository(&reach, spec).await
    }

    pub(super) async fn other_repository(
        &self,
        caller: &Caller,
        name: &str,
        spec: &RepositorySpec,
    ) -> Result<RepositoryState, ApiError> {
        let reach = self.reach_of(caller, name).await?;
        let set_up = self.charts.set_up(&reach, name).await?;
        self.access.require(caller, &self.right_to("update", set_up.origin(), set_up.namespace())).await?;
        self.may_write(caller, "update", spec).await?;
        self.charts.change_repository(&reach, &set_up, spec).await
    }

    /// The charts of all repositories that the caller may see.
    pub(super) async fn all_charts(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
    ) -> Result<Catalogue, ApiError> {
        Ok(self.charts.catalogue(&self.reach_over(caller, namespace).await?).await)
    }

    /// Fetches a repository's index now; whoever sees it may ask for that.
    pub(super) async fn look_again(&self, caller: &Caller, name: &str) -> Result<RepositoryState, ApiError> {
        self.charts.look_again(&self.reach_of(caller, name).await?, name).await
    }

    pub(super) async fn no_repository(&self, caller: &Caller, name: &str) -> Result<(), ApiError> {
        let set_up = self.charts.set_up(&self.reach_of(caller, name).await?, name).await?;
        self.access.require(caller, &self.right_to("delete", set_up.origin(), set_up.namespace())).await?;
        self.charts.remove_repository(&set_up).await
    }

    /// Which of these releases have a newer version to go to.
    pub(super) async fn newer(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
        rows: &[ReleaseRow],
    ) -> Result<Vec<ReleaseUpdate>, ApiError> {
        let installed: Vec<_> = rows
            .iter()
            .filter_map(|row| {
                let summary = row.detail.summary()?;
                Some((&row.key, summary.chart.as_deref()?, summary.chart_version.as_deref()?))
            })
            .collect();
        let reach = self.reach_over(caller, namespace).await?;
        let cluster = self.cluster_version.get().await.ok();
        let charts = installed.iter().map(|(key, chart, version)| Installed {
            namespace: &key.namespace,
            chart,
            version,
        });
        let mut newer = self.charts.updates(&reach, charts, cluster.as_deref()).await;
        // Registries list nothing: where Slipway has brought a release from one, it asks that one.
        let origins = self.origins(&installed, namespace);
        let mut asked = Vec::with_capacity(installed.len());
        for (((.., version), newer), origin) in installed.iter().zip(&newer).zip(&origins) {
            let chart = origin.as_ref().filter(|_| newer.is_none()).and_then(|it| it.chart.as_ref());
            asked.push(chart.map(|chart| (chart, *version)));
        }
        let published = self.charts.newer_in_registries(&reach, &asked).await;
        for (newer, published) in newer.iter_mut().zip(published) {
            *newer = newer.take().or(published.map(|version| (version, String::new())));
        }
        let updates = installed.iter().zip(newer).filter_map(|((key, ..), newer)| {
            let (version, repository) = newer?;
            Some(ReleaseUpdate {
                namespace: key.namespace.clone(),
                name: key.name.clone(),
                version,
                repository,
            })
        });
        Ok(updates.collect())
    }

    /// The operation of ours that brought each of these charts last.
    fn origins(
        &self,
        installed: &[(&ReleaseKey, &str, &str)],
        namespace: Option<&str>,
    ) -> Vec<Option<Arc<Operation>>> {
        let operations = self.operations.list(namespace, None);
        let mut brought: HashMap<(&ReleaseKey, &str), &Arc<Operation>> = HashMap::new();
        for operation in &operations {
            if let Some(ChartSource::Oci { version, .. } | ChartSource::Repository { version, .. }) =
                &operation.chart
            {
                // The newest is told first, and stays.
                brought.entry((&operation.release, version.as_str())).or_insert(operation);
            }
        }
        let of =
            |(key, _, version): &(&ReleaseKey, &str, &str)| brought.get(&(*key, *version)).copied().cloned();
        installed.iter().map(of).collect()
    }

    async fn may_change(
        &self,
        caller: &Caller,
        origin: RepositoryOrigin,
        namespace: Option<&str>,
    ) -> Result<bool, ApiError> {
        if origin == RepositoryOrigin::Settings {
            return Ok(false);
        }
        for verb in ["update", "delete"] {
            if !self.access.allows(caller, &self.right_to(verb, origin, namespace)).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Checks that the caller may write a repository like `spec`, and read the objects that it names.
    async fn may_write(
        &self,
        caller: &Caller,
        verb: &'static str,
        spec: &RepositorySpec,
    ) -> Result<(), ApiError> {
        crate::charts::source::check(spec)?;
        let namespace = spec.namespace.as_deref();
        if let Some(namespace) = namespace {
            self.in_limits(namespace)?;
        }
        self.access.require(caller, &self.right_to(verb, spec.origin, namespace)).await?;
        let Some(references) = &spec.references else { return Ok(()) };
        let theirs = namespace.unwrap_or(CONFIG_NAMESPACE);
        if references.password.is_some() || references.certificate.is_some() {
            self.access.require(caller, &to_read("secrets", theirs)).await?;
        }
        if references.ca.is_some() {
            self.access.require(caller, &to_read("configmaps", theirs)).await?;
        }
        Ok(())
    }

    fn right_to(&self, verb: &'static str, origin: RepositoryOrigin, namespace: Option<&str>) -> Right {
        right(verb, origin, namespace, &self.operations_namespace)
    }
}

/// The right to do `verb` to repositories of `origin`.
fn right(
    verb: &'static str,
    origin: RepositoryOrigin,
    namespace: Option<&str>,
    operations_namespace: &str,
) -> Right {
    match origin {
        RepositoryOrigin::Cluster | RepositoryOrigin::Project => Right {
            verb,
            group: OpenShiftRepositories::group().into(),
            resource: OpenShiftRepositories::plural(origin).into(),
            namespace: namespace.map(str::to_owned),
        },
        RepositoryOrigin::Slipway | RepositoryOrigin::Settings => {
            Right::to(verb, "secrets", Some(operations_namespace))
        }
    }
}

fn to_read(resource: &'static str, namespace: &str) -> Right {
    Right::to("get", resource, Some(namespace))
}
