//! What is known of a chart besides its texts: the list at the panel's side, and what one should know before installing it.

use leptos::prelude::*;

use crate::model::{ChartDetail, Maintainer, RepositoryState, Tone};
use crate::pages::catalogue::repository_name;
use crate::pages::frame::{outside, told_alert};
use crate::signals::{Memo, Views};
use crate::ui::label::plain_label;
use crate::ui::table::or_dash;
use crate::ui::time::ago;
use crate::words::{say, t};

/// The list.
pub fn facts(chart: &ChartDetail, repositories: Memo<Vec<RepositoryState>>) -> AnyView {
    let created = chart.versions.iter().find(|one| one.version == chart.version).and_then(|one| one.created);
    let repository = repository_name(&chart.repository, repositories);
    let latest = chart.versions.iter().find(|one| !one.version.contains('-')).or(chart.versions.first());
    let latest = latest.map(|one| one.version.clone()).filter(|latest| *latest != chart.version);
    let maintainers = chart.maintainers.iter().map(maintainer).views();
    let sources = chart.sources.iter().map(|address| outside(address, address.clone())).views();
    let keywords = chart.keywords.iter().map(|word| plain_label(word.clone())).views();
    let kubernetes = chart.kubernetes.as_ref().map(|it| it.wanted.clone());
    let home = chart.home.as_ref().map(|address| outside(address, address.clone()));
    let text = |text: Option<String>| text.map(|text| text.into_any());
    let list = |items: Vec<AnyView>| {
        let items = Some(items).filter(|items| !items.is_empty())?;
        Some(view! { <div class="fact-list">{items}</div> }.into_any())
    };
    // Those that a chart need not have are left out; the others are there to be missed.
    let facts = [
        (t("Chart version"), text(Some(chart.version.clone())), true),
        (t("Latest chart version"), text(latest), false),
        (t("App version"), text(chart.app_version.clone()), true),
        (t("Created"), created.map(|at| ago(Some(at))), true),
        (t("Repository"), text(Some(repository).filter(|name| !name.is_empty())), false),
        (t("Provider"), text(chart.provider.clone()), false),
        (t("Category"), text(chart.category.clone()), false),
        (t("Kubernetes version"), text(kubernetes), false),
        (t("Home page"), home, true),
        (t("Sources"), list(sources), false),
        (t("Maintainers"), list(maintainers), true),
        (t("Keywords"), list(keywords), false),
    ];
    let shown = facts.into_iter().filter(|(_, content, always)| *always || content.is_some());
    let shown = shown.map(|(title, content, _)| fact(title, content));
    view! { <dl class="panel-facts">{shown.views()}</dl> }.into_any()
}

/// One fact, or that it is not known.
pub fn fact(title: &'static str, content: Option<AnyView>) -> AnyView {
    view! {
        <div>
            <dt>{title}</dt>
            <dd class="wrap">{content.unwrap_or_else(|| or_dash(None))}</dd>
        </div>
    }
    .into_any()
}

/// A maintainer, whom one can write to, or whose page one can see.
fn maintainer(who: &Maintainer) -> AnyView {
    match (&who.email, &who.url) {
        (Some(email), _) if is_plain(email) => {
            view! { <a href=format!("mailto:{email}")>{who.name.clone()}</a> }.into_any()
        }
        (_, Some(url)) => outside(url, who.name.clone()),
        _ => who.to_string().into_any(),
    }
}

/// An address that can stand in a link as it is: without a subject, a body, or further ones.
fn is_plain(email: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
    let is_part = |part: &str| !part.is_empty() && part.chars().all(plain);
    email.split_once('@').is_some_and(|(who, host)| is_part(who) && is_part(host))
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
        let text = t("Its maintainers advise against it, and may not mend it any more.");
        told_alert(Tone::Warning, t("This chart is deprecated").to_owned(), text.to_owned())
    });
    let refused = why_not(chart)
        .map(|why| told_alert(Tone::Danger, t("This version cannot be installed here").to_owned(), why));
    let unsure = chart.kubernetes.as_ref().filter(|it| it.fits.is_none()).map(|it| {
        let places = [("wanted", it.wanted.as_str())];
        let text =
            say("It asks for Kubernetes {wanted}. Whether this cluster is one could not be told.", &places);
        told_alert(Tone::Neutral, t("Kubernetes version not checked").to_owned(), text)
    });
    [deprecated, refused, unsure].into_iter().flatten().views().into_any()
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
