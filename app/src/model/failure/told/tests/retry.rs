//! What is said about trying again.

use crate::model::failure::{CustomKind, Failure, FailureClass, Retry, TEXT_MAX};

const RACE: &str = "Operation cannot be fulfilled on resourcequotas \"q\": the object has been modified; please apply your changes to the latest version and try again";
const ENDING: &str = "deployments.apps \"web\" is forbidden: unable to create new content in namespace ns because it is being terminated";

fn retry(text: &str) -> Retry {
    Failure::told_by_helm(text).retry()
}

fn unmapped(kind: &str, version: &str) -> String {
    format!(
        "resource mapping not found for name: \"w\" namespace: \"ns\" from \"\": no matches for kind \"{kind}\" in version \"{version}\"\nensure CRDs are installed first"
    )
}

fn young(kinds: &[&str]) -> Retry {
    let kind = |kind: &&str| CustomKind { api_version: "example.com/v1".into(), kind: (*kind).to_owned() };
    Retry::IfCrdIsYoung { kinds: kinds.iter().map(kind).collect() }
}

#[test]
fn what_passes_is_tried_again_within_bounds() {
    assert_eq!(retry(&format!("Error: INSTALLATION FAILED: {RACE}")), Retry::Bounded);
    assert_eq!(retry(&format!("Error: INSTALLATION FAILED: {ENDING}")), Retry::WhileTerminating);
    assert_eq!(retry(&format!("Error: UPGRADE FAILED: {RACE} && {ENDING}")), Retry::WhileTerminating);
}

#[test]
fn kinds_that_a_definition_may_bring_are_named() {
    let (widget, gadget) = (unmapped("Widget", "example.com/v1"), unmapped("Gadget", "example.com/v1"));
    let head = "Error: INSTALLATION FAILED: unable to build kubernetes objects from release manifest: ";
    assert_eq!(retry(&format!("{head}{widget}")), young(&["Widget"]));
    assert_eq!(retry(&format!("{head}[{widget}, {gadget}, {widget}]")), young(&["Widget", "Gadget"]));
    assert_eq!(retry(&format!("{head}[{widget}, {RACE}]")), young(&["Widget"]));
    let old = "unable to recognize \"\": no matches for kind \"Widget\" in version \"example.com/v1\"";
    assert_eq!(retry(old), young(&["Widget"]));
}

#[test]
fn a_removed_version_of_kubernetes_own_does_not_come_back() {
    assert_eq!(retry(&unmapped("Ingress", "extensions/v1beta1")), Retry::No);
    assert_eq!(retry(&unmapped("Nothing", "v1")), Retry::No);
}

#[test]
fn one_error_that_is_not_tried_again_decides_for_all() {
    let widget = unmapped("Widget", "example.com/v1");
    for other in ["Service \"a\" is invalid: spec: bad", "nobody knows this", "context deadline exceeded"] {
        assert_eq!(retry(&format!("{widget}\n{other}")), Retry::No, "{other}");
        assert_eq!(retry(&format!("{RACE} && {other}")), Retry::No, "{other}");
    }
}

#[test]
fn who_knows_more_than_the_text_is_believed() {
    let failure = Failure::told_by_helm(RACE);
    assert_eq!(Failure { class: FailureClass::Interrupted, ..failure }.retry(), Retry::No);
}

#[test]
fn nothing_is_concluded_from_a_text_that_was_cut() {
    let widget = unmapped("Widget", "example.com/v1");
    assert_eq!(retry(&format!("{widget}\n").repeat(TEXT_MAX / widget.len() + 1)), Retry::No);
    assert_eq!(retry(&format!("{RACE} && ").repeat(TEXT_MAX / RACE.len() + 1)), Retry::Bounded);
}
