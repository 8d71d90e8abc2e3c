//! What checking values against a schema would take, counted before it is done: a chart's author can write a schema that
//! refers to itself without end, or one that doubles the work with each of its lines, and nothing stops a check once it runs.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::document::{Draft, Schema};
use super::json::Json;

/// The most steps of a check. A step is a keyword that is looked at; 3 million take about a second.
const STEPS_MAX: u64 = 3_000_000;
/// The most steps of making a check ready, of which these take longer.
const LEFT_OVER_MAX: u64 = 200_000;
/// How much memory one regular expression of a schema's may take.
pub const PATTERN_MAX: usize = 1024 * 1024;
/// How much all of them may take.
const PATTERNS_MAX: u64 = 256 * 1024 * 1024;
/// The deepest that schemas lie in each other, by reference or by what is written in them.
const NESTING_MAX: usize = 1_000;
/// The deepest that schemas and values are followed into each other.
const DEPTH_MAX: usize = 400;

const UNEVALUATED: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];
const TOO_LONG: &str = "it would take too long";
const TOO_DEEP: &str = "it is nested too deeply";

type Counted = Result<u64, &'static str>;
type Place = (usize, usize);

/// Counts the steps.
#[derive(Default)]
pub struct Effort {
    counted: HashMap<Place, u64>,
    underway: HashSet<Place>,
}

impl Effort {
    /// Whether a check of these values ends, and soon.
    ///
    /// # Errors
    /// In words, if it does not.
    pub fn of(schema: Schema<'_>, values: &Value) -> Result<(), &'static str> {
        let patterns: u64 = schema.document.patterns.iter().map(|pattern| room(pattern)).sum();
        if patterns > PATTERNS_MAX {
            return Err("its regular expressions are too large");
        }
        Self::default().nesting(schema, 0)?;
        let mut ready = Self::default();
        let mut steps = 0;
        for schema in schema.document.unevaluated() {
            steps += ready.left_over(schema, 0)?;
            if steps > LEFT_OVER_MAX {
                return Err(TOO_LONG);
            }
        }
        Self::default().count(schema, values, 0).map(|_| ())
    }

    /// How deep schemas lie in each other by what they refer to: the validator follows them all on its stack.
    fn nesting(&mut self, schema: Schema<'_>, depth: usize) -> Counted {
        let place = (schema.id(), 0);
        if let Some(deep) = self.counted.get(&place) {
            let is_too_deep = depth as u64 + deep > NESTING_MAX as u64;
            return if is_too_deep { Err(TOO_DEEP) } else { Ok(*deep) };
        }
        if depth > NESTING_MAX {
            return Err(TOO_DEEP);
        }
        if !self.underway.insert(place) {
            return Ok(0);
        }
        let written = schema.json.pairs().iter().map(|(_, json)| json).chain(schema.json.items());
        let written = written.filter(|json| matches!(json, Json::Object(_) | Json::List(_)));
        let inner = schema.targets().into_iter().flatten().chain(written.map(|json| schema.inner(json)));
        let mut deepest = 0;
        for part in inner {
            deepest = deepest.max(1 + self.nesting(part, depth + 1)?);
        }
        self.underway.remove(&place);
        self.counted.insert(place, deepest);
        Ok(deepest)
    }

    /// What it takes to know what is left over: the validator writes out all schemas of a value for that, each as often as it is
    /// referred to, and once more for each of them that asks the same.
    fn left_over(&mut self, schema: Schema<'_>, depth: usize) -> Counted {
        let place = (schema.id(), 0);
        if let Some(steps) = self.counted.get(&place) {
            return Ok(*steps);
        }
        if depth > DEPTH_MAX {
            return Err(TOO_DEEP);
        }
        if !self.underway.insert(place) {
            return Ok(0);
        }
        let mut steps = 1;
        for part in schema.targets().into_iter().flatten().chain(here(schema)) {
            steps += self.left_over(part, depth + 1)?;
            if steps > LEFT_OVER_MAX {
                return Err(TOO_LONG);
            }
        }
        let again = UNEVALUATED.iter().any(|keyword| schema.get(keyword).is_some());
        let steps = if again { steps * 2 } else { steps };
        self.underway.remove(&place);
        self.counted.insert(place, steps);
        Ok(steps)
    }

    fn count(&mut self, schema: Schema<'_>, value: &Value, depth: usize) -> Counted {
        let place = (schema.id(), std::ptr::from_ref(value).addr());
        if let Some(steps) = self.counted.get(&place) {
            return Ok(*steps);
        }
        if depth > DEPTH_MAX {
            return Err(TOO_DEEP);
        }
        if !self.underway.insert(place) {
            return Err("it refers to itself without end");
        }
        let mut steps = 1 + schema.json.pairs().len() as u64 + schema.get("enum").map_or(0, weight);
        for target in schema.targets().into_iter().flatten() {
            add(&mut steps, self.count(target, value, depth + 1)?)?;
        }
        if !schema.is_only_reference() {
            for part in here(schema) {
                add(&mut steps, self.count(part, value, depth + 1)?)?;
            }
            self.below(schema, value, depth, &mut steps)?;
        }
        // What is left over is found by looking at all of it again.
        if UNEVALUATED.iter().any(|keyword| schema.get(keyword).is_some()) {
            let twice = steps;
            add(&mut steps, twice)?;
        }
        self.underway.remove(&place);
        self.counted.insert(place, steps);
        Ok(steps)
    }

    /// The schemas that the values in it are checked against.
    fn below(
        &mut self,
        schema: Schema<'_>,
        value: &Value,
        depth: usize,
        steps: &mut u64,
    ) -> Result<(), &'static str> {
        match value {
            Value::Object(table) => {
                let names: HashMap<&str, Schema<'_>> = schema.named("properties").collect();
                add(steps, names.len() as u64 / 8)?;
                let others: Vec<Schema<'_>> = ["additionalProperties", "unevaluatedProperties"]
                    .iter()
                    .filter_map(|keyword| schema.at(keyword))
                    .chain(schema.named("patternProperties").map(|(_, schema)| schema))
                    .collect();
                for (name, inner) in table {
                    for part in names.get(name.as_str()).iter().copied().chain(&others) {
                        add(steps, self.count(*part, inner, depth + 1)?)?;
                    }
                }
                if let Some(names) = schema.at("propertyNames") {
                    add(steps, (table.len() as u64).saturating_mul(weight(names.json)))?;
                }
            }
            Value::Array(items) => {
                let of_all = ["items", "additionalItems", "unevaluatedItems", "contains"];
                let mut of_all: Vec<Schema<'_>> =
                    of_all.iter().filter_map(|keyword| schema.at(keyword)).collect();
                let by_place = if schema.document.draft >= Draft::Twenty { "prefixItems" } else { "items" };
                let by_place = schema.list(by_place);
                of_all.retain(|schema| !matches!(schema.json, Json::List(_)));
                for (at, item) in items.iter().enumerate() {
                    for part in of_all.iter().chain(by_place.get(at)) {
                        add(steps, self.count(*part, item, depth + 1)?)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// The schemas that the same value is checked against, but for those that are referred to.
fn here(schema: Schema<'_>) -> Vec<Schema<'_>> {
    let lists = ["allOf", "anyOf", "oneOf"].map(|keyword| schema.list(keyword));
    let single = ["not", "if", "then", "else"].iter().filter_map(|keyword| schema.at(keyword));
    let named = ["dependentSchemas", "dependencies"].map(|keyword| schema.named(keyword).map(|(_, it)| it));
    lists.into_iter().flatten().chain(single).chain(named.into_iter().flatten()).collect()
}

fn add(steps: &mut u64, more: u64) -> Result<(), &'static str> {
    *steps += more;
    if *steps > STEPS_MAX { Err(TOO_LONG) } else { Ok(()) }
}

/// About how much memory a regular expression takes at most: each part of it as often as it is to be repeated.
fn room(pattern: &str) -> u64 {
    const EACH: u64 = 100;
    let counts = pattern.split('{').skip(1).filter_map(|after| {
        let count = after.split_once('}')?.0.rsplit(',').find_map(|number| number.trim().parse::<u64>().ok());
        Some(count?.max(1))
    });
    let times = counts.fold(1, u64::saturating_mul);
    (pattern.len() as u64 * EACH).saturating_mul(times).min(PATTERN_MAX as u64)
}

/// How many values there are in a value.
fn weight(json: &Json) -> u64 {
    let inner = json.items().iter().map(weight).sum::<u64>();
    1 + inner + json.pairs().iter().map(|(_, value)| weight(value)).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::document::Document;
    use super::*;

    fn of(schema: &str, values: &Value) -> Result<(), &'static str> {
        let json = Json::read(schema).unwrap();
        Effort::of(Document::new(&json).unwrap().schema(), values)
    }

    #[test]
    fn what_refers_to_itself_without_end_is_found() {
        for schema in [
            r##"{"$ref": "#"}"##,
            r##"{"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"anyOf": [{"$ref": "#"}]}}}"##,
            r##"{"not": {"$ref": "#"}}"##,
            r##"{"if": {"$dynamicRef": "#"}}"##,
            r##"{"properties": {"a": {"$ref": "#/properties/a"}}}"##,
        ] {
            assert_eq!(of(schema, &json!({"a": 1})), Err("it refers to itself without end"), "{schema}");
        }
    }

    #[test]
    fn what_goes_one_value_deeper_each_time_ends() {
        let schema = r##"{"properties": {"a": {"$ref": "#"}}, "additionalProperties": {"$ref": "#"}}"##;
        assert_eq!(of(schema, &json!({"a": {"a": {"b": {"a": 1}}}})), Ok(()));
    }

    #[test]
    fn work_that_doubles_with_each_line_is_counted_and_not_done() {
        let doubling = |keyword: &str| {
            let definitions: Vec<String> = (1..60)
                .map(|n| format!(r##""d{n}": {{"{keyword}": [{{"$ref": "#/$defs/d{}"}}, {{"$ref": "#/$defs/d{}"}}]}}"##, n - 1, n - 1))
                .collect();
            format!(r##"{{"$ref": "#/$defs/d59", "$defs": {{"d0": {{}}, {}}}}}"##, definitions.join(","))
        };
        for keyword in ["allOf", "anyOf", "oneOf"] {
            assert_eq!(of(&doubling(keyword), &json!(1)), Err("it would take too long"), "{keyword}");
        }
    }

    #[test]
    fn regular_expressions_that_would_fill_the_memory_are_counted() {
        let many = |pattern: &str, count: usize| {
            let all = (0..count).map(|n| format!(r#""p{n}": {{"pattern": "^{n}{pattern}$"}}"#));
            format!(r#"{{"properties": {{{}}}}}"#, all.collect::<Vec<_>>().join(","))
        };
        assert_eq!(of(&many("[a-z]{1,63}", 2_000), &json!({})), Ok(()));
        assert_eq!(of(&many("[a-z0-9.-]+", 50_000), &json!({})), Ok(()));
        let filling = of(&many("([a-z]{100}){90}", 2_000), &json!({}));
        assert_eq!(filling, Err("its regular expressions are too large"));
    }

    #[test]
    fn a_long_chain_of_references_is_refused_and_not_followed_to_the_end_of_the_stack() {
        let definitions: Vec<String> =
            (1..50_000).map(|n| format!(r##""d{n}": {{"$ref": "#/$defs/d{}"}}"##, n - 1)).collect();
        let schema =
            format!(r##"{{"$ref": "#/$defs/d49999", "$defs": {{"d0": {{}}, {}}}}}"##, definitions.join(","));
        assert_eq!(of(&schema, &json!(1)), Err("it is nested too deeply"));
    }
}
