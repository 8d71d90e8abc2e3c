//! What helm reads, and where.

use serde_json::json;

use super::*;

fn value(text: &str) -> Value {
    Value::Object(read(text).unwrap().to_map())
}

fn refused(text: &str) -> (Option<u32>, String) {
    let error = read(text).unwrap_err();
    (error.at.map(|at| at.line), error.message)
}

#[test]
fn values_are_what_helm_makes_of_them() {
    for (text, expected) in [
        ("", json!({})),
        ("# nothing\n", json!({})),
        ("---\n", json!({})),
        ("null\n", json!({})),
        ("{}", json!({})),
        (
            "a: 0123\nb: yes\nc: 1e3\nd: 'yes'\ne: \"1\"\nf:\ng: ~\n",
            json!({"a": 83, "b": true, "c": 1000, "d": "yes", "e": "1", "f": null, "g": null}),
        ),
        (
            "a: !!str 1\nb: !!int \"2\"\nc: !thing 3\nd: !!binary aGk=\ne: ! 4\n",
            json!({"a": "1", "b": 2, "c": "3", "d": "hi", "e": "4"}),
        ),
        ("1: a\ntrue: b\n1.5: c\nyes: d\n", json!({"1": "a", "true": "d", "1.5": "c"})),
        ("a: 1\na: 2\n", json!({"a": 2})),
        ("a: &x {b: 1}\nc: *x\n", json!({"a": {"b": 1}, "c": {"b": 1}})),
        ("d: &x {b: 1, c: 2}\ne:\n  <<: *x\n  b: 3\n", json!({"d": {"b": 1, "c": 2}, "e": {"b": 3, "c": 2}})),
        (
            "d: &x {b: 1}\nf: &y {b: 2, c: 2}\ne:\n  <<: [*x, *y]\n",
            json!({"d": {"b": 1}, "f": {"b": 2, "c": 2}, "e": {"b": 1, "c": 2}}),
        ),
        ("e: {b: 3, <<: {b: 1}}\n", json!({"e": {"b": 1}})),
        ("a: {x: 1, z: 2}\n---\na: {z: 3}\nb: [1]\n---\nb: [2]\n", json!({"a": {"x": 1, "z": 3}, "b": [2]})),
        ("a: |\n  # no comment\n  b\nc: >-\n  d\n  e\n", json!({"a": "# no comment\nb\n", "c": "d e"})),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn what_helm_does_not_read_is_refused_at_its_line() {
    for (text, line, words) in [
        ("a: 1\nb: c: d\n", 2, "not valid YAML"),
        ("a: 1\n\tb: 2\n", 1, "not valid YAML"),
        ("- a\n", 1, "mapping of names"),
        ("just text\n", 1, "mapping of names"),
        ("a: 1\nb: .nan\n", 2, "no such number"),
        ("a: 1\nb: !!int x\n", 2, "what its tag says"),
        ("a:\n  [1, 2]: b\n", 2, "cannot be a key"),
        ("a: 1\n~: 2\n", 2, "A key is"),
        ("a: 1\nb: *x\n", 2, ""),
        ("a: &x\n  b: *x\n", 2, ""),
        ("a:\n  <<: 1\n", 2, "`<<` takes"),
    ] {
        let (at, message) = refused(text);
        assert_eq!(at, Some(line), "{text}: {message}");
        assert!(message.contains(words), "{text}: {message}");
    }
}

#[test]
fn what_would_take_too_much_is_refused() {
    let mut laughs = String::from("a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n");
    for level in 1..12 {
        let inner = vec![format!("*a{}", level - 1); 10].join(", ");
        laughs.push_str(&format!("a{level}: &a{level} [{inner}]\n"));
    }
    assert!(refused(&laughs).1.contains("more values"));
    let anchored: String = (0..95).map(|level| format!("{}a: &x{level}\n", " ".repeat(level))).collect();
    let anchored = format!("{anchored}{}[{}1]\n", " ".repeat(95), "1,".repeat(50_000));
    assert!(refused(&anchored).1.contains("more values"));
    assert!(read(&format!("a: {}", "[".repeat(100_000))).is_err());
    let deep: String = (0..500).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    assert!(read(&deep).is_err());
}

#[test]
fn each_key_has_its_place_and_the_comment_above_it() {
    let text = "# -- How many.\n# Two lines.\nreplicas: 2\n\n# A heading\n\nimage:\n  ## @param image.tag [string] The tag\n  ##\n  tag: x # not this\n  # ====\n  # @section more\n  other: |\n    # in a text\nlast: {a: 1, b: 2}\n";
    let values = read(text).unwrap();
    let replicas = values.get("replicas").unwrap();
    assert_eq!(replicas.at, Place { line: 3, column: 1 });
    assert_eq!(replicas.comment.as_deref(), Some("How many.\nTwo lines."));
    let image = values.get("image").unwrap();
    assert_eq!(image.comment, None);
    let tag = image.value.pairs().unwrap().get("tag").unwrap();
    assert_eq!((tag.at, tag.comment.as_deref()), (Place { line: 10, column: 3 }, Some("The tag")));
    assert_eq!(image.value.pairs().unwrap().get("other").unwrap().comment, None);
    assert_eq!(values.get("last").unwrap().comment, None);
}

#[test]
fn a_value_is_written_as_it_was_read() {
    for text in [
        "a: 0123",
        "b: 1e3",
        "c: 9007199254740993",
        "d: null",
        "e: yes",
        "f: \"1e3\"",
        "g: []",
        "h: {}",
        "i:\n  - 1\n  - a: b\n    c: d\n  - - x\n    - y",
        "\"a b\": 1",
        "\"1\": 2",
        "k: \"a\\nb\\n\"",
    ] {
        let values = read(text).unwrap();
        let at = Place { line: 1, column: 1 };
        assert_eq!(Node { at, content: Content::Map(values) }.to_yaml(), text);
    }
}

proptest::proptest! {
    #[test]
    fn no_text_brings_it_down(text in "[a-c0-9:#&*<>|!?,{}\\[\\]'\" \n-]{0,60}") {
        let _ = read(&text);
    }

    #[test]
    fn what_is_written_is_read_as_the_same(values in proptest::collection::vec((".{0,8}", ".{0,12}"), 0..6)) {
        let text: String = values.iter().map(|(key, value)| format!("{}: [{}]\n", Value::from(key.as_str()), Value::from(value.as_str()))).collect();
        if let Ok(read_once) = read(&text) {
            let at = Place { line: 1, column: 1 };
            let written = Node { at, content: Content::Map(read_once.clone()) }.to_yaml();
            proptest::prop_assert_eq!(read(&written).unwrap().to_map(), read_once.to_map());
        }
    }
}
