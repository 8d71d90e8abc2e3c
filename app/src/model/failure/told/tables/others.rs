//! Texts in which a chart or a policy speaks, or that tell of one failure on top of another.

use super::{ASK_AUTHOR, FIX_VALUES, Rule, rule};
use crate::model::{FailureClass::Permanent, NextAction::*};

#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    rule(Permanent, &["values don't meet the specifications of the schema"], &[],
        "The values do not satisfy the chart's schema: {refused}", FIX_VALUES, &[EditValues]),
    rule(Permanent, &[], &["execution error at (", "execution error in ("],
        "The chart refuses these values while it is rendered: {said}", FIX_VALUES, &[EditValues]),
    rule(Permanent, &["executing \"", " at <"], &[],
        "A template of the chart fails with these values.", FIX_VALUES, &[EditValues]),
    rule(Permanent, &[], &["parse error at (", "parse error in ("],
        "A template of the chart cannot be parsed.", ASK_AUTHOR, &[ChooseAnotherVersion, EditValues]),
    rule(Permanent, &["yaml parse error on "], &[],
        "A template of the chart renders to text that is not YAML, with these values.",
        "Correct the values that the template uses; if they are right, it is a defect of the chart.",
        &[EditValues, ChooseAnotherVersion]),
    rule(Permanent, &["admission webhook ", "denied the request"], &[],
        "The cluster's policy (admission webhook {1}) refuses an object.",
        "The text says what the policy asks for; change the values accordingly, or ask who runs the policy.",
        &[EditValues]),
    // What helm was undoing is half undone, and the two errors stand in one line.
    rule(Permanent, &["an error occurred while "],
        &["original install error: ", "original upgrade error: ", "original rollback error: "],
        "helm failed, and then failed to undo what it had done.",
        "Look at the release and its resources before you go on; the text has both errors.",
        &[SeeResources, EditValues, Rollback, Uninstall]),
];
