//! What the page says in words about a release that is neither well nor at work. Honest about what is known: a dead helm is
//! proven for an operation of ours, and for nobody else's.

use crate::model::{Operation, OperationKind, Phase, RecordStatus, ReleaseRecord, Tone};

/// A notice on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its colour.
    pub tone: Tone,
    /// What the matter is.
    pub title: String,
    /// What it means, and what to do.
    pub text: String,
}

/// The notice that a phase calls for, besides the failure's own.
pub fn notice(phase: &Phase, record: Option<&ReleaseRecord>) -> Option<Notice> {
    let (tone, title, text) = match phase {
        Phase::Interrupted { kind } => (
            Tone::Warning,
            format!("The {} was interrupted", kind.as_str()),
            format!(
                "The process that carried it out is gone: it stopped renewing its lease, so nothing is at work on this \
                 release. {}",
                way_out(*kind)
            ),
        ),
        Phase::Cancelled { kind } => (
            Tone::Neutral,
            format!("The {} was cancelled", kind.as_str()),
            "What it had done until then is still there.".to_owned(),
        ),
        Phase::Pending { status } => (
            Tone::Neutral,
            "A Helm outside of Slipway is at work".to_owned(),
            format!(
                "The record says “{}”, and Slipway did not start it. The page follows what can be seen of it: the record \
                 and the resources.",
                status.as_str()
            ),
        ),
        Phase::Stuck { status } => (
            Tone::Warning,
            format!("The record has said “{}” for longer than a Helm takes", status.as_str()),
            format!(
                "Whether a Helm is still at work somewhere cannot be known from here. If you are sure that there is none: \
                 {}",
                stuck_way_out(*status)
            ),
        ),
        Phase::Uninstalled if record.is_some() => (
            Tone::Neutral,
            "This release is uninstalled".to_owned(),
            "Its resources are gone; its history was kept.".to_owned(),
        ),
        Phase::Uninstalled => (
            Tone::Success,
            "This release is uninstalled".to_owned(),
            "Its resources and its history are gone.".to_owned(),
        ),
        Phase::Superseded => (
            Tone::Warning,
            "No revision of this release is active".to_owned(),
            "Its newest revision is superseded, and the one that took its place is not there: a clean-up may have \
             removed it. An upgrade makes a new one."
                .to_owned(),
        ),
        Phase::Unknown => (
            Tone::Warning,
            "Helm does not know the state of this release".to_owned(),
            "Look at its resources and its history before you change it.".to_owned(),
        ),
        _ => return None,
    };
    Some(Notice { tone, title, text })
}

fn way_out(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Install => "Uninstall what is there, then install it again.",
        OperationKind::Upgrade => {
            "Helm refuses another upgrade over it. Roll back with “helm rollback”, which is Helm’s own way out, or \
             uninstall it."
        }
        OperationKind::Uninstall => "Uninstall it again to finish.",
    }
}

fn stuck_way_out(status: RecordStatus) -> &'static str {
    match status {
        RecordStatus::PendingInstall => "uninstall it, then install it again.",
        _ => "“helm rollback” is Helm’s own way out; or uninstall it.",
    }
}

/// What an operation did, in a few words: `Install of samples/web 1.2.0`.
pub fn operation_words(operation: &Operation) -> String {
    match &operation.chart {
        Some(chart) => format!("{} of {chart}", operation.kind.noun()),
        None => operation.kind.noun().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_operation_is_said_to_be_dead() {
        let ours = notice(&Phase::Interrupted { kind: OperationKind::Upgrade }, None).unwrap();
        assert!(ours.text.contains("nothing is at work"));
        let foreign = notice(&Phase::Stuck { status: RecordStatus::PendingUpgrade }, None).unwrap();
        assert!(foreign.text.contains("cannot be known"));
    }

    #[test]
    fn a_release_that_is_well_needs_no_notice() {
        assert_eq!(notice(&Phase::Deployed, None), None);
    }

    #[test]
    fn a_stuck_first_install_has_no_revision_to_go_back_to() {
        let text = notice(&Phase::Stuck { status: RecordStatus::PendingInstall }, None).unwrap().text;
        assert!(!text.contains("rollback"), "{text}");
    }
}
