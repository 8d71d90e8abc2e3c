//! What a row says beside its status, where that does not explain itself: what is wrong, and what can be done.

use crate::model::{Detail, Phase, ReleaseRow};
use crate::words::{say, t, told};

/// Why there is nothing about the chart, and what can be done; none where there is something, or will be.
pub fn unreadable(row: &ReleaseRow) -> Option<String> {
    let Detail::Unreadable { reason } = &row.detail else { return None };
    let ReleaseRow { key, revision, .. } = row;
    let revision = revision.unwrap_or_default().to_string();
    let secret = ["sh.helm.release.v1.", &key.name, ".v", &revision].concat();
    Some(say(
        "{reason} Helm cannot use it either: put the Secret {secret} back from a backup, or delete it.",
        &[("reason", &told(reason)), ("secret", &secret)],
    ))
}

/// A line below the status.
pub fn explanation(row: &ReleaseRow) -> Option<String> {
    let summary = row.detail.summary();
    let text = match &row.phase {
        Phase::Pending { .. } => t("By a Helm outside of Slipway").to_owned(),
        Phase::Stuck { .. } => {
            t("By a Helm outside of Slipway, for longer than one takes. Its menu has the ways out.")
                .to_owned()
        }
        Phase::Interrupted { .. } => t("Its Helm is gone. Its menu has the ways out.").to_owned(),
        Phase::Failed { .. } => {
            let description = summary?.description.as_deref()?;
            reason(description, &row.key.name).to_owned()
        }
        Phase::Superseded => t("The revision that took its place is gone.").to_owned(),
        Phase::Unknown => t("Its record has a status that Helm does not have.").to_owned(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// Where its resources are, if that is not where its record is.
pub fn elsewhere(row: &ReleaseRow) -> Option<String> {
    let target = row.detail.summary()?.target_namespace.as_deref()?;
    (target != row.key.namespace).then(|| say("Its resources are in {namespace}", &[("namespace", target)]))
}

/// helm's description of a failure without what the row says anyway (`Release "web" failed: …`, `Upgrade "web" failed: …`).
fn reason<'a>(description: &'a str, name: &str) -> &'a str {
    let told = description.split_once(" failed: ").filter(|(before, _)| {
        before.split_once(' ').is_some_and(|(_, quoted)| quoted.trim_matches('"') == name)
    });
    told.map_or(description, |(_, reason)| reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{RecordStatus, RecordSummary, ReleaseKey};

    fn row(phase: Phase, detail: Detail) -> ReleaseRow {
        let key = ReleaseKey::new("team", "web");
        ReleaseRow { key, phase, revision: Some(3), status: None, detail, updated: None }
    }

    fn known(summary: RecordSummary) -> Detail {
        Detail::Known(summary)
    }

    #[test]
    fn a_record_that_cannot_be_read_says_why_and_what_can_be_done() {
        let detail = Detail::Unreadable { reason: "The record is empty.".into() };
        let text = unreadable(&row(Phase::Deployed, detail)).unwrap();
        assert!(
            text.starts_with("The record is empty. ") && text.contains("sh.helm.release.v1.web.v3"),
            "{text}"
        );
        assert_eq!(unreadable(&row(Phase::Deployed, Detail::Loading)), None);
    }

    #[test]
    fn a_failure_says_its_reason_and_a_release_that_is_well_says_nothing() {
        let failed = |description: &str| {
            let summary = RecordSummary { description: Some(description.into()), ..RecordSummary::default() };
            explanation(&row(Phase::Failed { kind: None }, known(summary)))
        };
        assert_eq!(failed("Release \"web\" failed: out of quota").as_deref(), Some("out of quota"));
        assert_eq!(failed("Upgrade \"web\" failed: a failed: b").as_deref(), Some("a failed: b"));
        assert_eq!(failed("the pod failed: oh").as_deref(), Some("the pod failed: oh"));
        assert_eq!(failed(""), None);
        assert_eq!(explanation(&row(Phase::Deployed, Detail::Loading)), None);
        let stuck = Phase::Stuck { status: RecordStatus::PendingInstall };
        assert!(explanation(&row(stuck, Detail::Loading)).is_some());
    }

    #[test]
    fn resources_elsewhere_are_told() {
        let at = |namespace: &str| {
            let summary =
                RecordSummary { target_namespace: Some(namespace.into()), ..RecordSummary::default() };
            elsewhere(&row(Phase::Deployed, known(summary)))
        };
        assert_eq!(at("apps").as_deref(), Some("Its resources are in apps"));
        assert_eq!(at("team"), None);
    }
}
