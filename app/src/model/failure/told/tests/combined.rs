//! Every known text in every wrapping, and joined with others in every way that helm joins them.

use proptest::prelude::*;
use proptest::sample::select;

use super::super::gravity;
use super::texts::{STRANGE, TEXTS};
use crate::model::failure::told::{Part, parts, tables};
use crate::model::{Failure, FailureClass};

/// Wrappers as the helms write them, one after the other and around each other.
const WRAPPINGS: [&str; 34] = [
    "",
    "Error: ",
    "Error: INSTALLATION FAILED: ",
    "Error: UPGRADE FAILED: ",
    "ERROR: installation failed: ",
    "Error: INSTALLATION FAILED: failed pre-install: ",
    "Error: INSTALLATION FAILED: failed post-install: ",
    "Error: UPGRADE FAILED: pre-upgrade hooks failed: ",
    "Error: UPGRADE FAILED: post-upgrade hooks failed: ",
    "Error: INSTALLATION FAILED: failed pre-install: warning: Hook pre-install web/templates/job.yaml failed: ",
    "Error: UPGRADE FAILED: pre-upgrade hooks failed: warning: Hook pre-upgrade web/templates/job.yaml failed: ",
    "Error: INSTALLATION FAILED: release web failed, and has been uninstalled due to atomic being set: ",
    "Error: INSTALLATION FAILED: release web failed, and has been uninstalled due to rollback-on-failure being set: ",
    "Error: UPGRADE FAILED: release web failed, and has been rolled back due to atomic being set: ",
    "Error: UPGRADE FAILED: release web failed, and has been rolled back due to rollback-on-failure being set: ",
    "Error: INSTALLATION FAILED: release web failed, and has been uninstalled due to atomic being set: failed post-install: ",
    "Error: INSTALLATION FAILED: release name check failed: ",
    "Error: INSTALLATION FAILED: cluster reachability check failed: ",
    "Error: INSTALLATION FAILED: create: failed to create: ",
    "Error: UPGRADE FAILED: update: failed to update: ",
    "Error: query: failed to query with labels: ",
    "Error: INSTALLATION FAILED: release name check failed: query: failed to query with labels: ",
    "Error: list: failed to list: ",
    "Error: failed to delete release: ",
    "Error: uninstallation completed with 1 error(s): ",
    "Error: release web failed: ",
    "Error: INSTALLATION FAILED: failed to install CRD crds/widget.yaml: ",
    "Error: UPGRADE FAILED: unable to find a previously successful release when attempting to rollback. original upgrade error: ",
    "Release \"web\" failed: ",
    "Upgrade \"web\" failed: ",
    "Rollback \"web\" failed: ",
    "Release \"web\" failed: failed pre-install: ",
    "Upgrade \"web\" failed: pre-upgrade hooks failed: ",
    "Error: INSTALLATION FAILED: 1 error occurred:\n\t* ",
];

/// The ways in which helm and Kubernetes' client join two errors.
const JOINTS: [(&str, &str, &str); 6] = [
    ("", " && ", ""),
    ("[", ", ", "]"),
    ("2 errors occurred:\n\t* ", "\n\t* ", "\n\n"),
    ("", "\n", ""),
    ("uninstallation completed with 2 error(s): ", "; ", ""),
    ("unable to build kubernetes objects from release manifest: [", ", ", "]"),
];

fn class(text: &str) -> FailureClass {
    Failure::told_by_helm(text).class
}

fn joined((start, between, end): (&str, &str, &str), one: &str, other: &str) -> String {
    format!("{start}{one}{between}{other}{end}")
}

#[test]
fn every_known_text_is_known_in_every_wrapping() {
    for (expected, text) in TEXTS {
        for wrapping in WRAPPINGS {
            let whole = format!("{wrapping}{text}");
            assert_eq!(class(&whole), *expected, "{whole}");
            for outer in WRAPPINGS.iter().step_by(5) {
                assert_eq!(class(&format!("{outer}{whole}")), *expected, "{outer}{whole}");
            }
        }
    }
}

#[test]
fn of_two_errors_the_graver_one_speaks_however_they_are_joined() {
    for (one, text) in TEXTS {
        for (other, beside) in TEXTS {
            let expected = if gravity(*one) >= gravity(*other) { one } else { other };
            for joint in JOINTS {
                let whole = joined(joint, text, beside);
                assert_eq!(class(&whole), *expected, "{whole}");
            }
        }
    }
}

#[test]
fn two_errors_are_known_in_every_wrapping() {
    use FailureClass::{Permanent, Transient, Unknown};
    let passing = "etcdserver: leader changed";
    for (expected, beside) in [
        (
            Transient,
            "Operation cannot be fulfilled on resourcequotas \"q\": the object has been modified; please apply your changes to the latest version and try again",
        ),
        (
            Permanent,
            "Service \"web\" is invalid: spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive",
        ),
        (Unknown, STRANGE),
    ] {
        for wrapping in WRAPPINGS {
            for joint in JOINTS {
                for whole in [joined(joint, passing, beside), joined(joint, beside, passing)] {
                    assert_eq!(class(&format!("{wrapping}{whole}")), expected, "{wrapping}{whole}");
                }
            }
        }
    }
}

#[test]
fn a_text_that_looks_joined_and_is_not_stays_whole() {
    for text in [
        "Operation cannot be fulfilled on deployments.apps \"web\": the object has been modified; please apply your changes to the latest version and try again",
        "Service \"web\" in namespace \"ns\" exists and cannot be imported into the current release: invalid ownership metadata; label validation error: missing key \"k\": must be set to \"Helm\"; annotation validation error: missing key \"m\": must be set to \"web\"",
        "Service \"web\" is invalid: [spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive, spec.type: bad]",
        "Apply failed with 2 conflicts: conflicts with \"kubectl\" using apps/v1:\n- .spec.replicas\n- .spec.paused",
        "error validating data: unknown field; if you choose to ignore these errors, turn validation off with --validate=false",
    ] {
        let whole = [Part { text, in_hook: false }];
        assert_eq!(parts::of(text), whole);
        assert_eq!(parts::of(&format!("Error: UPGRADE FAILED: [{text}]")), whole);
    }
}

#[test]
fn every_rule_is_the_first_that_fits_one_of_the_texts() {
    let met: Vec<*const tables::Rule> = TEXTS
        .iter()
        .flat_map(|(_, text)| parts::of(text))
        .filter_map(|part| tables::find(part.text).map(std::ptr::from_ref))
        .collect();
    let unmet: Vec<&str> = tables::TABLES
        .iter()
        .flat_map(|(_, rules)| rules.iter())
        .filter(|rule| !met.contains(&std::ptr::from_ref(*rule)))
        .map(|rule| rule.cause)
        .collect();
    assert!(unmet.is_empty(), "no text for these rules: {unmet:?}");
}

fn wrapping() -> impl Strategy<Value = String> {
    let wrapping = (select(WRAPPINGS.to_vec()), 0..3_u8).prop_map(|(wrapping, letters)| match letters {
        0 => wrapping.to_uppercase(),
        1 => wrapping.to_lowercase(),
        _ => wrapping.to_owned(),
    });
    proptest::collection::vec(wrapping, 0..4).prop_map(|wrappings| wrappings.concat())
}

/// Anything, and anything that looks like helm.
fn noise() -> impl Strategy<Value = String> {
    let pieces = select(vec![
        "[",
        "]",
        ", ",
        "; ",
        " && ",
        "\n",
        "\t* ",
        "\"",
        ": ",
        "Error: ",
        "é",
        "release ",
        " failed: ",
        "* ",
        "1 error occurred:\n",
        " being set: ",
        "Kind=",
        "- .",
        "warning: hook ",
        STRANGE,
    ]);
    let shuffled = proptest::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat());
    prop_oneof![".{0,80}", shuffled, select(TEXTS.to_vec()).prop_map(|(_, text)| text.to_owned())]
}

fn lasting() -> impl Strategy<Value = &'static str> {
    let lasting = TEXTS.iter().filter(|(class, _)| *class == FailureClass::Permanent).map(|(_, text)| *text);
    select(lasting.collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn nothing_upsets_it_and_no_text_is_lost_altogether(wrapping in wrapping(), noise in noise()) {
        let text = wrapping + &noise;
        let parts = parts::of(&text);
        prop_assert_eq!(parts.is_empty(), text.trim().is_empty());
        prop_assert!(parts.iter().all(|part| !part.text.is_empty() && text.contains(part.text)));
        let failure = Failure::told_by_helm(&text);
        prop_assert_eq!(&failure.text, text.trim());
        prop_assert!(!failure.cause.is_empty());
        failure.retry();
    }

    #[test]
    fn what_helm_did_not_add_is_in_one_of_the_parts(wrapping in wrapping(), word in "[a-z]{6,12}") {
        let text = format!("{wrapping}no {word} today");
        prop_assert!(parts::of(&text).iter().any(|Part { text, .. }| text.contains(&word)), "{}", text);
    }

    #[test]
    fn what_has_a_lasting_part_is_never_tried_again(
        (outer, inner) in (wrapping(), wrapping()),
        lasting in lasting(),
        (before, after) in (noise(), noise()),
        joint in select(JOINTS.to_vec()),
    ) {
        let (start, between, end) = joint;
        let text = format!("{outer}{start}{before}{between}{inner}{lasting}{between}{after}{end}");
        prop_assert_eq!(class(&text), FailureClass::Permanent, "{}", text);
    }
}
