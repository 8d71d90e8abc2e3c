//! What a chart says of itself in its Chart.yaml, bounded and checked.

use app::model::{ChartDependency, Maintainer};

use super::index::{DESCRIPTION_MAX, KEYWORDS_MAX, WORD_MAX};
use super::links;
use super::loose::Loose;

/// The most maintainers that are kept.
const MAINTAINERS_MAX: usize = 20;
/// The most addresses of sources that are kept.
const SOURCES_MAX: usize = 20;
/// The most dependencies that are kept; the largest public chart has some 50.
const DEPENDENCIES_MAX: usize = 500;
/// The longest address of a dependency's repository, in characters.
const ADDRESS_MAX: usize = 2_048;

/// Where the annotations have who provides a chart, the first that is there.
const PROVIDER: [&str; 2] = ["charts.openshift.io/provider", "charts.openshift.io/providerName"];
/// Where they have what kind of software it is.
const CATEGORY: [&str; 2] = ["category", "artifacthub.io/category"];

/// What is in Chart.yaml.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// `name`
    pub name: String,
    /// `version`
    pub version: String,
    /// `appVersion`
    pub app_version: Option<String>,
    /// `description`
    pub description: String,
    /// `icon`, if a page may load it.
    pub icon: Option<String>,
    /// `home`, if a page may link to it.
    pub home: Option<String>,
    /// `sources`, those that a page may link to.
    pub sources: Vec<String>,
    /// `keywords`
    pub keywords: Vec<String>,
    /// `maintainers`
    pub maintainers: Vec<Maintainer>,
    /// `dependencies`
    pub dependencies: Vec<ChartDependency>,
    /// `deprecated`
    pub deprecated: bool,
    /// Whether `type` is `library`.
    pub library: bool,
    /// `kubeVersion`
    pub kubernetes: Option<String>,
    /// Who provides it, by an annotation.
    pub provider: Option<String>,
    /// What kind of software it is, by another.
    pub category: Option<String>,
}

impl About {
    /// Reads a Chart.yaml.
    pub fn read(chart: &Loose) -> Self {
        let text = |key: &str| chart.get(key).and_then(Loose::as_text);
        let words = |key: &str| chart.items(key).iter().filter_map(Loose::as_text);
        Self {
            name: chart.text("name", WORD_MAX).unwrap_or_default(),
            version: chart.text("version", WORD_MAX).unwrap_or_default(),
            app_version: chart.text("appVersion", WORD_MAX),
            description: chart.text("description", DESCRIPTION_MAX).unwrap_or_default(),
            icon: text("icon").and_then(links::icon),
            home: text("home").and_then(links::home),
            sources: words("sources").filter_map(links::home).take(SOURCES_MAX).collect(),
            keywords: words("keywords").take(KEYWORDS_MAX).map(|word| bounded(word, WORD_MAX)).collect(),
            maintainers: maintainers(chart),
            dependencies: dependencies(chart),
            deprecated: chart.is_true("deprecated"),
            library: text("type") == Some("library"),
            kubernetes: chart.text("kubeVersion", WORD_MAX),
            provider: annotation(chart, &PROVIDER),
            category: annotation(chart, &CATEGORY),
        }
    }
}

/// The first of these annotations that is there.
fn annotation(chart: &Loose, names: &[&str]) -> Option<String> {
    let annotations = chart.get("annotations")?;
    names.iter().find_map(|name| annotations.text(name, WORD_MAX))
}

/// What kind of software a chart is, by its annotations.
pub fn category(chart: &Loose) -> Option<String> {
    annotation(chart, &CATEGORY)
}

fn maintainers(chart: &Loose) -> Vec<Maintainer> {
    let found = chart.items("maintainers").iter().filter_map(|maintainer| {
        Some(Maintainer {
            name: maintainer.text("name", WORD_MAX)?,
            email: maintainer.text("email", WORD_MAX).filter(|email| is_email(email)),
            url: maintainer.get("url").and_then(Loose::as_text).and_then(links::home),
        })
    });
    found.take(MAINTAINERS_MAX).collect()
}

/// An address that a page can make a `mailto:` of: nothing in it ends the address or begins parameters.
fn is_email(text: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "._%+-@".contains(c);
    text.chars().all(plain) && text.split('@').count() == 2 && !text.starts_with('@') && !text.ends_with('@')
}

fn dependencies(chart: &Loose) -> Vec<ChartDependency> {
    let found = chart.items("dependencies").iter().filter_map(|dependency| {
        Some(ChartDependency {
            name: dependency.text("name", WORD_MAX)?,
            version: dependency.text("version", WORD_MAX),
            repository: dependency.text("repository", ADDRESS_MAX).map(|it| without_credentials(&it)),
            condition: dependency.text("condition", WORD_MAX),
            alias: dependency.text("alias", WORD_MAX),
        })
    });
    found.take(DEPENDENCIES_MAX).collect()
}

fn without_credentials(address: &str) -> String {
    url::Url::parse(address).map_or_else(|_| address.to_owned(), |url| super::fetch::shown(&url))
}

fn bounded(text: &str, max: usize) -> String {
    text.chars().take(max).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> About {
        About::read(&serde_saphyr::from_str(text).unwrap())
    }

    #[test]
    fn what_a_chart_says_of_itself_is_read() {
        let about = read(
            "name: web\nversion: 1.0.0\nappVersion: 2.5\ndeprecated: true\ntype: library\nkubeVersion: '>=1.20.0-0'\n\
             home: https://example.org\nicon: http://insecure/icon.png\n\
             sources: [https://example.org/git, 'javascript:alert(1)', 'git@host:x']\n\
             annotations: {charts.openshift.io/provider: Example, category: Database, other: x}\n\
             dependencies:\n\
             - {name: db, version: ^1, repository: 'https://me:secret@host/charts', condition: db.enabled, alias: data}\n\
             - {name: cache}\n- nonsense\n",
        );
        assert_eq!((about.deprecated, about.library), (true, true));
        assert_eq!(about.kubernetes.as_deref(), Some(">=1.20.0-0"));
        assert_eq!((about.home.as_deref(), about.icon), (Some("https://example.org"), None));
        assert_eq!(about.sources, ["https://example.org/git"]);
        assert_eq!(
            (about.provider.as_deref(), about.category.as_deref()),
            (Some("Example"), Some("Database"))
        );
        let names: Vec<_> = about.dependencies.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["db", "cache"]);
        let db = &about.dependencies[0];
        assert_eq!(db.repository.as_deref(), Some("https://host/charts"));
        assert_eq!((db.condition.as_deref(), db.alias.as_deref()), (Some("db.enabled"), Some("data")));
    }

    #[test]
    fn maintainers_have_addresses_that_a_page_may_link_to() {
        let about = read(
            "maintainers:\n- {name: Ada, email: ada@example.org, url: 'https://example.org/ada'}\n\
             - {name: Ben, email: 'ben@example.org?bcc=x@y', url: 'javascript:alert(1)'}\n- {name: Cy}\n- nobody\n",
        );
        let told: Vec<_> = about.maintainers.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["Ada <ada@example.org>", "Ben", "Cy"]);
        let links: Vec<_> = about.maintainers.iter().map(|it| it.url.as_deref()).collect();
        assert_eq!(links, [Some("https://example.org/ada"), None, None]);
    }

    #[test]
    fn a_chart_that_says_nothing_is_empty() {
        assert_eq!(read("{}"), About::default());
    }
}
