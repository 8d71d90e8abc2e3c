//! Chart repositories: where they are set up, and how they are doing.

use serde::{Deserialize, Serialize};

use super::time::Timestamp;

/// Where a repository is set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum RepositoryOrigin {
    /// In the settings that Slipway was started with.
    #[default]
    Settings,
    /// In a Secret of Slipway's own, for everybody who uses it.
    Slipway,
    /// As a `HelmChartRepository` of OpenShift's, for the whole cluster.
    Cluster,
    /// As a `ProjectHelmChartRepository` of OpenShift's, for one namespace.
    Project,
}

impl RepositoryOrigin {
    /// Its word in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Slipway => "slipway",
            Self::Cluster => "cluster",
            Self::Project => "project",
        }
    }
}

/// How a repository is doing. None of its credentials is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RepositoryState {
    /// Its name in Slipway; `namespace:name` for one of a namespace.
    pub name: String,
    /// Its address, without credentials.
    pub url: String,
    /// How many charts it lists; none before the first successful fetch.
    pub charts: Option<u32>,
    /// When its index was last fetched.
    pub fetched: Option<Timestamp>,
    /// Why the last fetch failed, or why it cannot be used, in words; what is shown then is of `fetched`.
    pub error: Option<String>,
    /// Where it is set up.
    #[serde(default)]
    pub origin: RepositoryOrigin,
    /// The namespace that it is for; none for all.
    #[serde(default)]
    pub namespace: Option<String>,
    /// What people call it, where that is not its name.
    #[serde(default)]
    pub display_name: Option<String>,
    /// What it is for.
    #[serde(default)]
    pub description: Option<String>,
    /// Nobody is to use it for now.
    #[serde(default)]
    pub disabled: bool,
    /// Which credentials it is set up with.
    #[serde(default)]
    pub secured: Secured,
}

/// Which credentials there are, and never what they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Secured {
    /// A user name and a password.
    pub password: bool,
    /// A bearer token.
    pub token: bool,
    /// A certificate authority of its own.
    pub ca: bool,
    /// A client certificate.
    pub certificate: bool,
    /// For OpenShift's repositories: which objects they are in.
    pub references: Option<References>,
}

/// The objects that OpenShift's repositories keep their credentials in: in `openshift-config` for those of the cluster,
/// beside them for those of a namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct References {
    /// A ConfigMap with `ca-bundle.crt`.
    pub ca: Option<String>,
    /// A Secret with `tls.crt` and `tls.key`.
    pub certificate: Option<String>,
    /// A Secret with `username` and `password`.
    pub password: Option<String>,
}

/// Credentials on their way to Slipway; nothing brings them back.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Credentials {
    /// The user name.
    pub username: Option<String>,
    /// The password.
    pub password: Option<String>,
    /// A bearer token, in their place.
    pub token: Option<String>,
    /// The certificates of the authorities to trust, as PEM.
    pub ca: Option<String>,
    /// The client's certificate, as PEM.
    pub certificate: Option<String>,
    /// Its key, as PEM.
    pub key: Option<String>,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Credentials")
    }
}

/// What a repository is to be like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RepositorySpec {
    /// Where it is set up. Those of the settings are not changed here.
    pub origin: RepositoryOrigin,
    /// For which namespace, for one of a namespace.
    #[serde(default)]
    pub namespace: Option<String>,
    /// Its name: letters, digits, `-` and `.`.
    pub name: String,
    /// Its address: `https://…` with an `index.yaml` below it, or `oci://registry/path`.
    pub url: String,
    /// What people call it.
    #[serde(default)]
    pub display_name: Option<String>,
    /// What it is for.
    #[serde(default)]
    pub description: Option<String>,
    /// Nobody is to use it for now.
    #[serde(default)]
    pub disabled: bool,
    /// For one of Slipway's own. Left out, those that there are stay.
    #[serde(default)]
    pub credentials: Option<Credentials>,
    /// For one of OpenShift's.
    #[serde(default)]
    pub references: Option<References>,
}

/// What a repository answered to a test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RepositoryTest {
    /// How many charts it lists; none for a registry, which lists none.
    pub charts: Option<u32>,
    /// How many versions of them.
    pub versions: Option<u32>,
}

/// All repositories that the caller may see, and what the caller may do with them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RepositoryList {
    /// The repositories, by name.
    pub repositories: Vec<RepositoryState>,
    /// Where the caller may add one.
    pub may_add: Vec<RepositoryOrigin>,
    /// The names of those that the caller may change and remove.
    pub may_change: Vec<String>,
    /// Why the list may lack some: one sentence each.
    pub warnings: Vec<String>,
}

/// A chart that was uploaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Uploaded {
    /// What a submission calls it.
    pub upload: String,
    /// What is in it.
    pub chart: super::ChartDetail,
}

/// A release whose chart has a newer version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReleaseUpdate {
    /// The namespace of the release.
    pub namespace: String,
    /// The name of the release.
    pub name: String,
    /// The newest stable version.
    pub version: String,
    /// The repository that has it; empty for a registry that is none of them.
    pub repository: String,
}
