//! The chart that a form is about, wherever it comes from.

use leptos::prelude::*;

use super::form::Form;
use crate::client::fetch::{Fetched, fetch};
use crate::client::{Answer, client};
use crate::model::name::check_namespace;
use crate::model::{ApiError, ChartDetail, ChartSource, Uploaded};
use crate::pages::catalogue;
use crate::pages::route::{ChartRef, Origin};
use crate::signals::{Memo, dynamic, effect};
use crate::words::{t, told};

/// What is known of it.
#[derive(Clone, Copy)]
pub struct Chart {
    /// What is in it. That of the version before stays until the one that was chosen is there.
    pub detail: Fetched<ChartDetail>,
    /// What is sent; none while the version that was chosen is not there.
    pub source: Memo<Option<ChartSource>>,
}

type Asked = (Option<Origin>, String, String);

impl Chart {
    /// Follows the origin, and the version that the form has. Of a release's own version, which a repository may have dropped,
    /// the newest one takes the place.
    pub fn follow(origin: Memo<Option<Origin>>, form: Form, current: Option<String>) -> Self {
        let asked = Memo::new(move || {
            let origin = origin.get();
            let is_elsewhere = matches!(origin, Some(Origin::Address(_)));
            form.draft.with(|draft| {
                let namespace = if is_elsewhere { draft.namespace.clone() } else { String::new() };
                (origin, draft.version.clone(), namespace)
            })
        });
        let detail = fetch(move || ask(asked.get(), current.clone()));
        // What is known of one chart says nothing of another.
        let mut before = origin.get_untracked();
        effect(move || {
            let now = origin.get();
            if now != before {
                detail.data.set(None);
                detail.error.set(None);
                before = now;
            }
        });
        let source = Memo::new(move || {
            if detail.error.with(Option::is_some) {
                return None;
            }
            let wanted = form.draft.with(|draft| draft.version.clone());
            let origin = origin.get()?;
            detail.data.with(|detail| {
                let detail = detail?;
                let is_coming = detail.version != wanted
                    && detail.versions.iter().any(|one| one.version == wanted)
                    && is_of(&origin, detail);
                (!is_coming && is_of(&origin, detail)).then(|| source_of(origin, detail))
            })
        });
        Self { detail, source }
    }

    /// Why nothing can be sent: the chart is not there yet, or Helm would refuse it.
    pub fn why_not(self) -> Option<String> {
        let error = self.detail.error.get().map(|error| told(&error.to_string()));
        error
            .or_else(|| self.source.with(Option::is_none).then(|| t("The chart is being loaded.").to_owned()))
            .or_else(|| self.detail.data.with(|chart| chart.and_then(catalogue::why_not)))
    }

    /// What one should know of the version that was chosen, before anything is made of it.
    pub fn alerts(self) -> AnyView {
        let known = move || self.detail.data.with(|chart| chart.map(catalogue::alerts));
        view! { <div class="form-alerts" role="status">{dynamic(known)}</div> }.into_any()
    }
}

fn ask((origin, version, namespace): Asked, current: Option<String>) -> Answer<ChartDetail> {
    let client = client();
    let some = Some(version.clone()).filter(|version| !version.is_empty());
    match origin {
        Some(Origin::Repository(ChartRef { repository, chart })) => Box::pin(async move {
            match client.chart(repository.clone(), chart.clone(), some).await {
                Err(ApiError::NotFound { .. }) if current == Some(version) => {
                    client.chart(repository, chart, None).await
                }
                answer => answer,
            }
        }),
        Some(Origin::Address(url)) => Box::pin(async move {
            check_namespace(&namespace).map_err(|_| ApiError::Invalid {
                field: None,
                line: None,
                message: t(
                    "Give the namespace first: the chart is fetched with the rights that you have there.",
                )
                .to_owned(),
            })?;
            let is_registry = url.starts_with("oci:");
            match client.chart_elsewhere(namespace.clone(), url.clone(), some.filter(|_| is_registry)).await {
                Err(ApiError::NotFound { .. }) if is_registry && current == Some(version) => {
                    client.chart_elsewhere(namespace, url, None).await
                }
                answer => answer,
            }
        }),
        Some(Origin::Upload(upload)) => Box::pin(async move {
            let Uploaded { chart, .. } = client.uploaded(upload).await?;
            Ok(chart)
        }),
        // It is not chosen yet.
        None => Box::pin(std::future::pending()),
    }
}

/// Whether it is that origin's chart, as far as it tells: what was there before stays until another one is loaded.
fn is_of(origin: &Origin, detail: &ChartDetail) -> bool {
    match origin {
        Origin::Repository(of) => detail.repository == of.repository && detail.name == of.chart,
        Origin::Address(_) | Origin::Upload(_) => detail.repository.is_empty(),
    }
}

fn source_of(origin: Origin, detail: &ChartDetail) -> ChartSource {
    let version = detail.version.clone();
    match origin {
        Origin::Repository(ChartRef { repository, chart }) => {
            ChartSource::Repository { repository, name: chart, version }
        }
        Origin::Address(url) if url.starts_with("oci:") => {
            ChartSource::Oci { url: untagged(&url).to_owned(), version }
        }
        Origin::Address(url) => ChartSource::Url { url },
        Origin::Upload(upload) => ChartSource::Upload { upload, name: detail.name.clone(), version },
    }
}

/// An address in a registry without its tag.
pub fn untagged(url: &str) -> &str {
    let name = url.rfind('/').map_or(0, |slash| slash + 1);
    match url[name..].find([':', '@']) {
        Some(at) => &url[..name + at],
        None => url,
    }
}

/// Where a chart comes from, as the address of its form has it.
pub fn origin_of(source: &ChartSource) -> Origin {
    match source {
        ChartSource::Repository { repository, name, .. } => {
            Origin::Repository(ChartRef { repository: repository.clone(), chart: name.clone() })
        }
        ChartSource::Url { url } | ChartSource::Oci { url, .. } => Origin::Address(url.clone()),
        ChartSource::Upload { upload, .. } => Origin::Upload(upload.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_of_an_address_in_a_registry_is_no_part_of_the_chart() {
        for (url, chart) in [
            ("oci://r.example:5000/a/web:1.2.3", "oci://r.example:5000/a/web"),
            ("oci://r.example:5000/a/web", "oci://r.example:5000/a/web"),
            ("oci://r.example/web@sha256:0", "oci://r.example/web"),
            ("oci:x", "oci"),
        ] {
            assert_eq!(untagged(url), chart);
        }
    }

    #[test]
    fn a_chart_is_sent_as_what_its_origin_is() {
        let detail = ChartDetail { name: "web".into(), version: "1.2.3".into(), ..ChartDetail::default() };
        let oci = source_of(Origin::Address("oci://r/web:1".into()), &detail);
        assert_eq!(oci, ChartSource::Oci { url: "oci://r/web".into(), version: "1.2.3".into() });
        let upload = source_of(Origin::Upload("u".into()), &detail);
        let expected =
            ChartSource::Upload { upload: "u".into(), name: "web".into(), version: "1.2.3".into() };
        assert_eq!(upload, expected);
        let archive = Origin::Address("https://x/web.tgz?token=1".into());
        assert_eq!(origin_of(&source_of(archive.clone(), &detail)), archive);
    }
}
