//! What helm makes of the values of charts in charts. The expected values are what `helm template` with a template of
//! `{{ .Values | toJson }}` printed, helm 4.3.1.

use serde_json::json;

use super::*;

fn chart(name: &str, values: &str, charts: Vec<Chart>) -> Chart {
    Chart { name: name.into(), version: "1.0.0".into(), values: values.into(), charts, ..Chart::default() }
}

fn needs(name: &str, condition: &str) -> Dependency {
    Dependency {
        name: name.into(),
        version: "1.x.x".into(),
        condition: condition.into(),
        ..Dependency::default()
    }
}

fn merged(chart: &Chart, user: &str) -> Value {
    let user = yaml::read(user).unwrap().to_map();
    let mut broken = Vec::new();
    let mut layer = Layer::of(chart, &mut broken);
    assert_eq!(broken, []);
    layer.settle(&user).unwrap();
    Value::Object(layer.coalesce(&user).unwrap())
}

#[test]
fn mappings_are_merged_and_lists_replaced_and_a_null_takes_the_charts_value_away() {
    let web =
        chart("web", "a: {b: 1, c: [1, 2], d: {e: 1}}\nnil: null\nm: {nil: null, o: 1}\ns: 1\n", vec![]);
    assert_eq!(merged(&web, ""), json!({"a": {"b": 1, "c": [1, 2], "d": {"e": 1}}, "m": {"o": 1}, "s": 1}));
    assert_eq!(
        merged(&web, "a: {c: [3], d: null, x: null}\ns: null\nu: null\nm: {nil: null}\n"),
        json!({"a": {"b": 1, "c": [3], "x": null}, "m": {"o": 1, "nil": null}, "u": null})
    );
    assert_eq!(merged(&web, "a: 1\ns: {t: 1}\n"), json!({"a": 1, "s": {"t": 1}, "m": {"o": 1}}));
}

#[test]
fn a_chart_in_a_chart_has_its_own_values_below_those_it_is_given_and_the_global_ones() {
    let db = chart("db", "size: 1\nglobal: {own: 1, both: low}\nkeep: {x: 1}\n", vec![]);
    let web = chart("web", "global: {both: high}\ndb: {size: 2}\n", vec![db]);
    assert_eq!(
        merged(&web, "db: {keep: {z: 2}}\n"),
        json!({
            "global": {"both": "high"},
            "db": {"size": 2, "keep": {"x": 1, "z": 2}, "global": {"own": 1, "both": "high"}}
        })
    );
}

#[test]
fn a_chart_can_be_there_twice_under_other_names_and_be_switched_off() {
    let db = chart("db", "size: 1\n", vec![]);
    let mut web = chart(
        "web",
        "second: {enabled: false}\ntags: {extra: false}\n",
        vec![db, chart("odd", "o: 1\n", vec![])],
    );
    web.dependencies = vec![
        Dependency { alias: Some("first".into()), ..needs("db", "first.enabled") },
        Dependency { alias: Some("second".into()), ..needs("db", "second.enabled") },
        Dependency { alias: Some("third".into()), tags: vec!["extra".into()], ..needs("db", "") },
    ];
    let names = |user: &str| {
        let user = yaml::read(user).unwrap().to_map();
        let mut layer = Layer::of(&web, &mut Vec::new());
        layer.settle(&user).unwrap();
        layer.below.iter().map(|layer| layer.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(""), ["odd", "first"]);
    assert_eq!(
        names("second: {enabled: true}\nfirst: {enabled: false}\ntags: {extra: true}\n"),
        ["odd", "second", "third"]
    );
    assert_eq!(names("first: {enabled: nonsense}\n"), ["odd", "first"]);
}

#[test]
fn what_is_imported_lies_below_the_charts_own_values() {
    let db = chart("db", "exports: {data: {a: 1, b: 1}}\nport: {number: 5}\n", vec![]);
    let mut web = chart("web", "a: own\n", vec![db]);
    web.dependencies = vec![Dependency {
        imports: vec![
            ("exports.data".into(), ".".into()),
            ("port".into(), "db.copied.here".into()),
            ("no".into(), ".".into()),
        ],
        ..needs("db", "")
    }];
    let values = merged(&web, "");
    assert_eq!((values["a"].as_str(), values["b"].as_i64()), (Some("own"), Some(1)));
    assert_eq!(values["db"]["copied"]["here"]["number"], json!(5));
}

#[test]
fn values_that_have_no_place_for_a_charts_are_told() {
    let web = chart("web", "", vec![chart("db", "", vec![chart("disk", "", vec![])])]);
    for (user, path) in
        [("db: 1\n", vec!["db"]), ("db: {disk: [1]}\n", vec!["db", "disk"]), ("db: null\n", vec!["db"])]
    {
        let user = yaml::read(user).unwrap().to_map();
        let clash = Layer::of(&web, &mut Vec::new()).coalesce(&user).unwrap_err();
        assert_eq!(clash.path, path);
    }
}

#[test]
fn values_that_cannot_be_read_are_none_and_are_told_of() {
    let mut broken = Vec::new();
    Layer::of(&chart("web", "a: [", vec![chart("db", "b: c: d", vec![])]), &mut broken);
    let names: Vec<&str> = broken.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["web", "db"]);
}
