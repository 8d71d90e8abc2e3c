//! What is said of an operation in a list, in a toast and by the system.

use crate::model::{Doing, OperationKind, OperationState, Tone};
use crate::words::{say, t, told};

/// What it does, or how it ended: `Installing`, `Installed`, `Install failed`.
pub fn standing(kind: OperationKind, state: OperationState) -> String {
    let noun = || told(kind.noun());
    match state {
        OperationState::Queued => say("{operation} queued", &[("operation", &noun())]),
        OperationState::Running | OperationState::Retrying => told(kind.progressive()),
        OperationState::Succeeded => done(kind).to_owned(),
        OperationState::Failed if kind == OperationKind::Test => t("Tests failed").to_owned(),
        OperationState::Failed => say("{operation} failed", &[("operation", &noun())]),
        OperationState::Cancelled => say("{operation} cancelled", &[("operation", &noun())]),
        OperationState::Interrupted => say("{operation} interrupted", &[("operation", &noun())]),
    }
}

fn done(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Install => t("Installed"),
        OperationKind::Upgrade => t("Upgraded"),
        OperationKind::Rollback => t("Rolled back"),
        OperationKind::Uninstall => t("Uninstalled"),
        OperationKind::Test => t("Tests passed"),
        OperationKind::MarkFailed => t("Marked as failed"),
    }
}

/// Its colour and its icon.
pub fn tone(state: OperationState) -> Tone {
    match state {
        OperationState::Queued | OperationState::Running | OperationState::Retrying => Tone::Progress,
        OperationState::Succeeded => Tone::Success,
        OperationState::Failed => Tone::Danger,
        OperationState::Interrupted => Tone::Warning,
        OperationState::Cancelled => Tone::Neutral,
    }
}

/// What goes on in it or why it did not succeed, with the attempt where it is not the first.
pub fn line(doing: &Doing) -> String {
    let line = told(&doing.line);
    // While it waits for the next attempt, that one is what there is to say.
    let attempt = doing.attempt + u32::from(doing.state == OperationState::Retrying);
    if doing.ended.is_some() || attempt < 2 {
        return line;
    }
    let (attempt, all) = (attempt.to_string(), doing.max_attempts.to_string());
    say("Attempt {n} of {all}: {step}", &[("n", &attempt), ("all", &all), ("step", &line)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{OperationId, ReleaseKey, Timestamp};

    #[test]
    fn each_state_of_each_verb_has_its_words() {
        use OperationState::{Cancelled, Failed, Queued, Retrying, Running, Succeeded};
        for (kind, state, words) in [
            (OperationKind::Install, Queued, "Install queued"),
            (OperationKind::Install, Running, "Installing"),
            (OperationKind::Rollback, Retrying, "Rolling back"),
            (OperationKind::Uninstall, Succeeded, "Uninstalled"),
            (OperationKind::Test, Succeeded, "Tests passed"),
            (OperationKind::Test, Failed, "Tests failed"),
            (OperationKind::Upgrade, Failed, "Upgrade failed"),
            (OperationKind::Upgrade, Cancelled, "Upgrade cancelled"),
        ] {
            assert_eq!(standing(kind, state), words);
        }
    }

    #[test]
    fn a_further_attempt_is_told_with_its_number() {
        let doing = |state, attempt| Doing {
            id: OperationId("a".into()),
            kind: OperationKind::Install,
            release: ReleaseKey::new("ns", "web"),
            state,
            requested_by: "me".into(),
            created: Timestamp(0),
            ended: None,
            attempt,
            max_attempts: 3,
            line: "Running hooks".into(),
            can_cancel: true,
        };
        for (state, attempt, words) in [
            (OperationState::Running, 1, "Running hooks"),
            (OperationState::Retrying, 1, "Attempt 2 of 3: Running hooks"),
            (OperationState::Running, 2, "Attempt 2 of 3: Running hooks"),
        ] {
            assert_eq!(line(&doing(state, attempt)), words);
        }
    }
}
