//! Which options go with which verb, and with the helm that is there. None that would be of no effect is accepted:
//! whoever asks for something is to get it, or to be told.

use OperationKind::{Install, Rollback, Test, Uninstall, Upgrade};
use app::model::operation::{ATTEMPTS_MAX, DEFAULT_HISTORY_MAX, DEFAULT_TIMEOUT_SECONDS, DESCRIPTION_MAX};
use app::model::{ApiError, OperationKind, OperationOptions, ValuesPolicy};

use super::{HISTORY_MAX, TIMEOUT_MAX};
use crate::operations::Abilities;

/// An option that some verbs do not have.
struct Only {
    field: &'static str,
    /// Whether it says anything else than when it is left out.
    is_set: fn(&OperationOptions) -> bool,
    /// The verbs that have it…
    verbs: &'static [OperationKind],
    /// …and in words.
    whose: &'static str,
}

const WITH_CHART: &[OperationKind] = &[Install, Upgrade];
const BY_HELM: &[OperationKind] = &[Install, Upgrade, Rollback, Uninstall, Test];
const CHANGING: &[OperationKind] = &[Install, Upgrade, Rollback, Uninstall];

#[rustfmt::skip]
const ONLY: [Only; 14] = [
    only("options.wait", |it| !it.wait, CHANGING, "an install, an upgrade, a rollback and an uninstall"),
    only("options.timeout", |it| it.timeout != DEFAULT_TIMEOUT_SECONDS, BY_HELM, "what helm carries out"),
    only("options.rollbackOnFailure", |it| it.rollback_on_failure, WITH_CHART, "an install and an upgrade"),
    only("options.createNamespace", |it| it.create_namespace, &[Install], "an install"),
    only("options.historyMax", |it| it.history_max != DEFAULT_HISTORY_MAX, &[Upgrade, Rollback], "an upgrade and a rollback"),
    only("options.values", |it| it.values != ValuesPolicy::Reset, &[Upgrade], "an upgrade"),
    only("options.description", |it| !it.description.is_empty(), CHANGING, "an install, an upgrade, a rollback and an uninstall"),
    only("options.skipHooks", |it| it.skip_hooks, CHANGING, "an install, an upgrade, a rollback and an uninstall"),
    only("options.skipCrds", |it| it.skip_crds, WITH_CHART, "an install and an upgrade"),
    only("options.forceConflicts", |it| it.force_conflicts, &[Install, Upgrade, Rollback], "an install, an upgrade and a rollback"),
    only("options.keepHistory", |it| it.keep_history, &[Uninstall], "an uninstall"),
    only("options.revision", |it| it.revision.is_some(), &[Rollback], "a rollback"),
    only("options.dryRun", |it| it.dry_run, WITH_CHART, "an install and an upgrade"),
    only("options.takeOver", |it| it.take_over, WITH_CHART, "an install and an upgrade"),
];

const fn only(
    field: &'static str,
    is_set: fn(&OperationOptions) -> bool,
    verbs: &'static [OperationKind],
    whose: &'static str,
) -> Only {
    Only { field, is_set, verbs, whose }
}

/// Checks that `options` can be those of `kind`; the error names the field.
pub(super) fn check(kind: OperationKind, options: &OperationOptions) -> Result<(), ApiError> {
    if let Some(only) = ONLY.iter().find(|only| (only.is_set)(options) && !only.verbs.contains(&kind)) {
        let message = format!("This is for {} alone; leave it out.", only.whose);
        return Err(ApiError::invalid(only.field, message));
    }
    if !(1..=TIMEOUT_MAX).contains(&options.timeout) {
        let message = format!("The time-out is 1 to {TIMEOUT_MAX} seconds.");
        return Err(ApiError::invalid("options.timeout", message));
    }
    if options.history_max > HISTORY_MAX {
        let message = format!("At most {HISTORY_MAX} revisions are kept; 0 keeps all.");
        return Err(ApiError::invalid("options.historyMax", message));
    }
    if !(1..=ATTEMPTS_MAX).contains(&options.attempts) {
        let message = format!("An operation takes 1 to {ATTEMPTS_MAX} attempts.");
        return Err(ApiError::invalid("options.attempts", message));
    }
    if options.description.chars().count() > DESCRIPTION_MAX || options.description.contains(char::is_control)
    {
        let message = format!("A description is one line of at most {DESCRIPTION_MAX} characters.");
        return Err(ApiError::invalid("options.description", message));
    }
    if options.revision == Some(0) {
        return Err(ApiError::invalid("options.revision", "Revisions count from 1."));
    }
    if options.dry_run && options.take_over {
        let message = "A dry run changes nothing, so it takes nothing over.";
        return Err(ApiError::invalid("options.takeOver", message));
    }
    Ok(())
}

/// Checks that a helm with these abilities can do what `options` ask of `kind`; the error names the field.
///
/// # Errors
/// [`ApiError::Invalid`].
pub fn check_helm(
    kind: OperationKind,
    options: &OperationOptions,
    abilities: Abilities,
) -> Result<(), ApiError> {
    let lacks = |field: &str, what: &str| {
        let message = format!("The helm that Slipway runs is helm 3, which has no {what}; leave it out.");
        Err(ApiError::invalid(field, message))
    };
    if options.force_conflicts && !abilities.forces_conflicts {
        return lacks("options.forceConflicts", "--force-conflicts");
    }
    if kind == Rollback && !options.description.is_empty() && !abilities.describes_rollbacks {
        return lacks("options.description", "description for a rollback");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use OperationKind::MarkFailed;

    use super::*;

    const ALL: [OperationKind; 6] = [Install, Upgrade, Rollback, Uninstall, Test, MarkFailed];

    fn refused(kind: OperationKind, options: &OperationOptions) -> Option<String> {
        match check(kind, options) {
            Err(ApiError::Invalid { field, .. }) => field,
            _ => None,
        }
    }

    #[test]
    fn each_verb_takes_the_options_that_it_knows_and_no_other() {
        let plain = OperationOptions::default;
        for (field, options, takes) in [
            ("wait", OperationOptions { wait: false, ..plain() }, "iuru--"),
            ("timeout", OperationOptions { timeout: 60, ..plain() }, "iurut-"),
            ("rollbackOnFailure", OperationOptions { rollback_on_failure: true, ..plain() }, "iu----"),
            ("createNamespace", OperationOptions { create_namespace: true, ..plain() }, "i-----"),
            ("historyMax", OperationOptions { history_max: 3, ..plain() }, "-ur---"),
            ("values", OperationOptions { values: ValuesPolicy::Reuse, ..plain() }, "-u----"),
            ("description", OperationOptions { description: "why".into(), ..plain() }, "iuru--"),
            ("skipHooks", OperationOptions { skip_hooks: true, ..plain() }, "iuru--"),
            ("skipCrds", OperationOptions { skip_crds: true, ..plain() }, "iu----"),
            ("forceConflicts", OperationOptions { force_conflicts: true, ..plain() }, "iur---"),
            ("keepHistory", OperationOptions { keep_history: true, ..plain() }, "---u--"),
            ("revision", OperationOptions { revision: Some(2), ..plain() }, "--r---"),
            ("dryRun", OperationOptions { dry_run: true, ..plain() }, "iu----"),
            ("takeOver", OperationOptions { take_over: true, ..plain() }, "iu----"),
            ("attempts", OperationOptions { attempts: 1, ..plain() }, "iurutm"),
        ] {
            for (kind, mark) in ALL.into_iter().zip(takes.chars()) {
                let expected = (mark == '-').then(|| format!("options.{field}"));
                assert_eq!(refused(kind, &options), expected, "{kind:?} {field}");
            }
        }
    }

    #[test]
    fn what_is_left_out_goes_with_every_verb() {
        for kind in ALL {
            assert_eq!(check(kind, &OperationOptions::default()), Ok(()), "{kind:?}");
        }
    }

    #[test]
    fn what_the_helm_that_is_there_cannot_do_is_refused() {
        let three = Abilities { forces_conflicts: false, describes_rollbacks: false };
        let force = OperationOptions { force_conflicts: true, ..OperationOptions::default() };
        let describe = OperationOptions { description: "why".into(), ..OperationOptions::default() };
        for (kind, options, expected) in [
            (Upgrade, &force, Some("options.forceConflicts")),
            (Rollback, &force, Some("options.forceConflicts")),
            (Rollback, &describe, Some("options.description")),
            (Upgrade, &describe, None),
        ] {
            let field = match check_helm(kind, options, three) {
                Err(ApiError::Invalid { field, .. }) => field,
                _ => None,
            };
            assert_eq!(field.as_deref(), expected, "{kind:?}");
            assert_eq!(check_helm(kind, options, Abilities::default()), Ok(()));
        }
    }
}
