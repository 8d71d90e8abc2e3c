use super::*;
use crate::releases::manifest::texts;

fn told(comparison: &Comparison) -> Vec<(&str, PartChange, u32, u32)> {
    comparison.parts.iter().map(|it| (it.title.as_str(), it.change, it.added, it.removed)).collect()
}

#[test]
fn two_texts_differ_by_lines_with_some_around_them() {
    let before = "a\nb\nc\nd\ne\nf\ng\n";
    let comparison = of_texts(before, "a\nb\nc\nD\ne\nf\ng\n");
    assert_eq!(told(&comparison), [("", PartChange::Changed, 1, 1)]);
    assert_eq!(comparison.parts[0].unified, "@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+D\n e\n f\n g\n");
    assert!(of_texts(before, before).parts.is_empty());
}

#[test]
fn the_beginning_and_the_end_of_a_text_differ_like_the_rest() {
    for (before, after, unified) in [
        ("", "a\n", "@@ -0,0 +1 @@\n+a\n"),
        ("a\n", "", "@@ -1 +0,0 @@\n-a\n"),
        ("a", "a\nb", "@@ -1 +1,2 @@\n-a\n+a\n+b\n"),
    ] {
        let found = of_texts(before, after).parts.remove(0).unified;
        assert_eq!(found, unified, "{before:?} {after:?}");
    }
}

#[test]
fn objects_are_told_from_each_other_by_what_they_are_and_not_by_where_they_stand() {
    let object = |kind: &str, name: &str, more: &str| {
        format!(
            "---\n# Source: p/templates/x.yaml\nkind: {kind}\napiVersion: v1\nmetadata:\n  name: {name}\n{more}"
        )
    };
    let before = [
        object("Service", "a", "spec: {port: 1}\n"),
        object("ConfigMap", "gone", ""),
        object("ConfigMap", "same", "data: {}\n"),
        object("Secret", "s", "data: {p: YQ==}\n"),
    ];
    let after = [
        object("Secret", "s", "data: {p: Yg==}\n"),
        object("ConfigMap", "same", "data: {}\n"),
        object("Service", "a", "spec: {port: 2}\n"),
        object("ConfigMap", "new", ""),
    ];
    let comparison = of_manifests(&texts(&before.concat(), ""), &texts(&after.concat(), &after[3]));
    use PartChange::{Added, Changed, Removed};
    assert_eq!(
        told(&comparison),
        [
            ("ConfigMap gone", Removed, 0, 4),
            ("ConfigMap new", Added, 4, 0),
            ("Secret s", Changed, 1, 1),
            ("Service a", Changed, 1, 1),
            ("ConfigMap new", Added, 4, 0),
        ]
    );
    assert_eq!(comparison.unchanged, 1);
    let sensitive: Vec<_> = comparison.parts.iter().map(|it| it.is_sensitive).collect();
    assert_eq!(sensitive, [false, false, true, false, false]);
    assert!(comparison.parts[4].is_hook && comparison.parts[3].source == "p");
}

#[test]
fn a_newer_version_of_its_kind_is_the_same_object() {
    let object = |version: &str| {
        format!("kind: HorizontalPodAutoscaler\napiVersion: autoscaling/{version}\nmetadata: {{name: a}}\n")
    };
    let comparison = of_manifests(&texts(&object("v1"), ""), &texts(&object("v2"), ""));
    assert_eq!(told(&comparison), [("HorizontalPodAutoscaler a", PartChange::Changed, 1, 1)]);
}

#[test]
fn two_documents_of_one_name_and_those_of_none_are_compared_in_their_order() {
    let (a, b) = ("kind: A\nmetadata: {name: x}\n", "kind: A\nmetadata: {name: x}\nn: 2\n");
    let comparison = of_manifests(&texts(&format!("{a}---\n{a}"), ""), &texts(&format!("{a}---\n{b}"), ""));
    assert_eq!(told(&comparison), [("A x", PartChange::Changed, 1, 0)]);
    assert_eq!(comparison.unchanged, 1);
}

#[test]
fn a_move_to_another_template_is_no_change() {
    let object = |path: &str| format!("---\n# Source: p/templates/{path}\nkind: A\nmetadata: {{name: x}}\n");
    let comparison = of_manifests(&texts(&object("a.yaml"), ""), &texts(&object("b.yaml"), ""));
    assert_eq!((comparison.parts.len(), comparison.unchanged), (0, 1));
}

#[test]
fn what_is_too_long_to_be_told_is_cut_and_says_so() {
    let lines = |from: u32| -> String { (from..from + 20_000).map(|line| format!("{line}\n")).collect() };
    let part = of_texts(&lines(0), &lines(50_000)).parts.remove(0);
    assert!(part.is_cut && part.unified.lines().count() <= LINES_MAX + 1);
    assert_eq!((part.added, part.removed), (20_000, 20_000));

    let large =
        |name: usize| format!("---\nkind: A\nmetadata: {{name: x{name}}}\nd: {}\n", "y".repeat(1024 * 1024));
    let many: String = (0..6).map(large).collect();
    let comparison = of_manifests(&[], &texts(&many, ""));
    assert_eq!((comparison.parts.len(), comparison.left_out), (3, 3));
}
