//! A chart repository with the sample charts, for tests and the demo.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path as UrlPath, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::{Error, HelmVersion, helm};

/// Serves the sample charts over HTTP on loopback until it is dropped.
#[derive(Debug)]
pub struct ChartRepository {
    url: String,
    folder: PathBuf,
    state: Arc<Mutex<Behaviour>>,
    server: JoinHandle<()>,
}

/// How the repository answers, and what it was asked.
#[derive(Debug, Default)]
struct Behaviour {
    delay: Duration,
    failing: bool,
    /// What a request has to say of itself.
    authorization: Option<String>,
    requests: Vec<String>,
}

impl ChartRepository {
    /// Packages the sample charts, which is skipped when they have not changed, and serves them.
    pub async fn start() -> Result<Self, Error> {
        let folder = package().await?;
        Self::serve(&folder).await
    }

    /// Serves a folder that has an `index.yaml`.
    pub async fn serve(folder: &Path) -> Result<Self, Error> {
        let state = Arc::new(Mutex::new(Behaviour::default()));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = format!("http://{}", listener.local_addr()?);
        let shared = (folder.to_path_buf(), state.clone());
        let router = Router::new().route("/{file}", get(file)).with_state(shared);
        let server = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "the chart repository ended");
            }
        });
        Ok(Self { url, folder: folder.to_path_buf(), state, server })
    }

    /// The repository's address, as `helm repo add` takes it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The folder with the packaged charts.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// From now on each answer takes this long.
    pub fn delay(&self, delay: Duration) {
        self.behaviour(|behaviour| behaviour.delay = delay);
    }

    /// From now on each answer is 503, or no longer so.
    pub fn fail(&self, failing: bool) {
        self.behaviour(|behaviour| behaviour.failing = failing);
    }

    /// From now on only who knows this password is answered.
    pub fn protect(&self, user: &str, password: &str) {
        let words = format!("Basic {}", STANDARD.encode(format!("{user}:{password}")));
        self.behaviour(|behaviour| behaviour.authorization = Some(words));
    }

    /// The files that were asked for, oldest first.
    pub fn requests(&self) -> Vec<String> {
        self.behaviour(|behaviour| behaviour.requests.clone())
    }

    fn behaviour<T>(&self, with: impl FnOnce(&mut Behaviour) -> T) -> T {
        with(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for ChartRepository {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn file(
    State((folder, state)): State<(PathBuf, Arc<Mutex<Behaviour>>)>,
    UrlPath(name): UrlPath<String>,
    headers: HeaderMap,
) -> Response {
    let (delay, failing, authorization) = {
        let mut behaviour = state.lock().unwrap_or_else(PoisonError::into_inner);
        behaviour.requests.push(name.clone());
        (behaviour.delay, behaviour.failing, behaviour.authorization.clone())
    };
    tokio::time::sleep(delay).await;
    let given = headers.get(header::AUTHORIZATION).and_then(|given| given.to_str().ok());
    if authorization.is_some() && given != authorization.as_deref() {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    if failing {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    // One path segment can still be `..` or hold an encoded slash.
    let plain = Path::new(&name).file_name().is_some_and(|last| last == name.as_str());
    match if plain { tokio::fs::read(folder.join(&name)).await.ok() } else { None } {
        Some(content) => {
            let kind = if name.ends_with(".yaml") { "application/yaml" } else { "application/gzip" };
            ([(header::CONTENT_TYPE, kind)], content).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Runs the script that packages, which answers with the folder.
async fn package() -> Result<PathBuf, Error> {
    let output = tokio::process::Command::new("bash")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/charts.sh"))
        .env("HELM", helm(HelmVersion::V3)?)
        .stdin(Stdio::null())
        .output()
        .await?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if !output.status.success() {
        return Err(Error::Charts(said(&output.stderr)));
    }
    Ok(PathBuf::from(said(&output.stdout)))
}
