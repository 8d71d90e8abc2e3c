use super::*;
use crate::model::FailureClass::*;
use crate::model::NextAction::*;
use crate::model::NextStep;

mod combined;
mod retry;
mod texts;

fn class(text: &str) -> FailureClass {
    Failure::told_by_helm(text).class
}

fn object(text: &str) -> Option<String> {
    Failure::told_by_helm(text)
        .object
        .map(|object| format!("{}/{}/{}", object.kind, object.namespace.unwrap_or_default(), object.name))
}

#[test]
fn what_real_helms_left_in_their_records_is_known() {
    for (text, expected, named) in [
        (
            "Upgrade \"deployed\" failed: cannot patch \"deployed\" with kind Service: Service \"deployed\" is invalid: [spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive, spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive]",
            Permanent,
            Some("Service//deployed"),
        ),
        (
            "Release \"refused\" failed: 1 error occurred:\n\t* Service \"refused\" is invalid: [spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive]\n\n",
            Permanent,
            Some("Service//refused"),
        ),
        ("Release \"wait-failed\" failed: context deadline exceeded", TimedOut, None),
        (
            "Release \"refused\" failed: server-side apply failed for object g4/refused /v1, Kind=Service: Service \"refused\" is invalid: [spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive]",
            Permanent,
            Some("Service/g4/refused"),
        ),
        (
            "Release \"hook-failed\" failed: failed pre-install: resource Job/g4/hook-failed-migrate not ready. status: InProgress, message: Job in progress\ncontext deadline exceeded",
            TimedOut,
            None,
        ),
        (
            "Release \"wait-failed\" failed: resource Deployment/g4/wait-failed not ready. status: InProgress, message: Available: 0/9",
            TimedOut,
            Some("Deployment/g4/wait-failed"),
        ),
        ("Release \"x\" failed: context canceled", Cancelled, None),
    ] {
        assert_eq!(class(text), expected, "{text}");
        if named.is_some() {
            assert_eq!(object(text).as_deref(), named, "{text}");
        }
    }
}

#[test]
fn what_lasts_says_what_to_do_and_leaves_no_place_unfilled() {
    for (class, text) in texts::TEXTS {
        let failure = Failure::told_by_helm(text);
        assert!(*class == Unknown || failure.advice.is_some(), "{text}");
        assert!(!failure.cause.contains('{') && !failure.cause.contains("(not named)"), "{}", failure.cause);
        let is_done = text.contains("release: not found");
        let is_beyond_buttons = failure.next.is_empty();
        assert_eq!(is_beyond_buttons, is_done, "{text}");
    }
}

#[test]
fn a_chart_or_a_policy_may_use_the_words_of_any_other_error() {
    for text in [
        "Error: INSTALLATION FAILED: admission webhook \"policy.example.com\" denied the request: images must come from our registry; connection reset by peer",
        "Error: INSTALLATION FAILED: execution error at (web/templates/a.yaml:3:4): context deadline exceeded, or so the chart says",
        "Error: INSTALLATION FAILED: parse error at (web/templates/a.yaml:1): unexpected EOF",
        "Error: INSTALLATION FAILED: values don't meet the specifications of the schema(s) in the following chart(s):\nweb:\n- host: no such host\n",
    ] {
        assert_eq!(class(text), Permanent, "{text}");
    }
}

#[test]
fn no_text_and_nothing_but_a_heading_are_unknown() {
    assert_eq!(Failure::told_by_helm(" ").cause, "helm failed without saying why.");
    assert_eq!(
        Failure::told_by_helm("Error: 2 errors occurred:\n").cause,
        "helm says: Error: 2 errors occurred:"
    );
}

#[test]
fn the_cause_says_what_the_text_says() {
    for (text, expected) in [
        (
            "secrets is forbidden: User \"eve\" cannot list resource \"secrets\" in API group \"\" in the namespace \"ns\"",
            "The identity that helm works with may not do this: list secrets in the namespace ns.",
        ),
        (
            "clusterroles.rbac.authorization.k8s.io is forbidden: User \"eve\" cannot create resource \"clusterroles\" in API group \"rbac.authorization.k8s.io\" at the cluster scope",
            "The identity that helm works with may not do this: create clusterroles.rbac.authorization.k8s.io in the whole cluster.",
        ),
        (
            "unable to recognize \"\": no matches for kind \"Widget\" in version \"example.com/v1\"",
            "The cluster does not know a kind of object that the chart uses: Widget of example.com/v1.",
        ),
        (
            "execution error at (web/templates/a.yaml:3:4): replicas must be set",
            "The chart refuses these values while it is rendered: replicas must be set.",
        ),
        (
            "Error: INSTALLATION FAILED: server-side apply failed for object team-a/shopfront apps/v1, Kind=Deployment: failed to create typed patch object (team-a/shopfront; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string",
            "A value is wrong: .spec.replicas: expected numeric (int or float), got string.",
        ),
        (
            "Error: INSTALLATION FAILED: values don't meet the specifications of the schema(s) in the following chart(s):\nqueue:\n- at '/replicas': maximum: got 99, want 9\n\n",
            "The values do not satisfy the chart's schema: replicas must be at most 9, not 99.",
        ),
    ] {
        assert_eq!(Failure::told_by_helm(text).cause, expected);
    }
}

#[test]
fn a_wait_that_ran_out_in_a_hook_says_so_and_offers_its_log() {
    let text = "Release \"a\" failed: failed pre-install: timed out waiting for the condition";
    assert!(Failure::told_by_helm(text).cause.starts_with("In a hook: "));
    assert_eq!(actions(text), [SeeHookLog, SeeResources, EditValues, TryAgain]);
}

fn actions(text: &str) -> Vec<NextAction> {
    Failure::told_by_helm(text).next.iter().map(|step| step.action).collect()
}

fn step(text: &str, action: NextAction) -> NextStep {
    let mut steps = Failure::told_by_helm(text).next.into_iter();
    steps.find(|step| step.action == action).unwrap_or_else(|| panic!("{action:?} is not offered: {text}"))
}

const IN_THE_WAY: &str = "Error: INSTALLATION FAILED: Unable to continue with install: Service \"web\" in namespace \"ns\" exists and cannot be imported into the current release: invalid ownership metadata; ";

#[test]
fn the_owner_of_an_object_in_the_way_is_offered_where_it_is_named() {
    let other = "annotation validation error: key \"meta.helm.sh/release-name\" must equal \"b\": current value is \"a\"";
    let elsewhere = "annotation validation error: key \"meta.helm.sh/release-namespace\" must equal \"ns\": current value is \"old\"";
    let owner = |text: &str| {
        let step = step(text, OpenOwner);
        (step.name, step.namespace)
    };
    let (a, old) = (Some("a".to_owned()), Some("old".to_owned()));
    assert_eq!(owner(&format!("{IN_THE_WAY}{other}")), (a.clone(), None));
    assert_eq!(owner(&format!("{IN_THE_WAY}{elsewhere}")), (None, old.clone()));
    assert_eq!(owner(&format!("{IN_THE_WAY}{other}; {elsewhere}")), (a, old));
    let nobody = "label validation error: missing key \"app.kubernetes.io/managed-by\": must be set to \"Helm\"; annotation validation error: missing key \"meta.helm.sh/release-name\": must be set to \"b\"";
    assert_eq!(actions(&format!("{IN_THE_WAY}{nobody}")), [ChooseAnotherName, EditValues]);
}

#[test]
fn the_form_opens_at_the_value_that_the_text_complains_of() {
    let schema = "values don't meet the specifications of the schema(s) in the following chart(s):\nweb:\n";
    for (text, field, line) in [
        (format!("{schema}- at '/image/tag': got number, want string\n"), Some("image.tag"), None),
        (format!("{schema}- image.tag: Invalid type. Expected: string, given: integer\n"), Some("image.tag"), None),
        (format!("{schema}- (root): Additional property x is not allowed\n"), None, None),
        (format!("{schema}- at '': missing property 'x'\n"), None, None),
        (
            "template: web/templates/a.yaml:3:14: executing \"web/templates/a.yaml\" at <.Values.image.tag>: nil pointer evaluating interface {}.tag".to_owned(),
            Some("image.tag"),
            None,
        ),
        ("Error: failed to parse /dev/stdin: error converting YAML to JSON: yaml: line 3: mapping values are not allowed in this context".to_owned(), None, Some(3)),
        ("Error: YAML parse error on web/templates/a.yaml: error converting YAML to JSON: yaml: line 3: did not find expected key".to_owned(), None, None),
    ] {
        let step = step(&text, EditValues);
        assert_eq!((step.field.as_deref(), step.line), (field, line), "{text}");
    }
}

#[test]
fn the_chart_whose_schema_complains_is_named() {
    let text = "Error: values don't meet the specifications of the schema(s) in the following chart(s):\nweb:\n- at '': missing property 'x'\nsub:\n- at '/image/tag': got number, want string\n";
    let step = step(text, EditValues);
    assert_eq!((step.chart.as_deref(), step.field.as_deref()), (Some("sub"), Some("image.tag")));
}

#[test]
fn one_lasting_error_among_passing_ones_makes_the_whole_last() {
    let text = "Error: UPGRADE FAILED: etcdserver: request timed out && cannot patch \"web\" with kind Service: Service \"web\" is invalid: spec: bad";
    let failure = Failure::told_by_helm(text);
    assert_eq!(failure.class, Permanent);
    assert_eq!(object(text).as_deref(), Some("Service//web"));
}

#[test]
fn an_unknown_error_beside_a_passing_one_keeps_it_from_being_tried_again() {
    assert_eq!(class("Error: UPGRADE FAILED: etcdserver: leader changed && something new"), Unknown);
}

#[test]
fn objects_are_found_in_each_of_the_forms() {
    for (text, expected) in [
        (
            "resource mapping not found for name: \"w\" namespace: \"ns\" from \"\": no matches for kind \"Widget\" in version \"example.com/v1\"",
            "Widget/ns/w",
        ),
        ("resource Deployment/ns/web not ready. status: InProgress", "Deployment/ns/web"),
        (
            "Unable to continue with install: Service \"web\" in namespace \"ns\" exists and cannot be imported into the current release: …",
            "Service/ns/web",
        ),
        (
            "cannot patch \"web\" with kind Deployment: Deployment.apps \"web\" is invalid: x",
            "Deployment//web",
        ),
        ("job migrate failed: BackoffLimitExceeded", "Job//migrate"),
        (
            "cronjobs.batch \"report-0\" is forbidden: exceeded quota: shop, requested: count/cronjobs.batch=1",
            "CronJob//report-0",
        ),
        ("pods \"web-x\" is forbidden: failed quota: q: must specify limits.cpu", "Pod//web-x"),
    ] {
        assert_eq!(object(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn a_long_text_is_cut_between_two_characters() {
    let failure = Failure::told_by_helm(&"é".repeat(TEXT_MAX));
    assert!(failure.text.len() <= TEXT_MAX && failure.text.ends_with('é'));
}

#[test]
fn the_quota_that_was_changed_is_named_and_not_what_was_created() {
    for text in [
        "Error: UPGRADE FAILED: cannot patch \"shop\" with kind Deployment: Operation cannot be fulfilled on resourcequotas \"compute\": the object has been modified; please apply your changes to the latest version and try again",
        "Error: UPGRADE FAILED: conflict occurred while applying object test-40/shop apps/v1, Kind=Deployment: Operation cannot be fulfilled on resourcequotas \"compute\": the object has been modified; please apply your changes to the latest version and try again",
    ] {
        let cause = Failure::told_by_helm(text).cause;
        assert_eq!(cause, "The quota compute was being updated by others at the same moment.");
    }
}

#[test]
fn what_other_values_can_cure_offers_to_edit_them() {
    for text in [
        texts::STRANGE,
        "",
        "server-side apply failed for object a/b apps/v1, Kind=Deployment: failed to create typed patch object (a/b; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string",
        "values don't meet the specifications of the schema(s) in the following chart(s):\nqueue:\n- at '/replicas': maximum: got 99, want 9\n",
        "resource Deployment/a/b not ready. status: InProgress, message: Available: 0/9",
        "context deadline exceeded",
        "Deployment in version \"v1\" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
    ] {
        assert!(actions(text).contains(&EditValues), "{text}");
    }
}

#[test]
fn a_namespace_that_is_missing_can_be_created_with_the_release() {
    let text = "Error: INSTALLATION FAILED: create: failed to create: namespaces \"demo-x\" not found";
    assert_eq!(Failure::told_by_helm(text).cause, "The namespace demo-x does not exist.");
    assert_eq!(actions(text)[0], CreateNamespace);
}

#[test]
fn what_stands_in_brackets_on_one_line_is_one_error() {
    let text = "server-side apply failed for object a/b /v1, Kind=Service: failed to create typed patch object (a/b; /v1, Kind=Service): .spec.x: field not declared in schema && a; b";
    let parts: Vec<_> = parts::of(text).into_iter().map(|part| part.text).collect();
    assert_eq!(parts.len(), 3, "{parts:?}");
    assert_eq!((parts[1], parts[2]), ("a", "b"));
}

#[test]
fn a_test_that_failed_is_told_as_that_whichever_helm_ran_it() {
    for (text, expected, named) in [
        (
            "Error: resource Pod/ns/shop-answers not ready. status: Failed, message: pod shop-answers failed",
            Test,
            Some("Pod/ns/shop-answers"),
        ),
        (
            "Error: resource Job/ns/shop-check not ready. status: Failed, message: Job Failed. failed: 1/1\nunable to get pod logs for shop-check: pods \"shop-check\" not found",
            Test,
            None,
        ),
        (
            "Error: resource Pod/ns/shop-answers not ready. status: Failed, message: pod shop-answers failed\nunable to get pod logs for shop-answers: pods \"shop-answers\" is forbidden: User \"eve\" cannot get resource \"pods/log\" in API group \"\" in the namespace \"ns\"",
            Test,
            Some("Pod/ns/shop-answers"),
        ),
        ("Error: 1 error occurred:\n\t* pod shop-answers failed\n\n", Test, Some("Pod//shop-answers")),
        (
            "Error: 1 error occurred:\n\t* job shop-check failed: BackoffLimitExceeded\n\n",
            Test,
            Some("Job//shop-check"),
        ),
        (
            "Error: resource Pod/ns/shop-answers not ready. status: InProgress, message: Pod in progress\ncontext deadline exceeded",
            TimedOut,
            None,
        ),
        ("Error: 1 error occurred:\n\t* timed out waiting for the condition\n\n", TimedOut, None),
        ("Error: release: not found", Permanent, None),
    ] {
        let failure = Failure::told_by_test(text);
        assert_eq!(failure.class, expected, "{text}");
        let object = failure.object.map(|it| [it.kind, it.namespace.unwrap_or_default(), it.name].join("/"));
        if named.is_some() {
            assert_eq!(object.as_deref(), named, "{text}");
        }
        let is_of_a_test = failure.next.first().is_some_and(|step| step.action == SeeTests);
        assert_eq!(is_of_a_test, expected != Permanent, "{text}");
        assert!(!failure.cause.contains("ready in time"), "{text}: {}", failure.cause);
    }
}
