//! What is known of a chart besides its texts: the list at the panel's side, and what one should know before installing it.

use leptos::prelude::*;

use crate::model::{ChartDetail, Maintainer, RepositoryState, Tone};
use crate::pages::repositories::state::{origin_words, shown_name};
use crate::signals::{Memo, Views};
use crate::ui::alert::Alert;
use crate::ui::icon::icon;
use crate::ui::label::plain_label;
use crate::ui::table::or_dash;
use crate::ui::time::ago;
use crate::words::{say, t};

/// The list.
pub fn facts(chart: &ChartDetail, repositories: Memo<Vec<RepositoryState>>) -> AnyView {
    let created = chart.versions.iter().find(|one| one.version == chart.version).and_then(|one| one.created);
    let repository = repositories.with_untracked(|all| {
        let found = all.iter().find(|one| one.name == chart.repository);
        found.map_or_else(
            || chart.repository.clone(),
            |one| {
                let (name, source) = (shown_name(one), origin_words(one.origin));
                say("{name} ({source})", &[("name", &name), ("source", source)])
            },
        )
    });
    let latest = chart.versions.iter().find(|one| !one.version.contains('-')).or(chart.versions.first());
    let latest = latest.map(|one| one.version.clone()).filter(|latest| *latest != chart.version);
    let maintainers = chart.maintainers.iter().map(maintainer).views();
    let sources = chart.sources.iter().map(|address| link(address)).views();
    let keywords = chart.keywords.iter().map(|word| plain_label(word.clone())).views();
    let kubernetes = chart.kubernetes.as_ref().map(|it| it.wanted.clone());
    let text = |title, text: Option<String>| fact(title, or_dash(text));
    let some = |title, text: Option<String>| text.map(|text| fact(title, text.into_any()));
    let list = |title, items: Vec<AnyView>| {
        (!items.is_empty()).then(|| fact(title, view! { <div class="fact-list">{items}</div> }.into_any()))
    };
    view! {
        <dl class="panel-facts">
            {text(t("Chart version"), Some(chart.version.clone()))} {some(t("Latest chart version"), latest)}
            {text(t("App version"), chart.app_version.clone())} {fact(t("Created"), ago(created))}
            {(!repository.is_empty()).then(|| text(t("Repository"), Some(repository)))}
            {some(t("Provider"), chart.provider.clone())} {some(t("Category"), chart.category.clone())}
            {some(t("Kubernetes version"), kubernetes)}
            {fact(t("Home page"), chart.home.as_deref().map_or_else(|| or_dash(None), link))}
            {list(t("Sources"), sources)} {list(t("Maintainers"), maintainers)} {list(t("Keywords"), keywords)}
        </dl>
    }
    .into_any()
}

fn fact(title: &'static str, content: AnyView) -> AnyView {
    view! {
        <div>
            <dt>{title}</dt>
            <dd class="wrap">{content}</dd>
        </div>
    }
    .into_any()
}

/// A link out of the console; the server lets through http and https alone, and so does this.
fn link(address: &str) -> AnyView {
    let words = address.to_owned();
    if !address.starts_with("https://") && !address.starts_with("http://") {
        return words.into_any();
    }
    view! {
        <a class="wrap" href=address.to_owned() target="_blank" rel="noopener noreferrer">
            {words} " " {icon("external")}
        </a>
    }
    .into_any()
}

/// A maintainer, whom one can write to, or whose page one can see.
fn maintainer(who: &Maintainer) -> AnyView {
    let name = who.name.clone();
    let address = match (&who.email, &who.url) {
        (Some(email), _) if is_plain(email) => format!("mailto:{email}"),
        (_, Some(url)) if url.starts_with("https://") || url.starts_with("http://") => url.clone(),
        _ => return who.to_string().into_any(),
    };
    let outside = address.starts_with("http").then_some("_blank");
    view! { <a href=address target=outside rel="noopener noreferrer">{name}</a> }.into_any()
}

/// An address that can stand in a link as it is: without a subject, a body, or further ones.
fn is_plain(email: &str) -> bool {
    let parts: Vec<&str> = email.split('@').collect();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
    parts.len() == 2 && parts.iter().all(|part| !part.is_empty() && part.chars().all(plain))
}

/// Why it cannot be installed, if that is so.
pub fn why_not(chart: &ChartDetail) -> Option<String> {
    if chart.library {
        return Some(
            t("This is a library for other charts, which cannot be installed by itself.").to_owned(),
        );
    }
    let wanted = chart.kubernetes.as_ref().filter(|it| it.fits == Some(false))?;
    let cluster = wanted.cluster.clone().unwrap_or_default();
    let places = [("wanted", wanted.wanted.as_str()), ("cluster", &cluster)];
    Some(say("It asks for Kubernetes {wanted}; this cluster has {cluster}.", &places))
}

/// What one should know before installing it.
pub fn alerts(chart: &ChartDetail) -> AnyView {
    let is_deprecated =
        chart.deprecated || chart.versions.iter().any(|one| one.version == chart.version && one.deprecated);
    let deprecated = is_deprecated.then(|| {
        view! {
            <Alert tone=Tone::Warning title=t("This chart is deprecated")>
                <p>{t("Its maintainers advise against it, and may not mend it any more.")}</p>
            </Alert>
        }
    });
    let refused = why_not(chart).map(|why| {
        view! {
            <Alert tone=Tone::Danger title=t("This version cannot be installed here")>
                <p>{why}</p>
            </Alert>
        }
    });
    let unsure = chart.kubernetes.as_ref().filter(|it| it.fits.is_none()).map(|it| {
        let places = [("wanted", it.wanted.as_str())];
        let text =
            say("It asks for Kubernetes {wanted}. Whether this cluster is one could not be told.", &places);
        view! {
            <Alert tone=Tone::Neutral title=t("Kubernetes version not checked")>
                <p>{text}</p>
            </Alert>
        }
    });
    view! {
        {deprecated}
        {refused}
        {unsure}
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::KubernetesConstraint;

    #[test]
    fn only_a_plain_address_is_one_to_write_to() {
        for email in ["a@b.org", "a.b+c@d-e.org"] {
            assert!(is_plain(email), "{email}");
        }
        for email in ["", "@", "a@", "a", "a@b@c", "a@b?body=x", "a@b,c@d", "javascript:alert(1)@x", "a b@c"]
        {
            assert!(!is_plain(email), "{email}");
        }
    }

    #[test]
    fn what_helm_would_refuse_is_said_before() {
        let with = |fits| ChartDetail {
            kubernetes: Some(KubernetesConstraint {
                wanted: ">=1.99".into(),
                cluster: Some("1.37.0".into()),
                fits,
            }),
            ..ChartDetail::default()
        };
        assert_eq!(
            why_not(&with(Some(false))).as_deref(),
            Some("It asks for Kubernetes >=1.99; this cluster has 1.37.0.")
        );
        assert_eq!(why_not(&with(Some(true))), None);
        assert_eq!(why_not(&with(None)), None, "nobody knows");
        assert!(why_not(&ChartDetail { library: true, ..ChartDetail::default() }).is_some());
    }
}
