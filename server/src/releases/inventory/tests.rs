use super::*;

fn kind(kind: &str) -> KindName {
    KindName { api_version: "v1".into(), kind: kind.into() }
}

fn object(kind: &str, namespace: Option<&str>, name: &str) -> ManifestObject {
    let namespace = namespace.map(str::to_owned);
    let object = ObjectRef { api_version: "v1".into(), kind: kind.into(), namespace, name: name.into() };
    ManifestObject { object, source: "web".into(), hook: None }
}

fn hook(phase: &str) -> ManifestObject {
    let hook = HookState { events: vec!["pre-install".into()], phase: phase.into(), ..HookState::default() };
    ManifestObject { hook: Some(hook), ..object("Job", None, "migrate") }
}

fn ready(name: &str) -> Judged {
    let course = Course { created: Some(Timestamp(1)), ..Course::default() };
    Judged { name: name.into(), course, heard: Timestamp(2), verdict: Verdict::new(Health::Ready, "Exists") }
}

fn two_services() -> Inventory {
    Inventory::new(vec![object("Service", None, "a"), object("Service", None, "b")], "ns", None)
}

fn feed(inventory: &mut Inventory, of: &str, changes: impl IntoIterator<Item = Change<Judged>>) {
    for change in changes {
        inventory.apply(&kind(of), Some("ns"), change);
    }
}

/// `name health` each.
fn shown(inventory: &Inventory) -> Vec<String> {
    inventory.resources().iter().map(|it| format!("{} {:?}", it.object.name, it.health)).collect()
}

#[test]
fn an_object_is_unknown_until_its_list_is_complete_and_missing_if_it_is_not_in_it() {
    let mut inventory = two_services();
    feed(&mut inventory, "Service", [Change::Restarted, Change::Listed(ready("a"))]);
    assert_eq!(
        (shown(&inventory), inventory.is_settled()),
        (vec!["a Ready".into(), "b Unknown".into()], false)
    );
    feed(&mut inventory, "Service", [Change::Complete]);
    assert_eq!(
        (shown(&inventory), inventory.is_settled()),
        (vec!["a Ready".into(), "b Missing".into()], true)
    );
}

#[test]
fn it_comes_and_goes_as_the_watch_tells() {
    let mut inventory = two_services();
    feed(&mut inventory, "Service", [Change::Restarted, Change::Complete, Change::Written(ready("b"))]);
    assert_eq!(shown(&inventory), ["a Missing", "b Ready"]);
    feed(&mut inventory, "Service", [Change::Removed(ready("b"))]);
    assert_eq!(shown(&inventory), ["a Missing", "b Missing"]);
}

#[test]
fn an_object_that_the_manifest_does_not_name_is_passed_over() {
    let mut inventory = two_services();
    feed(&mut inventory, "Service", [Change::Restarted, Change::Listed(ready("stranger")), Change::Complete]);
    assert_eq!(shown(&inventory), ["a Missing", "b Missing"]);
}

#[test]
fn an_object_with_a_namespace_lies_there_and_one_without_in_the_releases() {
    let inventory =
        Inventory::new(vec![object("Service", Some("other"), "a"), object("Service", None, "b")], "ns", None);
    let places: Vec<_> = inventory.places(&kind("Service")).into_keys().flatten().collect();
    assert_eq!(places, ["ns", "other"]);
}

#[test]
fn a_cluster_scoped_kind_has_no_namespace_whatever_the_manifest_says() {
    let mut inventory = Inventory::new(
        vec![object("ClusterRole", Some("odd"), "a"), object("ClusterRole", None, "b")],
        "ns",
        None,
    );
    inventory.set_cluster_scoped(&kind("ClusterRole"));
    assert_eq!(inventory.places(&kind("ClusterRole")).into_keys().collect::<Vec<_>>(), [None]);
    for change in [Change::Restarted, Change::Listed(ready("b")), Change::Complete] {
        inventory.apply(&kind("ClusterRole"), None, change);
    }
    assert_eq!(shown(&inventory), ["a Missing", "b Ready"]);
}

#[test]
fn a_kind_that_may_not_be_read_costs_its_own_rows_alone() {
    let mut inventory =
        Inventory::new(vec![object("Service", None, "a"), object("Role", None, "r")], "ns", None);
    feed(&mut inventory, "Service", [Change::Restarted, Change::Listed(ready("a")), Change::Complete]);
    feed(&mut inventory, "Role", [Change::Restarted, Change::Failed(ClusterError::Forbidden("no".into()))]);
    assert_eq!(shown(&inventory), ["a Ready", "r Unknown"]);
    assert_eq!(inventory.resources()[1].message, "Slipway may not read Role objects in namespace ns");
    assert!(inventory.is_settled());
}

#[test]
fn an_outage_leaves_what_is_known_and_says_so_of_what_is_not() {
    let mut inventory = two_services();
    feed(&mut inventory, "Service", [Change::Restarted, Change::Listed(ready("a"))]);
    feed(&mut inventory, "Service", [Change::Failed(ClusterError::Unreachable("reset".into()))]);
    assert_eq!(shown(&inventory), ["a Ready", "b Unknown"]);
    assert_eq!(inventory.resources()[1].message, "The cluster does not answer for it at the moment");
}

#[test]
fn an_unknown_kind_says_why_until_it_is_known() {
    let mut inventory = Inventory::new(vec![object("Gadget", None, "g")], "ns", None);
    inventory.set_unreadable(&kind("Gadget"), "The cluster does not know this kind");
    assert_eq!(inventory.resources()[0].message, "The cluster does not know this kind");
    feed(&mut inventory, "Gadget", [Change::Restarted, Change::Listed(ready("g")), Change::Complete]);
    assert_eq!(shown(&inventory), ["g Ready"]);
}

#[test]
fn a_hook_that_is_gone_is_judged_by_its_last_run() {
    for (phase, health, message) in [
        ("", Health::NotYet, "Has not run"),
        ("Unknown", Health::NotYet, "Has not run"),
        ("Running", Health::Progressing, "About to run"),
        ("Succeeded", Health::Ready, "Ran successfully"),
        ("Failed", Health::Failed, "Failed when it ran last"),
    ] {
        let mut inventory = Inventory::new(vec![hook(phase)], "ns", None);
        feed(&mut inventory, "Job", [Change::Restarted, Change::Complete]);
        let resource = inventory.resources().remove(0);
        assert_eq!((resource.health, resource.message.as_str()), (health, message), "{phase}");
    }
}

#[test]
fn a_new_revision_starts_from_what_is_known_of_the_objects_that_it_shares() {
    let mut before = two_services();
    feed(&mut before, "Service", [Change::Restarted, Change::Listed(ready("a")), Change::Complete]);
    let after =
        Inventory::new(vec![object("Service", None, "a"), object("Service", None, "c")], "ns", Some(&before));
    assert_eq!(shown(&after), ["a Ready", "c Unknown"]);
}

#[test]
fn when_it_was_first_ready_is_kept_as_it_is_seen_and_handed_on() {
    let mut inventory = two_services();
    feed(&mut inventory, "Service", [Change::Restarted, Change::Listed(ready("a")), Change::Complete]);
    feed(&mut inventory, "Service", [Change::Written(ready("b"))]);
    let settled = |inventory: &Inventory| -> Vec<_> {
        inventory.courses().into_iter().map(|it| it.course.settled).collect()
    };
    assert_eq!(settled(&inventory), [None, Some(Timestamp(2))]);
    let again = Inventory::new(vec![object("Service", None, "b")], "ns", Some(&inventory));
    assert_eq!(settled(&again), [Some(Timestamp(2))]);
}
