//! A revision's values, put together as helm does it and written as YAML.

use app::model::{ReleaseValues, ValuesPolicy};
use serde_json::{Map, Value};

use super::decode::FullRecord;

/// The values of `record`, which is revision `revision`.
pub fn of(revision: u32, record: &FullRecord) -> ReleaseValues {
    let computed = match (&record.chart_values, &record.config) {
        (Value::Object(chart), Value::Object(user)) => Value::Object(overlay(chart, user)),
        (Value::Null, user) => user.clone(),
        (chart, _) => chart.clone(),
    };
    ReleaseValues { revision, user: yaml(&record.config), computed: yaml(&computed) }
}

/// The chart's values overlaid with the user's, as helm coalesces them (`chart/common/util/coalesce.go`): tables are
/// merged, a null removes what the chart has, anything else replaces it.
fn overlay(chart: &Map<String, Value>, user: &Map<String, Value>) -> Map<String, Value> {
    let mut result = chart.clone();
    for (key, value) in user {
        match (result.get_mut(key), value) {
            (Some(_), Value::Null) => {
                result.remove(key);
            }
            (Some(Value::Object(below)), Value::Object(above)) => *below = overlay(below, above),
            _ => {
                result.insert(key.clone(), value.clone());
            }
        }
    }
    result
}

/// The values that a release has after an upgrade with `new`, where it had `old`, as helm does it (`action/upgrade.go`).
pub(super) fn kept(old: &Value, new: Value, policy: ValuesPolicy) -> Value {
    match (old, new, policy) {
        (_, new, ValuesPolicy::Reset) | (Value::Null, new, _) => new,
        (Value::Object(old), Value::Object(new), _) => Value::Object(overlay(old, &new)),
        (old, Value::Null, _) => old.clone(),
        (_, new, _) => new,
    }
}

/// `values` as YAML; empty if there are none.
pub(super) fn yaml(values: &Value) -> String {
    match values {
        Value::Null => String::new(),
        Value::Object(map) if map.is_empty() => String::new(),
        values => {
            let options = serde_saphyr::ser_options! {
                // A long line stays one line: folded ones are hard to compare.
                folded_wrap_chars: usize::MAX,
                min_fold_chars: usize::MAX,
            };
            serde_saphyr::to_string_with_options(values, options).unwrap_or_else(|_| format!("{values:#}\n"))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn values(chart: Value, user: Value) -> ReleaseValues {
        let payload = json!({"chart": {"values": chart}, "config": user}).to_string();
        let payload = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, payload);
        of(3, &super::super::decode::full(payload.as_bytes(), "ns").unwrap())
    }

    #[test]
    fn the_users_values_are_laid_over_the_charts_as_helm_does_it() {
        for (case, chart, user, computed) in [
            ("replaced", json!({"a": 1, "b": 2}), json!({"b": 3}), json!({"a": 1, "b": 3})),
            ("added", json!({"a": 1}), json!({"c": "x"}), json!({"a": 1, "c": "x"})),
            (
                "merged",
                json!({"t": {"a": 1, "b": 2}}),
                json!({"t": {"b": 3}}),
                json!({"t": {"a": 1, "b": 3}}),
            ),
            ("removed by null", json!({"a": 1, "b": 2}), json!({"b": null}), json!({"a": 1})),
            (
                "removed inside",
                json!({"t": {"a": 1, "b": 2}}),
                json!({"t": {"a": null}}),
                json!({"t": {"b": 2}}),
            ),
            ("a null of nothing", json!({"a": 1}), json!({"b": null}), json!({"a": 1, "b": null})),
            ("lists are replaced", json!({"l": [1, 2]}), json!({"l": [3]}), json!({"l": [3]})),
            ("a table by a scalar", json!({"t": {"a": 1}}), json!({"t": 5}), json!({"t": 5})),
            ("no user's values", json!({"a": 1}), json!(null), json!({"a": 1})),
            ("no chart's values", json!(null), json!({"a": 1}), json!({"a": 1})),
        ] {
            let found = values(chart, user);
            let found: Value = serde_saphyr::from_str(&found.computed).unwrap();
            assert_eq!(found, computed, "{case}");
        }
    }

    #[test]
    fn an_upgrade_keeps_of_the_old_values_what_it_is_told_to() {
        let old = json!({"replicas": 2, "image": {"tag": "a", "pull": "Always"}});
        let new = json!({"image": {"tag": "b"}, "replicas": null});
        for (policy, new, expected) in [
            (ValuesPolicy::Reset, new.clone(), new.clone()),
            (ValuesPolicy::Reuse, new.clone(), json!({"image": {"tag": "b", "pull": "Always"}})),
            (ValuesPolicy::ResetThenReuse, new, json!({"image": {"tag": "b", "pull": "Always"}})),
            (ValuesPolicy::Reuse, json!(null), old.clone()),
            (ValuesPolicy::Reset, json!(null), json!(null)),
        ] {
            assert_eq!(kept(&old, new, policy), expected, "{policy:?}");
        }
        assert_eq!(kept(&json!(null), json!({"a": 1}), ValuesPolicy::Reuse), json!({"a": 1}));
    }

    #[test]
    fn no_values_are_an_empty_text() {
        for nothing in [json!(null), json!({})] {
            assert_eq!(
                values(nothing.clone(), nothing),
                ReleaseValues { revision: 3, user: "".into(), computed: "".into() }
            );
        }
    }

    #[test]
    fn whole_numbers_stay_whole() {
        let yaml =
            values(json!(null), json!({"port": 8080, "big": 9_007_199_254_740_993_i64, "share": 0.5})).user;
        assert_eq!(yaml, "big: 9007199254740993\nport: 8080\nshare: 0.5\n");
    }

    #[test]
    fn a_long_line_stays_one_line_and_several_lines_stay_lines() {
        let yaml = values(json!(null), json!({"a": "word ".repeat(50), "b": "one\ntwo\n"})).user;
        assert_eq!(yaml.lines().skip(1).collect::<Vec<_>>(), ["b: |", "  one", "  two"], "{yaml}");
    }

    #[test]
    fn texts_that_look_like_something_else_stay_texts() {
        for text in [
            "yes",
            "no",
            "on",
            "0123",
            "1e3",
            "null",
            "~",
            "",
            " x",
            "a: b",
            "- a",
            "#a",
            "2026-01-01",
            "0x1F",
            "1_000",
            "!a",
            "é\u{7}",
            "true",
            "=",
            "<<",
            ".5",
            "12:30:00",
        ] {
            let yaml = values(json!(null), json!({"text": text})).user;
            let found: Value = serde_saphyr::from_str(&yaml).unwrap();
            assert_eq!(found, json!({"text": text}), "{yaml}");
        }
    }

    proptest! {
        #[test]
        fn any_text_reads_back_as_it_was(text: String, key in "[^\u{0}]{1,12}") {
            let yaml = values(json!(null), json!({"k": {(key.clone()): [text.clone()]}})).user;
            let found: Value = serde_saphyr::from_str(&yaml).unwrap();
            prop_assert_eq!(found, json!({"k": {(key): [text]}}), "{}", yaml);
        }
    }
}
