//! The addresses of the pages: one table, read in both directions. What a page shows is in its address, so that a reload or
//! a shared link comes back to the same state.

use std::fmt;

use crate::cluster;
use crate::model::ReleaseKey;
use crate::ui::address::{decode, encode};
use crate::words::t;

/// A chart of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartRef {
    /// The repository's name.
    pub repository: String,
    /// The chart's name.
    pub chart: String,
}

/// Where the chart of a new release comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A repository.
    Repository(ChartRef),
    /// An address: an archive's (http, https), or one in a registry (oci).
    Address(String),
    /// An upload, by its id.
    Upload(String),
}

/// A tab of a release's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// What goes on, and what it is.
    Overview,
    /// The live resources.
    Resources,
    /// The live resources as a picture.
    Topology,
    /// How the time went.
    Timeline,
    /// The values, given and computed.
    Values,
    /// The rendered manifest.
    Manifest,
    /// The revisions.
    History,
    /// What helm said.
    Logs,
    /// The chart's own tests.
    Tests,
}

impl Tab {
    /// All of them, in their order on the page.
    pub const ALL: [Self; 9] = [
        Self::Overview,
        Self::Resources,
        Self::Topology,
        Self::Timeline,
        Self::Values,
        Self::Manifest,
        Self::History,
        Self::Logs,
        Self::Tests,
    ];

    /// Its part of the address; the overview has none.
    pub fn segment(self) -> &'static str {
        match self {
            Self::Overview => "",
            Self::Resources => "resources",
            Self::Topology => "topology",
            Self::Timeline => "timeline",
            Self::Values => "values",
            Self::Manifest => "manifest",
            Self::History => "history",
            Self::Logs => "logs",
            Self::Tests => "tests",
        }
    }

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Overview => t("Details"),
            Self::Resources => t("Resources"),
            Self::Topology => t("Topology"),
            Self::Timeline => t("Timeline"),
            Self::Values => t("Values"),
            Self::Manifest => t("Manifest"),
            Self::History => t("Revision history"),
            Self::Logs => t("Logs"),
            Self::Tests => t("Tests"),
        }
    }
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// The releases of a namespace, or of all.
    Releases {
        /// None for all.
        namespace: Option<String>,
    },
    /// The charts, and one of them in the side panel.
    Catalogue {
        /// Where a chart would go; none while that is open.
        namespace: Option<String>,
        /// The one in the panel.
        chart: Option<ChartRef>,
    },
    /// The form that makes a release.
    Install {
        /// Where to, as far as the address tells.
        namespace: Option<String>,
        /// Of what.
        chart: Origin,
    },
    /// Where a chart that is in no repository is named or uploaded.
    Elsewhere {
        /// Where it would go.
        namespace: Option<String>,
    },
    /// The repositories.
    Repositories {
        /// Whose are shown beside those for everybody.
        namespace: Option<String>,
    },
    /// The form of a repository.
    Repository {
        /// Which namespace the list was of.
        namespace: Option<String>,
        /// The one to change; none for a new one.
        name: Option<String>,
    },
    /// One release.
    Release {
        /// Which.
        key: ReleaseKey,
        /// What of it.
        tab: Tab,
    },
    /// The form that upgrades a release.
    Upgrade {
        /// Which.
        key: ReleaseKey,
    },
    /// The page that rolls a release back.
    Rollback {
        /// Which.
        key: ReleaseKey,
    },
    /// No page has this address.
    NotFound,
}

impl Route {
    /// The page at `path`, an address without its query. One of another cluster is none of ours.
    pub fn parse(path: &str) -> Self {
        let Some(path) = cluster::path(path) else { return Self::NotFound };
        let parts: Vec<String> = path.split('/').filter(|part| !part.is_empty()).map(decode).collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let (namespace, rest) = match parts.as_slice() {
            [] | ["helm"] | ["helm", "releases"] => return Self::Releases { namespace: None },
            ["helm", "all-namespaces", rest @ ..] => (None, rest),
            ["helm", "ns", namespace, rest @ ..] => (Some((*namespace).to_owned()), rest),
            _ => return Self::NotFound,
        };
        let chart_ref = |repository: &str, chart: &str| ChartRef {
            repository: repository.to_owned(),
            chart: chart.to_owned(),
        };
        match (namespace, rest) {
            (namespace, ["releases"]) => Self::Releases { namespace },
            (namespace, ["catalog"]) => Self::Catalogue { namespace, chart: None },
            (namespace, ["catalog", repository, chart]) => {
                Self::Catalogue { namespace, chart: Some(chart_ref(repository, chart)) }
            }
            (namespace, ["install", repository, chart]) => {
                Self::Install { namespace, chart: Origin::Repository(chart_ref(repository, chart)) }
            }
            (namespace, ["install-address", url]) => {
                Self::Install { namespace, chart: Origin::Address((*url).to_owned()) }
            }
            (namespace, ["install-upload", upload]) => {
                Self::Install { namespace, chart: Origin::Upload((*upload).to_owned()) }
            }
            (namespace, ["elsewhere"]) => Self::Elsewhere { namespace },
            (namespace, ["repositories"]) => Self::Repositories { namespace },
            (namespace, ["repositories", "add"]) => Self::Repository { namespace, name: None },
            (namespace, ["repositories", "edit", name]) => {
                Self::Repository { namespace, name: Some((*name).to_owned()) }
            }
            (Some(namespace), ["release", name]) => {
                Self::Release { key: ReleaseKey::new(namespace, *name), tab: Tab::Overview }
            }
            (Some(namespace), ["release", name, "upgrade"]) => {
                Self::Upgrade { key: ReleaseKey::new(namespace, *name) }
            }
            (Some(namespace), ["release", name, "rollback"]) => {
                Self::Rollback { key: ReleaseKey::new(namespace, *name) }
            }
            // Addresses that the page once had.
            (Some(namespace), ["release", name, "notes"]) => {
                Self::release(&ReleaseKey::new(namespace, *name))
            }
            (Some(namespace), ["release", name, "log"]) => {
                Self::Release { key: ReleaseKey::new(namespace, *name), tab: Tab::Logs }
            }
            (Some(namespace), ["release", name, segment]) => {
                match Tab::ALL.into_iter().find(|tab| tab.segment() == *segment) {
                    Some(tab) => Self::Release { key: ReleaseKey::new(namespace, *name), tab },
                    None => Self::NotFound,
                }
            }
            _ => Self::NotFound,
        }
    }

    /// The namespace that the page is about; none for all of them.
    pub fn namespace(&self) -> Option<&str> {
        match self {
            Self::Releases { namespace }
            | Self::Catalogue { namespace, .. }
            | Self::Install { namespace, .. }
            | Self::Elsewhere { namespace }
            | Self::Repositories { namespace }
            | Self::Repository { namespace, .. } => namespace.as_deref(),
            Self::Release { key, .. } | Self::Upgrade { key } | Self::Rollback { key } => {
                Some(&key.namespace)
            }
            Self::NotFound => None,
        }
    }

    /// The page to go to when the user picks another namespace on this one.
    #[must_use]
    pub fn in_namespace(&self, namespace: Option<String>) -> Self {
        match self {
            Self::Catalogue { chart, .. } => Self::Catalogue { namespace, chart: chart.clone() },
            Self::Install { chart, .. } => Self::Install { namespace, chart: chart.clone() },
            Self::Elsewhere { .. } => Self::Elsewhere { namespace },
            Self::Repositories { .. } | Self::Repository { .. } => Self::Repositories { namespace },
            _ => Self::Releases { namespace },
        }
    }

    /// A release's first tab.
    pub fn release(key: &ReleaseKey) -> Self {
        Self::Release { key: key.clone(), tab: Tab::Overview }
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(cluster::prefix())?;
        f.write_str("/helm")?;
        match self.namespace() {
            Some(namespace) => write!(f, "/ns/{}", encode(namespace))?,
            None => f.write_str("/all-namespaces")?,
        }
        match self {
            Self::Releases { .. } | Self::NotFound => f.write_str("/releases"),
            Self::Catalogue { chart: None, .. } => f.write_str("/catalog"),
            Self::Catalogue { chart: Some(chart), .. } => {
                write!(f, "/catalog/{}/{}", encode(&chart.repository), encode(&chart.chart))
            }
            Self::Install { chart: Origin::Repository(chart), .. } => {
                write!(f, "/install/{}/{}", encode(&chart.repository), encode(&chart.chart))
            }
            Self::Install { chart: Origin::Address(url), .. } => {
                write!(f, "/install-address/{}", encode(url))
            }
            Self::Install { chart: Origin::Upload(id), .. } => write!(f, "/install-upload/{}", encode(id)),
            Self::Elsewhere { .. } => f.write_str("/elsewhere"),
            Self::Repositories { .. } => f.write_str("/repositories"),
            Self::Repository { name: None, .. } => f.write_str("/repositories/add"),
            Self::Repository { name: Some(name), .. } => write!(f, "/repositories/edit/{}", encode(name)),
            Self::Upgrade { key } => write!(f, "/release/{}/upgrade", encode(&key.name)),
            Self::Rollback { key } => write!(f, "/release/{}/rollback", encode(&key.name)),
            Self::Release { key, tab: Tab::Overview } => write!(f, "/release/{}", encode(&key.name)),
            Self::Release { key, tab } => write!(f, "/release/{}/{}", encode(&key.name), tab.segment()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_comes_back_from_its_own_address() {
        let chart = || ChartRef { repository: "my repo".into(), chart: "web/ü%".into() };
        let key = || ReleaseKey::new("team-a", "web.v2");
        let mut routes = vec![
            Route::Releases { namespace: None },
            Route::Releases { namespace: Some("a".into()) },
            Route::Catalogue { namespace: None, chart: None },
            Route::Catalogue { namespace: Some("a".into()), chart: Some(chart()) },
            Route::Install { namespace: None, chart: Origin::Repository(chart()) },
            Route::Install { namespace: Some("a".into()), chart: Origin::Repository(chart()) },
            Route::Install { namespace: None, chart: Origin::Address("oci://r.example/a/b:1+2?x".into()) },
            Route::Install { namespace: None, chart: Origin::Upload("u-1".into()) },
            Route::Elsewhere { namespace: Some("a".into()) },
            Route::Repositories { namespace: None },
            Route::Repository { namespace: None, name: None },
            Route::Repository { namespace: Some("a".into()), name: Some("a:add".into()) },
            Route::Upgrade { key: key() },
            Route::Rollback { key: key() },
        ];
        routes.extend(Tab::ALL.map(|tab| Route::Release { key: key(), tab }));
        for route in routes {
            assert_eq!(Route::parse(&route.to_string()), route, "{route}");
        }
    }

    #[test]
    fn the_root_shows_all_releases() {
        for path in ["/", "", "/helm", "/helm/releases/"] {
            assert_eq!(Route::parse(path), Route::Releases { namespace: None }, "{path}");
        }
    }

    #[test]
    fn an_address_that_a_release_once_had_leads_to_what_took_its_place() {
        for (path, whole) in [
            ("/helm/ns/a/release/web/notes", "/helm/ns/a/release/web"),
            ("/helm/ns/a/release/web/log", "/helm/ns/a/release/web/logs"),
        ] {
            assert_eq!(Route::parse(path).to_string(), whole);
        }
    }

    #[test]
    fn an_unknown_address_is_not_found() {
        for path in [
            "/x",
            "/helm/ns",
            "/helm/ns/a",
            "/helm/ns/a/release/b/c",
            "/helm/all-namespaces/release/b",
            "/helm/ns/a/catalog/b",
        ] {
            assert_eq!(Route::parse(path), Route::NotFound, "{path}");
        }
    }

    #[test]
    fn another_namespace_keeps_the_kind_of_page_where_that_makes_sense() {
        let release = Route::release(&ReleaseKey::new("a", "web"));
        assert_eq!(release.in_namespace(Some("b".into())), Route::Releases { namespace: Some("b".into()) });
        let catalogue = Route::Catalogue { namespace: None, chart: None };
        assert_eq!(catalogue.in_namespace(Some("b".into())).to_string(), "/helm/ns/b/catalog");
    }
}
