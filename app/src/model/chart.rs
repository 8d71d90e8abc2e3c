//! Charts and the repositories that offer them.

mod source;

use serde::{Deserialize, Serialize};

use super::time::Timestamp;

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
}

impl std::fmt::Display for ChartSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Repository { repository, name, version } => write!(f, "{repository}/{name} {version}"),
            // Without a query, which may hold a token.
            Self::Url { url } => f.write_str(url.split(['?', '#']).next().unwrap_or_default()),
        }
    }
}

/// One version of a chart, as a repository's index lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The newest stable version, else the newest one.
    pub latest: ChartVersion,
    /// Its authors advise against the chart.
    pub deprecated: bool,
}

/// How a repository is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RepositoryState {
    /// Its name in Slipway.
    pub name: String,
    /// Its address, without credentials.
    pub url: String,
    /// How many charts it lists; none before the first successful fetch.
    pub charts: Option<u32>,
    /// When its index was last fetched.
    pub fetched: Option<Timestamp>,
    /// Why the last fetch failed, in words; what is shown then is of `fetched`.
    pub error: Option<String>,
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

/// One version of a chart in full: what the form needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChartDetail {
    /// The repository's name in Slipway.
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
    /// `Name <email>` each.
    pub maintainers: Vec<String>,
    /// Its `values.yaml`, as written.
    pub values: String,
    /// Its README rendered to sanitised HTML, if it has one.
    pub readme: Option<String>,
    /// Its `values.schema.json`, as written, if it has one.
    pub schema: Option<String>,
    /// All versions, the newest first.
    pub versions: Vec<ChartVersion>,
}
