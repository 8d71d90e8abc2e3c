//! What the form makes of schemas and values.

use app::model::FormLimits;

use super::*;

fn chart(schema: &str, values: &str) -> Chart {
    let schema = (!schema.is_empty()).then(|| schema.to_owned());
    Chart { name: "web".into(), version: "1.0.0".into(), values: values.into(), schema, ..Chart::default() }
}

fn form(schema: &str, values: &str) -> Form {
    of(&chart(schema, values))
}

/// The field at a path of keys; `*` is a list's item, `~` a mapping's other names.
fn at<'a>(form: &'a Form, path: &str) -> &'a FormField {
    path.split('.').filter(|part| !part.is_empty()).fold(&form.root, |field, part| match part {
        "*" => field.item.as_deref().unwrap(),
        "~" => field.other.as_deref().unwrap(),
        _ => field
            .fields
            .iter()
            .find(|field| field.key == part)
            .unwrap_or_else(|| panic!("{path} in {field:?}")),
    })
}

/// A field of which only the property `p` of the schema says something.
fn property(schema: &str) -> FormField {
    at(&form(&format!(r#"{{"properties": {{"p": {schema}}}}}"#), ""), "p").clone()
}

fn keys(field: &FormField) -> Vec<&str> {
    field.fields.iter().map(|field| field.key.as_str()).collect()
}

#[test]
fn the_sample_chart_has_a_form_of_all_its_values() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../testbed/charts/schema/chart");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
    let form = form(&read("values.schema.json"), &read("values.yaml"));
    assert_eq!((form.has_schema, form.notes.len(), form.definitions.len()), (true, 0, 0));
    assert_eq!(
        keys(&form.root),
        [
            "replicas",
            "owner",
            "environment",
            "logLevel",
            "storage",
            "queues",
            "network",
            "tls",
            "labels",
            "startup",
            "backup",
            "memory",
            "global",
            "extra",
            "console"
        ]
    );
    assert!(form.root.closed);
    let replicas = at(&form, "replicas");
    assert_eq!((replicas.kind, replicas.default.as_deref()), (FieldKind::Integer, Some("1")));
    assert_eq!(
        (replicas.limits.minimum.as_deref(), replicas.limits.maximum.as_deref()),
        (Some("1"), Some("9"))
    );
    let owner = at(&form, "owner");
    assert!(owner.required && owner.description.as_deref() == Some("Who is responsible; required."));
    assert!(at(&form, "owner.team").required && at(&form, "owner.onCall").nullable);
    assert_eq!(at(&form, "owner.onCall").kind, FieldKind::Text);
    assert_eq!(at(&form, "environment").choices.len(), 3);
    assert_eq!(at(&form, "storage.sizeGiB").limits.above.as_deref(), Some("0"));
    assert_eq!((at(&form, "queues").kind, at(&form, "queues.*.name").required), (FieldKind::Array, true));
    assert_eq!(at(&form, "queues.*.maxLength").suggestion.as_deref(), Some("1000"));
    let port = at(&form, "network.ports.amqp");
    assert_eq!((port.kind, port.limits.maximum.as_deref()), (FieldKind::Integer, Some("65535")));
    assert!(at(&form, "network.allowedCidrs").limits.unique);
    assert_eq!(at(&form, "labels.~").limits.longest, Some(63));
}

#[test]
fn every_draft_is_understood() {
    for (draft, definitions, schema) in [
        (
            "http://json-schema.org/draft-04/schema#",
            "definitions",
            r#""minimum": 1, "exclusiveMinimum": true"#,
        ),
        ("http://json-schema.org/draft-06/schema#", "definitions", r#""exclusiveMinimum": 1"#),
        ("http://json-schema.org/draft-07/schema", "definitions", r#""exclusiveMinimum": 1"#),
        ("https://json-schema.org/draft/2019-09/schema", "$defs", r#""exclusiveMinimum": 1"#),
        ("https://json-schema.org/draft/2020-12/schema", "$defs", r#""exclusiveMinimum": 1"#),
    ] {
        let text = format!(
            r##"{{"$schema": "{draft}", "properties": {{"p": {{"$ref": "#/{definitions}/n", "title": "P"}}}}, "{definitions}": {{"n": {{"type": "integer", {schema}}}}}}}"##
        );
        let form = form(&text, "");
        let field = at(&form, "p");
        assert_eq!((field.kind, field.title.as_deref()), (FieldKind::Integer, Some("P")), "{draft}");
        assert_eq!((field.limits.above.as_deref(), &field.limits.minimum), (Some("1"), &None), "{draft}");
    }
}

#[test]
fn what_stands_beside_a_reference_limits_only_where_the_draft_says_so() {
    let of = |draft: &str| {
        let text = format!(
            r##"{{"$schema": "{draft}", "properties": {{"p": {{"$ref": "#/definitions/n", "maximum": 5}}}}, "definitions": {{"n": {{"type": "integer"}}}}}}"##
        );
        at(&form(&text, ""), "p").limits.maximum.clone()
    };
    assert_eq!(of("http://json-schema.org/draft-07/schema#"), None);
    assert_eq!(of("https://json-schema.org/draft/2019-09/schema").as_deref(), Some("5"));
}

#[test]
fn each_kind_of_value_is_told() {
    for (schema, kind) in [
        (r#"{"type": "string"}"#, FieldKind::Text),
        (r#"{"type": "integer"}"#, FieldKind::Integer),
        (r#"{"type": "number"}"#, FieldKind::Number),
        (r#"{"type": ["integer", "number"]}"#, FieldKind::Number),
        (r#"{"type": "boolean"}"#, FieldKind::Boolean),
        (r#"{"type": "object"}"#, FieldKind::Object),
        (r#"{"properties": {}, "additionalProperties": false}"#, FieldKind::Object),
        (r#"{"type": "array", "items": {"type": "string"}}"#, FieldKind::Array),
        (r#"{"items": {"type": "string"}}"#, FieldKind::Array),
        (r#"{"enum": ["a", 1, null]}"#, FieldKind::Choice),
        (r#"{"const": 1}"#, FieldKind::Choice),
        (r#"{"type": ["string", "integer"]}"#, FieldKind::Variants),
        (r#"{"type": ["string", "null"]}"#, FieldKind::Text),
        (r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, FieldKind::Text),
        (r#"{"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]}"#, FieldKind::Choice),
        (r#"{"type": "string", "anyOf": [{"pattern": "^a"}, {"pattern": "^b"}]}"#, FieldKind::Text),
        (r#"{"pattern": "^a"}"#, FieldKind::Text),
        (r#"{}"#, FieldKind::Raw),
        (r#"true"#, FieldKind::Raw),
        (r#"{"type": "array", "prefixItems": [{"type": "string"}]}"#, FieldKind::Raw),
        (r#"{"type": "array", "items": [{"type": "string"}], "$schema": "x"}"#, FieldKind::Raw),
        (r#"{"$ref": "https://example.org/x.json"}"#, FieldKind::Raw),
        (r##"{"$ref": "#/nowhere"}"##, FieldKind::Raw),
        (r#"{"allOf": [{"type": "string"}, {"type": "integer"}]}"#, FieldKind::Raw),
        (r#"{"type": "file"}"#, FieldKind::Raw),
        (r#"7"#, FieldKind::Raw),
    ] {
        let field = property(schema);
        assert_eq!(field.kind, kind, "{schema}: {field:?}");
        assert_eq!(field.reason.is_some(), kind == FieldKind::Raw, "{schema}: {field:?}");
    }
}

#[test]
fn what_all_of_several_schemas_say_counts_together() {
    let field = property(
        r##"{"allOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"$ref": "#/$defs/more"}], "properties": {"a": {"minLength": 2}}, "$defs": {}}"##,
    );
    assert_eq!(keys(&field), ["a"]);
    assert!(field.fields[0].required && field.fields[0].limits.shortest == Some(2));
    let field = property(r#"{"allOf": [{"enum": [1, 2, 3]}, {"enum": [2, 3, 4]}]}"#);
    let values: Vec<&str> = field.choices.iter().map(|choice| choice.value.as_str()).collect();
    assert_eq!(values, ["2", "3"]);
}

#[test]
fn alternatives_are_variants_each_whole_in_itself() {
    let field = property(
        r#"{"type": "object", "properties": {"name": {"type": "string"}}, "oneOf": [
            {"title": "Disk", "properties": {"kind": {"const": "disk"}, "class": {"type": "string"}}, "required": ["class"]},
            {"title": "Memory", "properties": {"kind": {"const": "memory"}}}
        ]}"#,
    );
    assert_eq!((field.kind, field.variants.len()), (FieldKind::Variants, 2));
    assert_eq!(field.variants[0].title.as_deref(), Some("Disk"));
    assert_eq!(keys(&field.variants[0]), ["name", "kind", "class"]);
    assert_eq!(keys(&field.variants[1]), ["name", "kind"]);
    let field = property(
        r#"{"properties": {"a": {}, "b": {}}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
    );
    assert_eq!(field.kind, FieldKind::Object, "what only limits is left to the check");
}

#[test]
fn a_value_is_the_default_of_the_variant_that_it_is_and_of_no_other() {
    let schema = r#"{"properties": {"p": {"oneOf": [
        {"properties": {"kind": {"const": "none"}}, "required": ["kind"]},
        {"properties": {"kind": {"enum": ["bucket", "disk"]}}, "required": ["kind"]}
    ]}}}"#;
    let form = form(schema, "p: {kind: none}");
    let defaults = at(&form, "p").variants.iter().map(|variant| variant.fields[0].default.as_deref());
    assert_eq!(defaults.collect::<Vec<_>>(), [Some("none"), None]);
}

#[test]
fn what_applies_under_a_condition_is_offered_and_not_required() {
    let field = property(
        r#"{"properties": {"on": {"type": "boolean"}}, "if": {"properties": {"on": {"const": true}}}, "then": {"properties": {"secret": {"type": "string"}}, "required": ["secret"]}}"#,
    );
    assert_eq!(keys(&field), ["on", "secret"]);
    assert!(!field.fields[1].required);
}

#[test]
fn a_schema_that_holds_itself_is_told_once() {
    let schema = r##"{"properties": {"tree": {"$ref": "#/$defs/node", "title": "Tree"}, "all": {"$ref": "#"}}, "$defs": {"node": {
        "type": "object", "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}
    }}}"##;
    let form = form(schema, "");
    assert_eq!(at(&form, "tree").kind, FieldKind::Object);
    assert_eq!(at(&form, "tree.children.*").kind, FieldKind::Defined);
    let definition = &form.definitions[at(&form, "tree.children.*").definition.unwrap() as usize];
    assert_eq!(keys(definition), ["name", "children"]);
    assert_eq!(
        definition.fields[1].item.as_ref().unwrap().definition,
        at(&form, "tree.children.*").definition
    );
    assert_eq!(at(&form, "all").kind, FieldKind::Defined);
    for endless in [
        r##"{"$ref": "#"}"##,
        r##"{"allOf": [{"$ref": "#"}]}"##,
        r##"{"properties": {"a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/properties/a"}}}"##,
        r##"{"properties": {"a": {"anyOf": [{"$ref": "#/properties/a"}, {"type": "object", "properties": {"x": {"$ref": "#/properties/a"}}}]}}}"##,
        r##"{"anyOf": [{"$ref": "#"}, {"properties": {"a": {"$ref": "#"}}}, {"additionalProperties": {"$ref": "#"}}]}"##,
        r##"{"$defs": {"a": {"$dynamicAnchor": "n", "properties": {"x": {"$dynamicRef": "#n"}}}}, "properties": {"r": {"$ref": "#/$defs/a"}}}"##,
    ] {
        super::tests::form(endless, "a: 1\n");
    }
}

#[test]
fn spelling_is_kept() {
    let schema = r#"{"properties": {"a": {"type": "integer", "default": 9007199254740993, "maximum": 1e3}, "b": {"enum": [1e3, null, "1e3"]}, "c": {"type": "string", "default": "x"}}}"#;
    let form = form(
        schema,
        "octal: 0123\nbig: 9007199254740993\npower: 1e3\nword: \"1e3\"\nnil: null\nempty:\ntext: |\n  a\n  b\nlist: [1, 0x10]\n",
    );
    for (key, default) in [
        ("octal", "0123"),
        ("big", "9007199254740993"),
        ("power", "1e3"),
        ("word", "\"1e3\""),
        ("nil", "null"),
        ("empty", "null"),
        ("text", "\"a\\nb\\n\""),
        ("list", "- 1\n- 0x10"),
    ] {
        assert_eq!(at(&form, key).default.as_deref(), Some(default), "{key}");
    }
    assert_eq!(at(&form, "a").suggestion.as_deref(), Some("9007199254740993"));
    assert_eq!(at(&form, "a").limits.maximum.as_deref(), Some("1e3"));
    let choices: Vec<&str> = at(&form, "b").choices.iter().map(|choice| choice.value.as_str()).collect();
    assert_eq!(choices, ["1e3", "null", "\"1e3\""]);
}

#[test]
fn without_a_schema_the_values_are_the_form() {
    let values = "# How many.\nreplicas: 2\nimage:\n  tag: x\nhosts:\n  - name: a\n    port: 80\n  - name: b\nmixed: [1, a]\nempty: []\nlabels: {}\non_off: yes\nratio: 0.5\nnothing:\n";
    let form = form("", values);
    assert!(!form.has_schema);
    assert_eq!(
        keys(&form.root),
        ["replicas", "image", "hosts", "mixed", "empty", "labels", "on_off", "ratio", "nothing"]
    );
    assert_eq!(at(&form, "replicas").description.as_deref(), Some("How many."));
    assert_eq!(
        (at(&form, "image.tag").kind, at(&form, "hosts.*.port").kind),
        (FieldKind::Text, FieldKind::Integer)
    );
    assert_eq!(at(&form, "hosts.*.port").default, None, "what one item has does not apply to another");
    assert_eq!((at(&form, "mixed.*").kind, at(&form, "empty.*").kind), (FieldKind::Raw, FieldKind::Raw));
    assert_eq!(at(&form, "labels.~").kind, FieldKind::Raw);
    assert_eq!((at(&form, "on_off").kind, at(&form, "ratio").kind), (FieldKind::Boolean, FieldKind::Number));
    assert_eq!(at(&form, "nothing").kind, FieldKind::Raw);
    assert_eq!(of(&chart("", "")).root.fields, []);
}

#[test]
fn the_values_come_in_the_order_of_the_file_and_then_of_the_schema() {
    let schema = r#"{"properties": {"z": {}, "b": {"type": "string"}, "a": {"type": "string"}}, "additionalProperties": {"type": "integer"}}"#;
    let form = form(schema, "a: x\nextra: 1\nb: x\n");
    assert_eq!(keys(&form.root), ["a", "extra", "b", "z"]);
    assert_eq!(at(&form, "extra").kind, FieldKind::Integer);
}

#[test]
fn the_charts_in_a_chart_are_fields_by_their_names_there() {
    let db = chart(
        r##"{"properties": {"size": {"type": "integer"}, "me": {"$ref": "#/definitions/me"}, "global": {"properties": {"zone": {"type": "string"}}}}, "required": ["size"], "definitions": {"me": {"type": "boolean"}}}"##,
        "size: 1\n# Which.\nkind: ssd\nglobal:\n  region: x\n",
    );
    let db = Chart {
        name: "db".into(),
        charts: vec![Chart {
            name: "disk".into(),
            ..chart(r#"{"properties": {"gib": {"type": "number"}}}"#, "")
        }],
        ..db
    };
    let mut web = Chart { charts: vec![db], ..chart("", "global:\n  domain: d\nstore:\n  size: 2\n") };
    web.dependencies = vec![crate::charts::tree::Dependency {
        name: "db".into(),
        alias: Some("store".into()),
        ..Default::default()
    }];
    let form = of(&web);
    assert_eq!(keys(&form.root), ["global", "store"]);
    let size = at(&form, "store.size");
    assert_eq!((size.kind, size.required, size.default.as_deref()), (FieldKind::Integer, true, Some("2")));
    assert_eq!(at(&form, "store.kind").description.as_deref(), Some("Which."));
    assert_eq!(
        (at(&form, "store.me").kind, at(&form, "store.disk.gib").kind),
        (FieldKind::Boolean, FieldKind::Number)
    );
    assert_eq!(keys(at(&form, "global")), ["domain", "region", "zone"]);
    assert_eq!(keys(at(&form, "store")), ["size", "kind", "disk", "me"], "what is global is not here again");
}

#[test]
fn what_is_hostile_is_bounded() {
    let many: Vec<String> = (0..10_000).map(|n| format!(r#""p{n}": {{"type": "string"}}"#)).collect();
    let form = of(&chart(&format!(r#"{{"properties": {{{}}}}}"#, many.join(",")), ""));
    assert!(form.root.fields.len() >= 5_000 && form.root.fields.len() < 10_000);
    assert_eq!(form.root.reason.as_deref(), Some(TOO_MANY));

    let doubling: Vec<String> = (1..40)
        .map(|n| format!(r##""d{n}": {{"properties": {{"a": {{"$ref": "#/$defs/d{}"}}, "b": {{"$ref": "#/$defs/d{}"}}}}}}"##, n - 1, n - 1))
        .collect();
    let doubling = format!(r##"{{"$ref": "#/$defs/d39", "$defs": {{"d0": {{}}, {}}}}}"##, doubling.join(","));
    let size = serde_json::to_string(&of(&chart(&doubling, ""))).unwrap().len();
    assert!(size < 4 * 1024 * 1024, "{size}");

    let wide: Vec<String> = (0..100).map(|n| format!(r#"{{"properties": {{"p{n}": {{}}}}}}"#)).collect();
    let wide = format!(r#"{{"anyOf": [{}]}}"#, wide.join(","));
    assert!(property(&wide).reason.is_some());

    let nested =
        format!(r#"{}{{"type": "string"}}{}"#, r#"{"properties": {"p": "#.repeat(45), "}}".repeat(45));
    assert!(serde_json::to_string(&of(&chart(&nested, ""))).unwrap().contains("nested deeper"));

    let long = "x".repeat(3 * 1024 * 1024);
    let form = of(&chart(
        &format!(r#"{{"title": "{long}", "properties": {{"a": {{"description": "{long}"}}}}}}"#),
        "",
    ));
    assert!(serde_json::to_string(&form).unwrap().len() < 10_000);

    for text in [
        "",
        "{",
        "[]",
        "7",
        "null",
        &"[".repeat(100_000),
        "{\"properties\": 7, \"required\": {}, \"enum\": 1, \"items\": [], \"allOf\": {}, \"type\": {}}",
    ] {
        let form = of(&chart(text, "a: 1\n"));
        assert_eq!(keys(&form.root), ["a"], "{text:.20}");
    }
    assert!(of(&chart("{", "")).notes[0].contains("schema of web"));
    assert!(of(&chart("", "a: [")).notes[0].contains("values.yaml of web"));
}

#[test]
fn limits_that_are_none_are_left_out() {
    let text = serde_json::to_string(&property(r#"{"type": "string"}"#)).unwrap();
    assert_eq!(text, r#"{"key":"p","kind":"text"}"#);
    assert!(FormLimits::default().is_none());
    let whole = of(&chart(r#"{"properties": {"a": {"enum": [1], "title": "A"}}}"#, "b: 1\n"));
    let back: Form = serde_json::from_str(&serde_json::to_string(&whole).unwrap()).unwrap();
    assert_eq!(back, whole);
}
