use app::model::RecordSummary;
use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn record(manifest: &str) -> FullRecord {
    FullRecord {
        summary: RecordSummary::default(),
        notes: String::new(),
        config: Value::Null,
        chart_values: Value::Null,
        manifest: manifest.into(),
        hooks: vec![],
        definitions: vec![],
    }
}

/// The objects of `manifest`, as `source: kind namespace/name`.
fn found(manifest: &str) -> Vec<String> {
    let found = objects(&record(manifest));
    assert_eq!(found.skipped, 0, "{manifest}");
    found.objects.iter().map(told).collect()
}

fn told(found: &ManifestObject) -> String {
    let namespace = found.object.namespace.as_deref().unwrap_or("-");
    format!("{}: {} {namespace}/{}", found.source, found.object.kind, found.object.name)
}

#[test]
fn each_document_is_an_object_of_the_sub_chart_that_its_comment_names() {
    let manifest = "---\n# Source: platform/charts/auth/templates/a.yaml\napiVersion: v1\nkind: Service\nmetadata:\n  name: a\n\
                    ---\n# Source: platform/templates/b.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: b, namespace: other}\n";
    assert_eq!(found(manifest), ["platform/auth: Service -/a", "platform: Deployment other/b"]);
}

#[test]
fn a_path_names_its_sub_charts_however_deep_they_are() {
    for (path, chart) in [
        ("platform/templates/x.yaml", "platform"),
        ("platform/charts/auth/templates/x.yaml", "platform/auth"),
        ("platform/charts/auth/charts/redis/templates/sub/x.yaml", "platform/auth/redis"),
        ("platform/templates/charts/x.yaml", "platform"),
        ("platform", "platform"),
        ("", ""),
    ] {
        assert_eq!(sub_chart(path), chart, "{path}");
    }
}

#[test]
fn separators_are_taken_as_both_helms_take_them() {
    for manifest in [
        "kind: A\nmetadata: {name: a}\n---\nkind: B\nmetadata: {name: b}",
        "---\nkind: A\nmetadata: {name: a}\n---kind: B\nmetadata: {name: b}\n---\n",
        "\n\n--- # first\nkind: A\nmetadata: {name: a}\n---   \n\n\nkind: B\nmetadata: {name: b}\n",
        "---\r\nkind: A\r\nmetadata:\r\n  name: a\r\n---\r\nkind: B\r\nmetadata:\r\n  name: b\r\n",
        "---\n{\"kind\": \"A\", \"metadata\": {\"name\": \"a\"}}\n---\nkind: B\nmetadata: {name: b}",
    ] {
        assert_eq!(found(manifest), [": A -/a", ": B -/b"], "{manifest}");
    }
}

#[test]
fn dashes_inside_a_text_do_not_separate() {
    let manifest = "kind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: |\n    ---\n    kind: B\n";
    assert_eq!(found(manifest), [": ConfigMap -/a"]);
}

#[test]
fn blank_and_comment_only_documents_are_passed_over() {
    assert_eq!(
        found("---\n\n---\n# Source: p/templates/x.yaml\n# nothing\n---\n  # here\n---\n"),
        [] as [&str; 0]
    );
}

#[test]
fn a_list_is_the_objects_in_it() {
    let manifest = "# Source: p/templates/l.yaml\nkind: List\napiVersion: v1\nitems:\n\
                    - kind: A\n  metadata: {name: a}\n- kind: List\n  items:\n  - kind: B\n    metadata: {name: b}\n";
    assert_eq!(found(manifest), ["p: A -/a", "p: B -/b"]);
}

#[test]
fn an_object_of_ones_own_may_have_items_of_any_shape() {
    assert_eq!(found("kind: Menu\nmetadata: {name: m}\nitems: [soup, 3]\n"), [": Menu -/m"]);
    assert_eq!(found("kind: Menu\nmetadata: {name: m}\nitems: none\n"), [": Menu -/m"]);
}

#[test]
fn documents_that_name_no_object_are_counted_and_cost_no_other() {
    for bad in
        ["kind: A", "kind: A\nmetadata: null", "metadata: {name: a}", "kind: [", "just text", "- a\n- b"]
    {
        let found = objects(&record(&format!("{bad}\n---\nkind: B\nmetadata: {{name: b}}\n")));
        assert_eq!(found.objects.iter().map(told).collect::<Vec<_>>(), [": B -/b"], "{bad}");
        assert_eq!(found.skipped, 1, "{bad}");
    }
}

#[test]
fn hooks_come_last_with_their_events_and_how_they_went() {
    let mut record = record("kind: A\nmetadata: {name: a}");
    record.hooks = serde_json::from_value(serde_json::json!([{
        "path": "p/charts/db/templates/migrate.yaml",
        "manifest": "# Source: ignored\nkind: Job\nmetadata: {name: migrate}",
        "events": ["pre-install"],
        "last_run": {"phase": "Succeeded"},
    }]))
    .unwrap();
    let found = objects(&record);
    assert_eq!(found.objects.iter().map(told).collect::<Vec<_>>(), [": A -/a", "p/db: Job -/migrate"]);
    let hook =
        HookState { events: vec!["pre-install".into()], phase: "Succeeded".into(), ..HookState::default() };
    assert_eq!(found.objects[1].hook, Some(hook));
}

#[test]
fn a_large_release_is_cut_off_and_says_so() {
    let manifest = "---\nkind: A\nmetadata: {name: a}\n".repeat(MAX_OBJECTS + 2);
    let found = objects(&record(&manifest));
    assert_eq!((found.objects.len(), found.skipped), (MAX_OBJECTS, 2));
}

#[test]
fn aliases_that_multiply_are_refused() {
    let mut bomb = String::from("kind: A\nmetadata: {name: a}\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    let found = objects(&record(&bomb));
    assert_eq!((found.objects.len(), found.skipped), (0, 1));
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "([-a:{}\\[\\]#&*|>\n\r \t\"']|---|kind|List|metadata: |name: |items:){0,80}") {
        let _ = objects(&record(&text));
    }
}

#[test]
fn the_definitions_that_the_chart_brings_are_told_by_name() {
    let crd = |name: &str| {
        format!(
            "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {name}}}\n"
        )
    };
    let record =
        FullRecord { definitions: vec![crd("a") + &crd("b"), "nonsense: [".into(), crd("c")], ..record("") };
    assert_eq!(definitions(&record), ["a", "b", "c"]);
}
