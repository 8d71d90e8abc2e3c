//! Locks, waits that ran out, hooks and cancellations: what to do depends on how the release is now.

use super::{Rule, rule};
use crate::model::FailureClass::{Cancelled, Hook, Locked, TimedOut};
use crate::model::NextAction::*;

const CORRECT_HOOK: &str = "Its pod's log says why; correct that and submit again.";
/// What a hook does is in the chart and its values; and what is half made can be gone back on, or removed.
const AFTER_HOOK: &[crate::model::NextAction] =
    &[SeeHookLog, EditValues, ChooseAnotherVersion, TryAgain, Rollback, Uninstall];
const STAYS: &str = "What was created stays and may yet become ready; look at the resources that are not.";

#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    rule(Locked, &[], &["(install/upgrade/rollback) is in progress", "release: already exists"],
        "Another helm works on this release, or died while it did.",
        "Wait for it; if the release stays pending and nobody works on it, roll it back or uninstall it.",
        &[OpenRelease, TryAgain]),
    rule(Locked, &["secrets \"sh.helm.release.v1.", "already exists"], &[],
        "Another helm wrote this release at the same moment.", "Wait for it to finish.", &[OpenRelease, TryAgain]),
    rule(Hook, &["job", "failed: "], &["backofflimitexceeded", "deadlineexceeded"],
        "A hook's job failed.", CORRECT_HOOK, AFTER_HOOK),
    rule(Hook, &["resource job/", "not ready. status: failed"], &[],
        "A job failed.", CORRECT_HOOK, AFTER_HOOK),
    rule(Hook, &["resource pod/", "not ready. status: failed"], &[],
        "A pod failed.", "Its log says why; correct that and submit again.", AFTER_HOOK),
    rule(Hook, &["^pod ", " failed"], &[],
        "A hook's pod failed.", "Its log says why; correct that and submit again.", AFTER_HOOK),
    rule(Cancelled, &[], &["context canceled", "context cancelled"],
        "helm was told to stop.", "Submit again when you are ready.",
        &[TryAgain, EditValues, SeeResources, Uninstall]),
    rule(TimedOut, &["resource ", " still exists. status: "], &[],
        "Not everything was gone in time.", "What is left is being deleted still; look at what holds it.",
        &[SeeResources, TryAgain]),
    rule(TimedOut, &["resource ", " not ready. status: "], &[],
        "Not everything became ready in time.", STAYS, &[SeeResources, EditValues, TryAgain]),
    rule(TimedOut, &[], &["timed out waiting for the condition", "context deadline exceeded",
          "would exceed context deadline"],
        "Not everything became ready in time.", STAYS, &[SeeResources, EditValues, TryAgain]),
];
