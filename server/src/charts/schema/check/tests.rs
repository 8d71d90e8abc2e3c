//! What is wrong with values, and where it is said. Where helm has a word in it, helm 4.3.1 was asked.

use super::*;

fn chart(schema: &str, values: &str) -> Chart {
    let schema = (!schema.is_empty()).then(|| schema.to_owned());
    Chart { name: "web".into(), version: "1.0.0".into(), values: values.into(), schema, ..Chart::default() }
}

/// `line: path: message` of each problem; `-` for no line.
fn problems(chart: &Chart, text: &str) -> Vec<String> {
    let found = check(chart, text, "");
    assert_eq!(found.notes, Vec::<String>::new());
    let line = |problem: &ValuesProblem| problem.line.map_or("-".to_owned(), |line| line.to_string());
    let told = |problem: &ValuesProblem| {
        format!("{}: {}: {}", line(problem), problem.path.join("."), problem.message)
    };
    found.problems.iter().map(told).collect()
}

fn of_property(schema: &str, value: &str) -> Vec<String> {
    problems(&chart(&format!(r#"{{"properties": {{"p": {schema}}}}}"#), ""), &format!("p: {value}\n"))
}

fn sample() -> Chart {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../testbed/charts/schema/chart");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
    chart(&read("values.schema.json"), &read("values.yaml"))
}

#[test]
fn the_sample_charts_own_values_are_good() {
    assert_eq!(problems(&sample(), ""), Vec::<String>::new());
    assert_eq!(
        problems(&sample(), "replicas: 3\nlabels: {team: a}\nowner:\n  onCall: null\n"),
        Vec::<String>::new()
    );
}

#[test]
fn what_is_wrong_with_the_sample_charts_values_is_said_at_its_line() {
    let text = "# a remark\nreplicas: ten\nowner:\n  team: A\n  phone: 1\nstorage:\n  kind: disk\nqueues:\n  - name: ok\n  - durable: maybe\nlogLevel: loud\nnetwork:\n  ports: {amqp: 70000}\n";
    assert_eq!(
        problems(&sample(), text),
        [
            "2: replicas: This must be a whole number, not a text.",
            "4: owner.team: This must have at least 2 characters.",
            "4: owner.team: This does not match the pattern ^[a-z][a-z0-9-]*$.",
            "5: owner.phone: The chart has no value “phone” here.",
            "6: storage.class: “class” is required.",
            "10: queues.1.durable: This must be true or false, not a text.",
            "10: queues.1.name: “name” is required.",
            "11: logLevel: This must be one of: debug, info, warning, error.",
            "13: network.ports.amqp: This must be at most 65535.",
        ]
    );
}

#[test]
fn every_keyword_has_its_words() {
    for (schema, value, message) in [
        (
            r#"{"type": "string"}"#,
            "1",
            "This must be a text, not a number. Put it in quotation marks to make it a text.",
        ),
        (
            r#"{"type": "string"}"#,
            "yes",
            "This must be a text, not true or false. Put it in quotation marks to make it a text.",
        ),
        (
            r#"{"type": "integer"}"#,
            "\"1\"",
            "This must be a whole number, not a text. Take the quotation marks away.",
        ),
        (r#"{"type": "integer"}"#, "1.5", "This must be a whole number, not 1.5."),
        (r#"{"type": ["string", "null"]}"#, "[]", "This must be empty (null) or a text, not a list."),
        (r#"{"type": "object"}"#, "", "This must be a mapping, not empty (null)."),
        (r#"{"enum": [1, "", null]}"#, "2", "This must be one of: 1, an empty text, null."),
        (r#"{"const": "a"}"#, "b", "This can only be a."),
        (r#"{"minimum": 1}"#, "0", "This must be at least 1."),
        (r#"{"maximum": 1}"#, "2", "This must be at most 1."),
        (r#"{"exclusiveMinimum": 1}"#, "1", "This must be more than 1."),
        (r#"{"exclusiveMaximum": 1}"#, "1", "This must be less than 1."),
        (r#"{"multipleOf": 2}"#, "3", "This must be a multiple of 2."),
        (r#"{"minLength": 1}"#, "''", "This cannot be empty."),
        (r#"{"maxLength": 1}"#, "ab", "This must have at most 1 character."),
        (r#"{"minItems": 2}"#, "[1]", "This list must have at least 2 items."),
        (r#"{"maxItems": 1}"#, "[1, 2]", "This list must have at most 1 item."),
        (r#"{"uniqueItems": true}"#, "[1, 1]", "Two items of this list are the same."),
        (r#"{"contains": {"const": 1}}"#, "[2]", "This list lacks an item that the chart needs."),
        (r#"{"minProperties": 1}"#, "{}", "This must have at least 1 value."),
        (r#"{"maxProperties": 0}"#, "{a: 1}", "This must have at most 0 values."),
        (r#"{"not": {"type": "string"}}"#, "a", "The chart does not allow this here."),
        (r#"false"#, "a", "The chart does not allow this here."),
        (
            r#"{"oneOf": [{"minimum": 1}, {"minimum": 2}]}"#,
            "3",
            "This fits several of the chart’s alternatives, and only one may fit.",
        ),
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 3}]}"#,
            "2",
            "This must be at least 3.",
        ),
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "integer"}]}"#,
            "[]",
            "This fits none of the chart’s alternatives: This must be a text, not a list. Or: This must be a whole number, not a list.",
        ),
    ] {
        assert_eq!(of_property(schema, value), [format!("1: p: {message}")], "{schema} {value}");
    }
    assert_eq!(
        of_property(r#"{"propertyNames": {"maxLength": 1}}"#, "{ab: 1}"),
        ["1: p.ab: The name “ab” cannot be used: This must have at most 1 character."]
    );
    assert_eq!(of_property(r#"{"dependentRequired": {"a": ["b"]}}"#, "{a: 1}"), ["1: p.b: “b” is required."]);
    assert_eq!(
        of_property(r#"{"properties": {"a": true}, "unevaluatedProperties": false}"#, "{b: 1}"),
        ["1: p.b: The chart has no value “b” here."]
    );
}

#[test]
fn of_several_alternatives_the_one_that_was_meant_is_spoken_of() {
    let schema = r#"{"oneOf": [
        {"properties": {"kind": {"const": "disk"}}, "required": ["kind", "class"]},
        {"properties": {"kind": {"const": "memory"}}, "required": ["kind"], "additionalProperties": false}
    ]}"#;
    assert_eq!(of_property(schema, "{kind: disk}"), ["1: p.class: “class” is required."]);
    assert_eq!(
        of_property(schema, "{kind: memory, class: x}"),
        ["1: p.class: The chart has no value “class” here."]
    );
}

#[test]
fn formats_count_in_the_drafts_in_which_they_do_for_helm() {
    let of = |draft: &str| {
        let schema = format!(r#"{{"$schema": "{draft}", "properties": {{"p": {{"format": "email"}}}}}}"#);
        problems(&chart(&schema, ""), "p: nobody\n").len()
    };
    for (draft, found) in [
        ("http://json-schema.org/draft-04/schema#", 1),
        ("http://json-schema.org/draft-06/schema#", 1),
        ("http://json-schema.org/draft-07/schema#", 1),
        ("https://json-schema.org/draft/2019-09/schema", 0),
        ("https://json-schema.org/draft/2020-12/schema", 0),
    ] {
        assert_eq!(of(draft), found, "{draft}");
    }
}

#[test]
fn a_value_is_what_helm_makes_of_it() {
    for (schema, value) in [
        (r#"{"type": "integer"}"#, "1.0"),
        (r#"{"type": "integer"}"#, "1e3"),
        (r#"{"type": "integer", "const": 83}"#, "0123"),
        (r#"{"type": "boolean"}"#, "on"),
        (r#"{"type": "string"}"#, "2026-11-30"),
        (r#"{"type": "string"}"#, "1:30"),
        (r#"{"type": "integer"}"#, "12345678901234567890"),
        (r#"{"type": "null"}"#, "~"),
    ] {
        assert_eq!(of_property(schema, value), Vec::<String>::new(), "{schema} {value}");
        let four = format!(
            r#"{{"$schema": "http://json-schema.org/draft-04/schema#", "properties": {{"p": {schema}}}}}"#
        );
        if !schema.contains("const") {
            assert_eq!(
                problems(&chart(&four, ""), &format!("p: {value}\n")),
                Vec::<String>::new(),
                "draft 4, {value}"
            );
        }
    }
}

#[test]
fn what_the_user_did_not_write_is_not_said_at_a_line_of_theirs() {
    let web = chart(
        r#"{"required": ["a"], "properties": {"b": {"properties": {"c": {"type": "string"}}}}}"#,
        "b:\n  c: 1\n",
    );
    let of_b = "b.c: This must be a text, not a number. Put it in quotation marks to make it a text.";
    assert_eq!(problems(&web, "x: 1\n"), ["-: a: “a” is required.".to_owned(), format!("-: {of_b}")]);
    assert_eq!(
        problems(&web, "a: 1\nb:\n  d: 1\n"),
        [format!("2: {of_b}")],
        "the key around it that they wrote"
    );
    assert_eq!(problems(&web, "a: 1\nb: {c: null}\n"), Vec::<String>::new());
}

#[test]
fn what_lies_below_counts_and_has_no_line() {
    let web = chart(r#"{"required": ["a"], "properties": {"a": {"type": "integer"}}}"#, "");
    let found = check(&web, "b: 1\n", "a: x\n");
    assert_eq!((found.problems.len(), found.problems[0].line), (1, None));
    assert_eq!(check(&web, "a: 2\n", "a: x\n").problems, []);
}

#[test]
fn each_chart_in_the_chart_sees_its_own_values() {
    let db = Chart {
        name: "db".into(),
        ..chart(
            r#"{"properties": {"size": {"type": "integer"}, "global": {"properties": {"zone": {"enum": ["a"]}}}}}"#,
            "size: 1\n",
        )
    };
    let mut web = Chart { charts: vec![db], ..chart("", "") };
    assert_eq!(
        problems(&web, "db:\n  size: big\n"),
        ["2: db.size: This must be a whole number, not a text."]
    );
    assert_eq!(problems(&web, "global:\n  zone: b\n"), ["-: db.global.zone: This must be one of: a."]);
    assert_eq!(problems(&web, "db: 1\n"), ["1: db: The values of the chart db must be a mapping."]);
    web.dependencies = vec![crate::charts::tree::Dependency {
        name: "db".into(),
        condition: "db.enabled".into(),
        ..Default::default()
    }];
    assert_eq!(
        problems(&web, "db: {size: big, enabled: false}\n"),
        Vec::<String>::new(),
        "what is off is not checked"
    );
}

#[test]
fn what_is_no_yaml_is_said_at_its_line() {
    let web = chart("{}", "");
    let found = problems(&web, "a: 1\nb: c: d\n");
    assert!(found.len() == 1 && found[0].starts_with("2: : This is not valid YAML"), "{found:?}");
    assert!(problems(&web, "- a\n")[0].contains("mapping of names"));
    let two = problems(&web, "a: 1\n---\na: 2\n");
    assert!(two[0].starts_with("3: : There is more than one document"), "{two:?}");
    assert_eq!(problems(&web, "---\na: 1\n---\n"), Vec::<String>::new());
}

#[test]
fn a_schema_that_is_no_good_is_a_note_and_never_a_hang() {
    let deep = format!("{}{}", r#"{"not": "#.repeat(90), "{}".to_owned() + &"}".repeat(90));
    let doubling: Vec<String> = (1..60)
        .map(|n| {
            format!(
                r##""d{n}": {{"allOf": [{{"$ref": "#/$defs/d{}"}}, {{"$ref": "#/$defs/d{}"}}]}}"##,
                n - 1,
                n - 1
            )
        })
        .collect();
    let doubling = format!(r##"{{"$ref": "#/$defs/d59", "$defs": {{"d0": {{}}, {}}}}}"##, doubling.join(","));
    for (schema, words) in [
        ("{", "cannot be read"),
        (r##"{"$ref": "#"}"##, "refers to itself"),
        (&doubling, "too long"),
        (r#"{"properties": {"a": {"pattern": "(?=a)b"}}}"#, "no good"),
        (r#"{"properties": {"a": {"pattern": "(a{1000}){1000}"}}}"#, "no good"),
        (r#"{"type": "file"}"#, "no good"),
        (r##"{"$ref": "#/nowhere"}"##, "no good"),
    ] {
        let found = check(&chart(schema, ""), "a: b\n", "");
        assert_eq!(found.problems, [], "{schema:.40}");
        assert!(found.notes.len() == 1 && found.notes[0].contains(words), "{schema:.40}: {:?}", found.notes);
    }
    check(&chart(&deep, ""), "a: b\n", "");
}

#[test]
fn what_a_value_never_meets_cannot_hang_either() {
    let doubling =
        r#""allOf": [X, X], "anyOf": [X, X], "properties": {"a": X, "b": X}, "additionalProperties": X"#;
    let left_over = r#""allOf": [X, X], "unevaluatedProperties": false"#;
    for (last, body) in [
        (40, doubling),
        (40, left_over),
        (40, r#""oneOf": [X, X], "unevaluatedItems": X"#),
        (50_000, "\"$ref\": \"#/$defs/dN\""),
        (50_000, r#""properties": {"a": X}"#),
        (50_000, r#""allOf": [X]"#),
    ] {
        let body = body.replace('X', r##"{"$ref": "#/$defs/dN"}"##);
        let definitions: Vec<String> = (1..=last)
            .map(|n| format!(r#""d{n}": {{{}}}"#, body.replace("dN", &format!("d{}", n - 1))))
            .collect();
        let schema = format!(
            r##"{{"properties": {{"never": {{"$ref": "#/$defs/d{last}"}}}}, "$defs": {{"d0": {{}}, {}}}}}"##,
            definitions.join(",")
        );
        let (web, began) = (chart(&schema, ""), std::time::Instant::now());
        let found = std::thread::Builder::new()
            .stack_size(super::super::STACK)
            .spawn(move || check(&web, "a: 1\n", ""))
            .unwrap();
        assert_eq!(found.join().unwrap().problems, []);
        assert!(began.elapsed().as_secs() < 20, "{body}");
    }
}

#[test]
fn a_pattern_that_takes_others_for_ever_takes_no_time() {
    let web = chart(r#"{"properties": {"a": {"pattern": "^(a+)+$"}}}"#, "");
    let began = std::time::Instant::now();
    assert_eq!(problems(&web, &format!("a: {}!\n", "a".repeat(100_000))).len(), 1);
    assert!(began.elapsed().as_secs() < 20);
}

#[test]
fn what_is_described_elsewhere_allows_everything() {
    for schema in [
        r#"{"properties": {"a": {"$ref": "https://example.org/x.json"}, "b": {"type": "string"}}}"#,
        r#"{"$schema": "https://example.org/own-draft", "properties": {"b": {"type": "string"}}}"#,
    ] {
        assert_eq!(problems(&chart(schema, ""), "a: 1\nb: 2\n").len(), 1, "{schema}");
    }
}

#[test]
fn there_are_not_more_problems_than_anybody_reads() {
    let web = chart(r#"{"additionalProperties": {"type": "string"}}"#, "");
    let text: String = (0..5_000).map(|n| format!("k{n}: {n}\n")).collect();
    assert_eq!(problems(&web, &text).len(), PROBLEMS_MAX);
    let closed = chart(r#"{"properties": {"x": true}, "additionalProperties": false}"#, "");
    assert_eq!(problems(&closed, &text).len(), PROBLEMS_MAX);
}
