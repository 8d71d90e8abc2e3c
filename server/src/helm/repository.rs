//! A repository that asks for a password, or for a token in a query. What is on a command line everybody on the machine can read, so helm is given
//! the repository in a file of its own settings, which nobody else can, and by the name that it has there.
//!
//! helm reads the index of such a repository from its cache alone, and fetches it when it is told to (`helm repo update`).

use std::path::Path;

use percent_encoding::percent_decode_str;
use serde_json::json;
use url::Url;

use super::output;
use crate::operations::{Ended, ResolvedChart, private};

/// What the repository is called in helm's settings.
const NAME: &str = "repository";
/// The arguments with which helm fetches its index.
pub(super) const UPDATE: [&str; 4] = ["repo", "update", "--", NAME];
/// How helm says that it could not; the line after this one tells why. helm 3 ends well all the same.
const FAILED: &str = "Unable to get an update from the \"";

/// A repository whose address holds credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guarded<'a> {
    url: &'a str,
    /// The chart, as helm is to be told.
    pub chart: String,
}

impl<'a> Guarded<'a> {
    /// The repository of `chart`; none if it has no credentials.
    pub fn of(chart: Option<&'a ResolvedChart>) -> Option<Self> {
        let Some(ResolvedChart::Repository { url, name, .. }) = chart else { return None };
        let parsed = Url::parse(url).ok()?;
        let is_guarded = !parsed.username().is_empty()
            || parsed.password().is_some()
            || parsed.query().is_some_and(|query| !query.is_empty());
        is_guarded.then(|| Self { url, chart: format!("{NAME}/{name}") })
    }

    /// Writes helm's list of repositories, with this one alone, below `folder`, where [`super::environment`] has helm look.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let config = folder.join("config");
        private::create_dir(&config)?;
        private::write(&config.join("repositories.yaml"), self.list().as_bytes())
    }

    /// JSON, which is YAML. helm takes a user name and a password together, and each alone only as part of the address.
    fn list(&self) -> String {
        let part = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let entry = match Url::parse(self.url) {
            Ok(mut url) if !url.username().is_empty() && url.password().is_some_and(|it| !it.is_empty()) => {
                let (username, password) = (part(url.username()), part(url.password().unwrap_or_default()));
                // These fail for addresses without a host, which have no credentials either.
                let _ = url.set_username("");
                let _ = url.set_password(None);
                json!({"name": NAME, "url": url.as_str(), "username": username, "password": password})
            }
            _ => json!({"name": NAME, "url": self.url}),
        };
        json!({"apiVersion": "", "repositories": [entry]}).to_string()
    }
}

/// How the operation ends if helm could not fetch the index; none if it could. `ended` is how that helm ended, `said` what
/// it said. In the words that helm has where a repository is given by its address.
pub(super) fn unreached(ended: Ended, said: &str) -> Option<Ended> {
    let mut lines = said.lines().skip_while(|line| !line.contains(FAILED));
    let (Some(_), Some(why)) = (lines.next(), lines.next()) else {
        return (ended.code != Some(0)).then(|| Ended { error: output::last_error(said), ..ended });
    };
    let error = format!(
        "Error: the repository is not a valid chart repository or cannot be reached: {why}",
        why = why.trim()
    );
    Some(Ended { code: ended.code.map(|code| code.max(1)), error, ..ended })
}

#[cfg(test)]
mod tests {
    use app::model::{Failure, FailureClass};

    use super::*;

    fn chart(url: &str) -> ResolvedChart {
        ResolvedChart::Repository { url: url.into(), name: "web".into(), version: "1.0.0".into() }
    }

    #[test]
    fn only_a_repository_with_credentials_is_given_by_a_file() {
        for (url, expected) in [
            ("https://charts.example/a@b", false),
            ("https://charts.example/?", false),
            ("https://charts.example/?token=secret", true),
            ("https://me:secret@charts.example/", true),
            ("https://token@charts.example/", true),
            ("https://:secret@charts.example/", true),
        ] {
            assert_eq!(Guarded::of(Some(&chart(url))).is_some(), expected, "{url}");
        }
        assert_eq!(Guarded::of(Some(&ResolvedChart::Url { url: "https://me:x@host/a.tgz".into() })), None);
        assert_eq!(Guarded::of(None), None);
    }

    #[test]
    fn helm_is_told_the_credentials_as_they_are_meant() {
        for (url, expected) in [
            (
                "https://me:s%40%3Ac%22ret@charts.example/stable?a=b",
                json!({"name": "repository", "url": "https://charts.example/stable?a=b", "username": "me", "password": "s@:c\"ret"}),
            ),
            (
                "https://charts.example/stable?token=secret",
                json!({"name": "repository", "url": "https://charts.example/stable?token=secret"}),
            ),
            (
                "https://token@charts.example/",
                json!({"name": "repository", "url": "https://token@charts.example/"}),
            ),
        ] {
            let list = Guarded { url, chart: String::new() }.list();
            let list: serde_json::Value = serde_json::from_str(&list).unwrap();
            assert_eq!(list["repositories"], json!([expected]), "{url}");
        }
    }

    #[test]
    fn nobody_else_can_read_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let chart = chart("https://me:secret@charts.example/");
        Guarded::of(Some(&chart)).unwrap().write(folder.path()).unwrap();
        let config = folder.path().join("config");
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&config), mode(&config.join("repositories.yaml"))), (0o700, 0o600));
    }

    #[test]
    fn why_the_index_could_not_be_fetched_is_told_and_known() {
        let said = |why: &str| {
            format!(
                "Hang tight while we grab the latest from your chart repositories...\n...Unable to get an update from \
                 the \"repository\" chart repository (https://charts.example):\n\t{why}\nUpdate Complete.\n"
            )
        };
        let ended = |code| Ended { code: Some(code), ..Ended::default() };
        for (why, expected) in [
            ("failed to fetch https://charts.example/index.yaml : 401 Unauthorized", FailureClass::Permanent),
            ("failed to fetch https://charts.example/index.yaml : 404 Not Found", FailureClass::Permanent),
            (
                "failed to fetch https://charts.example/index.yaml : 503 Service Unavailable",
                FailureClass::Transient,
            ),
            (
                "Get \"https://charts.example/index.yaml\": dial tcp 10.0.0.1:443: connect: connection refused",
                FailureClass::Transient,
            ),
        ] {
            // helm 3 ends well although it failed, helm 4 does not.
            for code in [0, 1] {
                let found = unreached(ended(code), &said(why)).unwrap();
                assert_eq!(found.code, Some(1));
                assert_eq!(Failure::told_by_helm(&found.error).class, expected, "{}", found.error);
            }
        }
        let good =
            "...Successfully got an update from the \"repository\" chart repository\nUpdate Complete.\n";
        assert_eq!(unreached(ended(0), good), None);
        assert_eq!(unreached(ended(1), "Error: no such thing\n").unwrap().error, "Error: no such thing");
        let stopped = Ended { signal: Some(15), ..Ended::default() };
        assert_eq!(unreached(stopped.clone(), "").unwrap().signal, Some(15));
    }
}
