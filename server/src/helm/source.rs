//! What helm is told of where a chart is. Whatever must not be seen goes into files of the task's own folder, which nobody
//! else may read: a command line is open to everybody on the machine.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;
use url::Url;

use crate::charts::{self, Pulled};
use crate::credentials::RepositoryCredentials;
use crate::operations::{ResolvedChart, Task, private};

/// helm's arguments for a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// Those before the `--`, without their dashes: a name, and a value if it has one.
    pub flags: Vec<(&'static str, Option<OsString>)>,
    /// The chart; none for what takes none.
    pub chart: Option<OsString>,
}

impl Told {
    fn of(chart: impl Into<OsString>) -> Self {
        Self { flags: Vec::new(), chart: Some(chart.into()) }
    }

    fn flag(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.flags.push((name, Some(value.into())));
        self
    }
}

/// Writes the files for helm into `folder`, and says what it is told. A chart that helm cannot fetch by itself without its
/// credentials on the command line is fetched for it.
///
/// # Errors
/// [`Untold::Unfetched`] in helm's words; or when a file cannot be written.
pub(super) async fn tell(task: &Task, folder: &Path) -> Result<Told, Untold> {
    let Some(chart) = &task.chart else { return Ok(Told::default()) };
    let (mut chart, mut credentials) = apart(chart, &task.credentials);
    let is_repositorys = matches!(chart, ResolvedChart::Repository { .. } | ResolvedChart::Url { .. });
    if is_repositorys && credentials.authorization().is_some() {
        match charts::pull(&chart, &credentials).await.map_err(Untold::Unfetched)? {
            Pulled::Archive(content) => return archive(folder, &content).map_err(Untold::Files),
            Pulled::InRegistry(found) => (chart, credentials) = (found, RepositoryCredentials::default()),
        }
    }
    let (chart, credentials) = (&chart, &credentials);
    let told = match chart {
        ResolvedChart::Archive { content, .. } => return archive(folder, content).map_err(Untold::Files),
        ResolvedChart::Repository { url, name, version } => {
            Told::of(name).flag("repo", url).flag("version", version)
        }
        ResolvedChart::Url { url } => Told::of(url),
        ResolvedChart::Oci { url, version } => {
            open_registry(folder, url, credentials)?;
            let mut told = Told::of(url).flag("version", version);
            if charts::is_local_registry(url) {
                told.flags.push(("plain-http", None));
            }
            told
        }
    };
    certificates(told, folder, credentials).map_err(Untold::Files)
}

/// A chart's address and its credentials, each by itself: earlier versions of Slipway recorded the two in one.
fn apart(
    chart: &ResolvedChart,
    credentials: &RepositoryCredentials,
) -> (ResolvedChart, RepositoryCredentials) {
    let (mut chart, mut credentials) = (chart.clone(), credentials.clone());
    if let ResolvedChart::Repository { url, .. } | ResolvedChart::Url { url } = &mut chart
        && let Ok(mut address) = Url::parse(url)
    {
        let inside = RepositoryCredentials::taken_from(&mut address);
        if !inside.is_empty() {
            *url = address.to_string();
            credentials.username = credentials.username.or(inside.username);
            credentials.password = credentials.password.or(inside.password);
        }
    }
    (chart, credentials)
}

/// Why helm cannot be told where a chart is.
#[derive(Debug)]
pub(super) enum Untold {
    /// The chart could not be fetched, in helm's words for it.
    Unfetched(String),
    /// A file cannot be written.
    Files(io::Error),
}

impl From<io::Error> for Untold {
    fn from(error: io::Error) -> Self {
        Self::Files(error)
    }
}

/// A chart that is here already. Its file has a name of ours: what a chart is called is its author's choice.
fn archive(folder: &Path, content: &[u8]) -> io::Result<Told> {
    let path = folder.join("chart.tgz");
    private::write(&path, content)?;
    Ok(Told::of(path))
}

/// Where helm looks for a registry's credentials, below the configuration that it is given.
fn open_registry(folder: &Path, url: &str, credentials: &RepositoryCredentials) -> io::Result<()> {
    let host = url.strip_prefix("oci://").and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let entry = match (credentials.basic(), &credentials.token) {
        (Some(basic), _) => json!({ "auth": basic }),
        (None, Some(token)) => json!({ "registrytoken": token }),
        (None, None) => return Ok(()),
    };
    let place = folder.join("config").join("registry");
    private::create_dir(&place)?;
    let auths = json!({ "auths": { host: entry } });
    private::write(&place.join("config.json"), auths.to_string().as_bytes())
}

/// helm takes certificates and keys as files.
fn certificates(mut told: Told, folder: &Path, credentials: &RepositoryCredentials) -> io::Result<Told> {
    for (flag, name, pem) in [
        ("ca-file", "ca.crt", &credentials.ca),
        ("cert-file", "tls.crt", &credentials.certificate),
        ("key-file", "tls.key", &credentials.key),
    ] {
        let Some(pem) = pem else { continue };
        let path: PathBuf = folder.join(name);
        private::write(&path, pem.as_bytes())?;
        told = told.flag(flag, path);
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use app::model::{OperationId, OperationKind, OperationOptions, ReleaseKey};

    use super::*;

    fn task(chart: ResolvedChart, credentials: RepositoryCredentials) -> Task {
        Task {
            id: OperationId("id-1".into()),
            kind: OperationKind::Install,
            release: ReleaseKey::new("shop", "front"),
            chart: Some(chart),
            credentials,
            options: OperationOptions::default(),
            values: String::new(),
            replace: false,
        }
    }

    fn basic() -> RepositoryCredentials {
        RepositoryCredentials {
            username: Some("me".into()),
            password: Some("secret".into()),
            ..RepositoryCredentials::default()
        }
    }

    fn flags(told: &Told) -> Vec<String> {
        let shown = |(name, value): &(&str, Option<OsString>)| match value {
            Some(value) => format!("{name}={}", value.to_string_lossy()),
            None => (*name).to_owned(),
        };
        told.flags.iter().map(shown).collect()
    }

    #[tokio::test]
    async fn a_registrys_credentials_are_in_a_file_that_nobody_else_may_read() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let url = "oci://registry.example.org:5000/charts/web".to_owned();
        let chart = ResolvedChart::Oci { url: url.clone(), version: "1.0.0".into() };
        let told = tell(&task(chart, basic()), folder.path()).await.unwrap();
        assert_eq!(
            (told.chart.as_deref(), flags(&told)),
            (Some(url.as_ref()), vec!["version=1.0.0".to_owned()])
        );
        let path = folder.path().join("config/registry/config.json");
        let written: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(written["auths"]["registry.example.org:5000"]["auth"], "bWU6c2VjcmV0");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert!(!format!("{told:?}").contains("secret"));
    }

    #[tokio::test]
    async fn a_registry_on_this_machine_is_spoken_to_in_plain_http() {
        let folder = tempfile::tempdir().unwrap();
        let chart = ResolvedChart::Oci { url: "oci://127.0.0.1:5000/web".into(), version: "v1.0.0".into() };
        let told = tell(&task(chart, RepositoryCredentials::default()), folder.path()).await.unwrap();
        assert_eq!(flags(&told), ["version=v1.0.0", "plain-http"]);
        assert!(!folder.path().join("config").exists());
    }

    #[tokio::test]
    async fn certificates_are_files_too() {
        let folder = tempfile::tempdir().unwrap();
        let chart = ResolvedChart::Repository {
            url: "https://charts.example.org".into(),
            name: "web".into(),
            version: "1.0.0".into(),
        };
        let credentials = RepositoryCredentials {
            ca: Some("CA".into()),
            certificate: Some("CERTIFICATE".into()),
            key: Some("KEY".into()),
            ..RepositoryCredentials::default()
        };
        let told = tell(&task(chart, credentials), folder.path()).await.unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        assert_eq!(
            flags(&told),
            [
                "repo=https://charts.example.org".to_owned(),
                "version=1.0.0".to_owned(),
                format!("ca-file={}", path("ca.crt")),
                format!("cert-file={}", path("tls.crt")),
                format!("key-file={}", path("tls.key")),
            ]
        );
        assert_eq!(std::fs::read_to_string(path("tls.key")).unwrap(), "KEY");
    }

    #[tokio::test]
    async fn an_uploaded_chart_is_a_file_whatever_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let chart =
            ResolvedChart::Archive { name: "--post-renderer".into(), content: b"archive".as_ref().into() };
        let told = tell(&task(chart, RepositoryCredentials::default()), folder.path()).await.unwrap();
        let path = folder.path().join("chart.tgz");
        assert_eq!((told.chart, told.flags), (Some(path.clone().into()), vec![]));
        assert_eq!(std::fs::read(path).unwrap(), b"archive");
    }

    #[test]
    fn an_address_that_was_recorded_with_its_password_is_told_without_it() {
        let chart = ResolvedChart::Url { url: "https://me:secret@host/web.tgz".into() };
        let (chart, credentials) = apart(&chart, &RepositoryCredentials::default());
        assert_eq!(chart, ResolvedChart::Url { url: "https://host/web.tgz".into() });
        assert_eq!(credentials, basic());
        let plain = ResolvedChart::Url { url: "https://host".into() };
        assert_eq!(apart(&plain, &credentials), (plain, credentials));
    }

    #[tokio::test]
    async fn what_cannot_be_fetched_for_helm_is_told_in_its_words() {
        let folder = tempfile::tempdir().unwrap();
        let url = || "http://127.0.0.1:1/web-1.0.0.tgz".to_owned();
        let told = tell(&task(ResolvedChart::Url { url: url() }, basic()), folder.path()).await;
        let Err(Untold::Unfetched(words)) = told else { panic!("{told:?}") };
        assert!(words.starts_with(&format!("failed to fetch {}: ", url())), "{words}");
        assert!(!words.contains("secret"), "{words}");
    }
}
