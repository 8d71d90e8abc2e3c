//! Charts, and where they come from.

mod source;

use serde::{Deserialize, Serialize};

use super::repository::RepositoryState;
use super::time::Timestamp;

/// What a chart's source has, in words for whoever gave something else.
pub const SOURCES: &str = "Give `repository`, `name` and `version`; `url` alone for an archive's address; `url` (oci://…) and `version`; or `upload`, `name` and `version`";

/// Which chart to install.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(untagged, try_from = "source::Flat", into = "source::Flat")]
pub enum ChartSource {
    /// A version of a chart in a configured repository.
    Repository {
        /// The repository's name in Slipway.
        repository: String,
        /// The chart's name.
        name: String,
        /// The exact version.
        version: String,
    },
    /// An archive by its address (http, https).
    Url {
        /// The address.
        url: String,
    },
    /// A version of a chart in a registry.
    Oci {
        /// `oci://registry/path/chart`, without a tag.
        url: String,
        /// The exact version.
        version: String,
    },
    /// An archive that was uploaded.
    Upload {
        /// What the upload was answered with.
        upload: String,
        /// The chart's name, as it is in the archive.
        name: String,
        /// The chart's version, as it is in the archive.
        version: String,
    },
}

impl std::fmt::Display for ChartSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Repository { repository, name, version } => write!(f, "{repository}/{name} {version}"),
            Self::Url { url } => f.write_str(url),
            Self::Oci { url, version } => write!(f, "{url} {version}"),
            Self::Upload { name, version, .. } => write!(f, "{name} {version}, uploaded"),
        }
    }
}

/// One version of a chart, as a repository's index lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChartVersion {
    /// The chart's version.
    pub version: String,
    /// The version of the application in it.
    pub app_version: Option<String>,
    /// When it was published.
    pub created: Option<Timestamp>,
    /// Its authors advise against it.
    pub deprecated: bool,
    /// It asks for another Kubernetes than this cluster's; where that was looked at, which is in a chart's own list of
    /// versions.
    #[serde(default)]
    pub incompatible: bool,
}

/// One chart in the catalogue: what a card shows. Everything in it comes from the repository and is untrusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogueEntry {
    /// The repository's name in Slipway.
    pub repository: String,
    /// The chart's name.
    pub name: String,
    /// The newest version's description.
    pub description: String,
    /// An https address or an image as a `data:` address, checked; none otherwise.
    pub icon: Option<String>,
    /// The newest version's key words.
    pub keywords: Vec<String>,
    /// What kind of software it is, in the words of the chart's annotations.
    #[serde(default)]
    pub category: Option<String>,
    /// The newest stable version, else the newest one.
    pub latest: ChartVersion,
    /// Its authors advise against the chart.
    pub deprecated: bool,
}

/// All charts of all repositories.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Catalogue {
    /// The charts, by name.
    pub entries: Vec<CatalogueEntry>,
    /// The repositories, with their errors.
    pub repositories: Vec<RepositoryState>,
}

/// One version of a chart in full: what the side panel and the form need. Everything in it comes from the chart and is
/// untrusted; addresses are checked, and texts are bounded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChartDetail {
    /// The repository's name in Slipway; empty for a chart from elsewhere.
    pub repository: String,
    /// The chart's name.
    pub name: String,
    /// The version shown.
    pub version: String,
    /// The version of the application in it.
    pub app_version: Option<String>,
    /// Its description.
    pub description: String,
    /// Checked as in [`CatalogueEntry::icon`].
    pub icon: Option<String>,
    /// Its home page, if that is an http or https address.
    pub home: Option<String>,
    /// Who looks after it.
    pub maintainers: Vec<Maintainer>,
    /// Its `values.yaml`, as written.
    pub values: String,
    /// Its README rendered to sanitised HTML, if it has one.
    pub readme: Option<String>,
    /// Its `values.schema.json`, as written, if it has one.
    pub schema: Option<String>,
    /// All versions, the newest first.
    pub versions: Vec<ChartVersion>,
    /// Where its sources are, http and https addresses alone.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Its key words.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// The charts that it brings along.
    #[serde(default)]
    pub dependencies: Vec<ChartDependency>,
    /// Its authors advise against it.
    #[serde(default)]
    pub deprecated: bool,
    /// It is for other charts to use, and cannot be installed.
    #[serde(default)]
    pub library: bool,
    /// Which Kubernetes it asks for, where it does.
    #[serde(default)]
    pub kubernetes: Option<KubernetesConstraint>,
    /// Who provides it, in the words of its annotations.
    #[serde(default)]
    pub provider: Option<String>,
    /// What kind of software it is, in the same.
    #[serde(default)]
    pub category: Option<String>,
}

/// Who looks after a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Maintainer {
    /// Their name.
    pub name: String,
    /// Their e-mail address.
    pub email: Option<String>,
    /// Their page, if that is an http or https address.
    pub url: Option<String>,
}

impl std::fmt::Display for Maintainer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.email {
            Some(email) => write!(f, "{} <{email}>", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// A chart that another one brings along.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChartDependency {
    /// Its name.
    pub name: String,
    /// Which versions, as the chart has it.
    pub version: Option<String>,
    /// Where it is from, as the chart has it: an address, or `alias:` or `@` and a name.
    pub repository: Option<String>,
    /// Which value switches it on and off.
    pub condition: Option<String>,
    /// What it is called in the values.
    pub alias: Option<String>,
}

/// Which Kubernetes a chart asks for, and whether the cluster is one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct KubernetesConstraint {
    /// `kubeVersion` of Chart.yaml.
    pub wanted: String,
    /// The cluster's version; none when it did not say.
    pub cluster: Option<String>,
    /// Whether the two go together, by helm's own rule; none when that cannot be told.
    pub fits: Option<bool>,
}
