//! Fetching a chart for helm, where helm itself could not without its credentials on a command line, or at all: it knows
//! no bearer tokens for repositories.

use reqwest::StatusCode;
use url::Url;

use super::archives::{fetched, is_digest_of};
use super::fetch::{FetchError, Fetcher, Trouble, Validators, shown};
use super::index::{Chart, Listed};
use super::oci::Reference;
use super::order;
use super::repository::{archive_url, fetch_index, index_url};
use crate::credentials::RepositoryCredentials;
use crate::operations::ResolvedChart;

/// What there is of a chart.
pub enum Pulled {
    /// Its archive.
    Archive(Vec<u8>),
    /// The index says that it is in a registry, which helm opens without a repository's credentials.
    InRegistry(ResolvedChart),
}

/// `chart`, fetched with these credentials.
///
/// # Errors
/// In helm's own words for the same, so that whoever reads them need not tell the two apart.
pub async fn pull(chart: &ResolvedChart, credentials: &RepositoryCredentials) -> Result<Pulled, String> {
    let fetcher = Fetcher::new().map_err(|error| error.to_string())?;
    match chart {
        ResolvedChart::Repository { url, name, version } => {
            let repository = parsed(url)?;
            let index = fetch_index(&fetcher, &repository, credentials, &Validators::default()).await;
            let index = index.map_err(|error| unusable(&repository, &error))?;
            let charts = index.map(|(index, _)| index.charts).unwrap_or_default();
            let listed = charts.get(name).and_then(|chart| listed(chart, version)).ok_or_else(|| {
                format!(
                    "chart \"{name}\" version \"{version}\" not found in {} repository",
                    shown(&repository)
                )
            })?;
            let address = archive_url(&repository, &listed.url);
            let address = address.ok_or("the chart is kept where it cannot be fetched from")?;
            if address.scheme() == "oci" {
                let reference = Reference::parse(address.as_str())?;
                let version = reference.version.clone().unwrap_or_else(|| version.clone());
                return Ok(Pulled::InRegistry(ResolvedChart::Oci { url: reference.address(), version }));
            }
            let opened = fetcher.opened_by(credentials, &repository).map_err(|error| error.to_string())?;
            let content = fetched(&opened, &address).await.map_err(|error| unfetched(&address, &error))?;
            if listed.digest.as_ref().is_some_and(|digest| !is_digest_of(digest, &content)) {
                return Err("the chart’s archive is not the one that the repository’s index lists".into());
            }
            Ok(Pulled::Archive(content))
        }
        ResolvedChart::Url { url } => {
            let url = parsed(url)?;
            let opened = fetcher.opened_by(credentials, &url).map_err(|error| error.to_string())?;
            fetched(&opened, &url).await.map(Pulled::Archive).map_err(|error| unfetched(&url, &error))
        }
        ResolvedChart::Oci { .. } | ResolvedChart::Archive { .. } => {
            Err("such a chart is fetched otherwise".into())
        }
    }
}

/// The version by its text, else by what it means: helm takes `v1.0.0` for `1.0.0`.
fn listed<'a>(chart: &'a Chart, version: &str) -> Option<&'a Listed> {
    let wanted = order::parse(version);
    let same = |listed: &&Listed| {
        wanted.is_some() && order::parse(&listed.version.version).as_ref() == wanted.as_ref()
    };
    chart.version(version).or_else(|| chart.versions.iter().find(same))
}

fn parsed(url: &str) -> Result<Url, String> {
    Url::parse(url).map_err(|error| format!("invalid chart URL format: {error}"))
}

fn unusable(repository: &Url, error: &FetchError) -> String {
    let why = unfetched(&index_url(repository), error);
    format!(
        "looks like \"{}\" is not a valid chart repository or cannot be reached: {why}",
        shown(repository)
    )
}

fn unfetched(url: &Url, error: &FetchError) -> String {
    let shown = shown(url);
    let status = match error {
        FetchError::NotFound(code) | FetchError::Refused(code) | FetchError::Status(code) => Some(*code),
        _ => None,
    };
    match (status.and_then(|code| StatusCode::from_u16(code).ok()), error) {
        (Some(status), _) => format!("failed to fetch {shown} : {status}"),
        (None, FetchError::Insecure(Trouble::Demanded(_) | Trouble::NotAccepted(_))) => {
            format!("failed to fetch {shown}: remote error: tls: certificate required: {error}")
        }
        (None, FetchError::Insecure(trouble)) if trouble.is_of_certificate() => {
            format!("failed to fetch {shown}: tls: failed to verify certificate: x509: {error}")
        }
        (None, _) => format!("failed to fetch {shown}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use app::model::{Failure, FailureClass};

    use super::*;

    #[test]
    fn why_a_chart_cannot_be_fetched_is_known_by_its_words() {
        let url = Url::parse("https://me:secret@charts.example/stable").unwrap();
        for (error, class) in [
            (FetchError::Refused(401), FailureClass::Permanent),
            (FetchError::NotFound(404), FailureClass::Permanent),
            (FetchError::Status(503), FailureClass::Transient),
            (FetchError::Insecure(Trouble::Untrusted("host".into())), FailureClass::Permanent),
            (FetchError::Insecure(Trouble::Demanded("host".into())), FailureClass::Permanent),
        ] {
            for words in [unusable(&url, &error), unfetched(&url, &error)] {
                let failure = Failure::told_by_helm(&format!("Error: {words}"));
                assert_eq!(failure.class, class, "{words}");
                assert!(!words.contains("secret"), "{words}");
            }
        }
        let away = FetchError::Unreachable("connection refused".into());
        assert_eq!(Failure::told_by_helm(&unusable(&url, &away)).class, FailureClass::Transient);
    }
}
