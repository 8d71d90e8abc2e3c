//! Checks values as helm does before it renders a chart: each chart's schema sees the merged values of its own.

use app::model::{ValuesCheck, ValuesProblem};
use jsonschema::{PatternOptions, Retrieve, Uri};
use serde_json::{Map, Value};

use super::document::{Document, Draft};
use super::effort::{Effort, PATTERN_MAX};
use super::json::Json;
use super::layers::Layer;
use super::words::{self, Finding};
use super::yaml::{self, Content, Pairs, Place, Unreadable};
use crate::charts::tree::Chart;

/// The most problems that are told.
const PROBLEMS_MAX: usize = 100;

/// Checks `text` over `base` over the chart's own values.
pub fn check(chart: &Chart, text: &str, base: &str) -> ValuesCheck {
    let written = match yaml::read_one(text) {
        Ok(written) => written,
        Err(error) => return ValuesCheck { problems: vec![unreadable(error)], notes: Vec::new() },
    };
    let mut notes = Vec::new();
    let mut user = yaml::read(base).unwrap_or_else(|error| {
        notes.push(format!("The values below these cannot be read: {}", error.message));
        Pairs::default()
    });
    user.overlay(written.clone());
    let (findings, more) = find(chart, &user.to_map());
    notes.extend(more);
    let mut problems: Vec<ValuesProblem> =
        findings.into_iter().map(|finding| problem(finding, &written)).collect();
    problems.sort_by_key(|problem| (problem.line.unwrap_or(u32::MAX), problem.column));
    problems.dedup();
    problems.truncate(PROBLEMS_MAX);
    ValuesCheck { problems, notes }
}

/// What is wrong with a user's values, and what could not be checked.
fn find(chart: &Chart, user: &Map<String, Value>) -> (Vec<Finding>, Vec<String>) {
    let mut broken = Vec::new();
    let mut layer = Layer::of(chart, &mut broken);
    let mut notes: Vec<String> = broken
        .into_iter()
        .map(|(name, error)| {
            format!("The values.yaml of {name} cannot be read, so helm will refuse it: {}", error.message)
        })
        .collect();
    let values = layer.settle(user).and_then(|()| layer.coalesce(user));
    let mut findings = Vec::new();
    match values {
        Ok(values) => validate(&layer, &Value::Object(values), &mut Vec::new(), &mut findings, &mut notes),
        Err(clash) => {
            let name = clash.path.last().cloned().unwrap_or_default();
            let message = format!("The values of the chart {name} must be a mapping.");
            findings.push(Finding { path: clash.path, message });
        }
    }
    (findings, notes)
}

fn validate(
    layer: &Layer<'_>,
    values: &Value,
    path: &mut Vec<String>,
    findings: &mut Vec<Finding>,
    notes: &mut Vec<String>,
) {
    if let Some(schema) = &layer.chart.schema {
        match against(schema, values) {
            Ok(found) => findings.extend(found.into_iter().map(|finding| Finding {
                path: path.iter().cloned().chain(finding.path).collect(),
                ..finding
            })),
            Err(why) => notes.push(format!("The values of {} are not checked: {why}.", layer.name)),
        }
    }
    for below in &layer.below {
        if let Some(inner @ Value::Object(_)) = values.get(&below.name) {
            path.push(below.name.clone());
            validate(below, inner, path, findings, notes);
            path.pop();
        }
    }
}

/// What one schema finds; in words, why it cannot be asked.
fn against(schema: &str, values: &Value) -> Result<Vec<Finding>, String> {
    let json = Json::read(schema).map_err(|error| format!("the schema cannot be read: {error}"))?;
    let document = Document::new(&json).ok_or("the schema cannot be read")?;
    Effort::of(document.schema(), values).map_err(|why| format!("the schema is no good: {why}"))?;
    let mut schema: Value =
        serde_json::from_str(schema).map_err(|error| format!("the schema is not JSON: {error}"))?;
    // The version is known by now; one that is unknown is nothing to look for.
    if let Value::Object(schema) = &mut schema {
        schema.remove("$schema");
    }
    let options = jsonschema::options()
        .with_draft(match document.draft {
            Draft::Four => jsonschema::Draft::Draft4,
            Draft::Six => jsonschema::Draft::Draft6,
            Draft::Seven => jsonschema::Draft::Draft7,
            Draft::Nineteen => jsonschema::Draft::Draft201909,
            Draft::Twenty => jsonschema::Draft::Draft202012,
        })
        .with_retriever(Elsewhere)
        .with_base_uri("file:///values.schema.json")
        // The engine is of the kind of Go's, which helm uses: what it takes grows with the text and no faster.
        .with_pattern_options(PatternOptions::regex().size_limit(PATTERN_MAX).dfa_size_limit(PATTERN_MAX));
    let validator = options.build(&schema).map_err(|error| {
        let words: String = error.to_string().chars().take(200).collect();
        format!("the schema is no good: {}", words.trim_end_matches('.'))
    })?;
    let errors = validator.iter_errors(values).take(PROBLEMS_MAX);
    Ok(errors.flat_map(|error| words::of(&error)).take(PROBLEMS_MAX).collect())
}

/// What a schema refers to outside of itself allows everything: Slipway fetches nothing for it.
struct Elsewhere;

impl Retrieve for Elsewhere {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Value::Bool(true))
    }
}

fn unreadable(error: Unreadable) -> ValuesProblem {
    let at = error.at;
    ValuesProblem {
        path: Vec::new(),
        line: at.map(|at| at.line),
        column: at.map(|at| at.column),
        message: error.message,
    }
}

fn problem(finding: Finding, written: &Pairs) -> ValuesProblem {
    let at = locate(written, &finding.path);
    ValuesProblem {
        path: finding.path,
        line: at.map(|at| at.line),
        column: at.map(|at| at.column),
        message: finding.message,
    }
}

/// The key that a problem is about, or the innermost one around it that the user wrote.
fn locate(written: &Pairs, path: &[String]) -> Option<Place> {
    let (first, rest) = path.split_first()?;
    let pair = written.get(first)?;
    let (mut place, mut node) = (pair.at, &pair.value);
    for part in rest {
        match &node.content {
            Content::Map(pairs) => {
                let Some(pair) = pairs.get(part) else { break };
                (place, node) = (pair.at, &pair.value);
            }
            Content::List(items) => {
                let Some(item) = part.parse::<usize>().ok().and_then(|at| items.get(at)) else { break };
                (place, node) = (item.at, item);
            }
            Content::Scalar(..) => break,
        }
    }
    Some(place)
}

#[cfg(test)]
mod tests;
