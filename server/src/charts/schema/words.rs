//! What a validator found, in plain words.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

/// How many values of a choice are named.
const NAMED_MAX: usize = 12;
/// The longest text of a chart's or a user's that is repeated, in characters.
const TEXT_MAX: usize = 120;

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub path: Vec<String>,
    pub message: String,
}

/// What an error says.
pub fn of(error: &ValidationError<'_>) -> Vec<Finding> {
    let path = path(error);
    let at = |name: &str| path.iter().cloned().chain([name.to_owned()]).collect::<Vec<_>>();
    let value = error.instance().as_ref();
    let message = match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let message = format!("{} is required.", quoted(name));
            return vec![Finding { path: at(name), message }];
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let unknown = |name: &String| Finding {
                path: at(name),
                message: format!("The chart has no value {} here.", quoted(name)),
            };
            return unexpected.iter().map(unknown).collect();
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            return alternatives(&path, context);
        }
        ValidationErrorKind::PropertyNames { error } => {
            let name = error.instance().as_str().unwrap_or_default();
            let why = of(error).into_iter().map(|finding| finding.message).collect::<Vec<_>>().join(" ");
            return vec![Finding {
                path: at(name),
                message: format!("The name {} cannot be used: {why}", quoted(name)),
            }];
        }
        kind => words(kind, value),
    };
    vec![Finding { path, message }]
}

fn words(kind: &ValidationErrorKind, value: &Value) -> String {
    match kind {
        ValidationErrorKind::Type { kind } => mistyped(kind, value),
        ValidationErrorKind::Enum { options } => {
            let all = options.as_array().map(Vec::as_slice).unwrap_or_default();
            let named: Vec<String> = all.iter().take(NAMED_MAX).map(told).collect();
            let more = if all.len() > named.len() { ", …" } else { "" };
            format!("This must be one of: {}.", named.join(", ") + more)
        }
        ValidationErrorKind::Constant { expected_value } => {
            format!("This can only be {}.", told(expected_value))
        }
        ValidationErrorKind::Minimum { limit } => format!("This must be at least {limit}."),
        ValidationErrorKind::Maximum { limit } => format!("This must be at most {limit}."),
        ValidationErrorKind::ExclusiveMinimum { limit } => format!("This must be more than {limit}."),
        ValidationErrorKind::ExclusiveMaximum { limit } => format!("This must be less than {limit}."),
        ValidationErrorKind::MultipleOf { multiple_of } => {
            format!("This must be a multiple of {multiple_of}.")
        }
        ValidationErrorKind::MinLength { limit: 1 } => "This cannot be empty.".into(),
        ValidationErrorKind::MinLength { limit } => {
            format!("This must have at least {}.", count(*limit, "1 character", "{n} characters"))
        }
        ValidationErrorKind::MaxLength { limit } => {
            format!("This must have at most {}.", count(*limit, "1 character", "{n} characters"))
        }
        ValidationErrorKind::MinItems { limit } => {
            format!("This list must have at least {}.", count(*limit, "1 item", "{n} items"))
        }
        ValidationErrorKind::MaxItems { limit } => {
            format!("This list must have at most {}.", count(*limit, "1 item", "{n} items"))
        }
        ValidationErrorKind::AdditionalItems { limit } => {
            format!("This list must have at most {}.", count(*limit as u64, "1 item", "{n} items"))
        }
        ValidationErrorKind::UnevaluatedItems { .. } => {
            "This list has more items than the chart knows.".into()
        }
        ValidationErrorKind::MinProperties { limit } => {
            format!("This must have at least {}.", count(*limit, "1 value", "{n} values"))
        }
        ValidationErrorKind::MaxProperties { limit } => {
            format!("This must have at most {}.", count(*limit, "1 value", "{n} values"))
        }
        ValidationErrorKind::UniqueItems => "Two items of this list are the same.".into(),
        ValidationErrorKind::Contains => "This list lacks an item that the chart needs.".into(),
        ValidationErrorKind::Pattern { pattern } => {
            format!("This does not match the pattern {}.", shortened(pattern))
        }
        ValidationErrorKind::Format { format } => format!("This is not {}.", format_name(format)),
        ValidationErrorKind::OneOfMultipleValid { .. } => {
            "This fits several of the chart’s alternatives, and only one may fit.".into()
        }
        ValidationErrorKind::Not { .. } | ValidationErrorKind::FalseSchema => {
            "The chart does not allow this here.".into()
        }
        other => format!("This does not meet what the chart’s schema says ({}).", other.keyword()),
    }
}

/// Of several alternatives, what is wrong with the one that was most likely meant; else with each in a few words.
fn alternatives(path: &[String], context: &[Vec<ValidationError<'_>>]) -> Vec<Finding> {
    let found: Vec<Vec<Finding>> =
        context.iter().map(|errors| errors.iter().flat_map(of).collect()).collect();
    // One that is of another type altogether was not meant.
    let is_meant = |errors: &&Vec<ValidationError<'_>>| {
        !errors.iter().any(|error| {
            let is_here = path_length(error) == path.len();
            let decides = matches!(
                error.kind(),
                ValidationErrorKind::Type { .. }
                    | ValidationErrorKind::Constant { .. }
                    | ValidationErrorKind::Enum { .. }
            );
            decides
                && (is_here
                    || path_length(error) == path.len() + 1
                        && !matches!(error.kind(), ValidationErrorKind::Type { .. }))
        })
    };
    let meant: Vec<usize> =
        (0..context.len()).filter(|at| context.get(*at).as_ref().is_some_and(is_meant)).collect();
    if let [one] = meant.as_slice() {
        return found.into_iter().nth(*one).unwrap_or_default();
    }
    let mut each: Vec<String> = found
        .into_iter()
        .filter_map(|findings| findings.into_iter().next())
        .map(|finding| match finding.path.get(path.len()..) {
            Some([]) | None => finding.message,
            Some(inner) => format!("{}: {}", inner.join("."), finding.message),
        })
        .collect();
    each.dedup();
    each.truncate(3);
    let message = match each.as_slice() {
        [] => "This fits none of the chart’s alternatives.".into(),
        [one] => one.clone(),
        several => format!("This fits none of the chart’s alternatives: {}", several.join(" Or: ")),
    };
    vec![Finding { path: path.to_vec(), message }]
}

/// The names and places on the way to the value.
fn path(error: &ValidationError<'_>) -> Vec<String> {
    let pointer = error.instance_path().as_str();
    pointer.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~")).collect()
}

fn path_length(error: &ValidationError<'_>) -> usize {
    error.instance_path().as_str().matches('/').count()
}

fn mistyped(kind: &TypeKind, value: &Value) -> String {
    let types: Vec<JsonType> = match kind {
        TypeKind::Single(one) => vec![*one],
        TypeKind::Multiple(several) => several.iter().collect(),
    };
    let names: Vec<&str> = types.iter().map(|kind| type_name(*kind)).collect();
    let is = match value {
        Value::Null => "empty (null)",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    };
    let hint = match value {
        Value::Number(_) | Value::Bool(_) if types.contains(&JsonType::String) => {
            " Put it in quotation marks to make it a text."
        }
        Value::String(text) => {
            let is_bare = match super::scalar::plain(text) {
                Some(Value::Number(_)) => {
                    types.contains(&JsonType::Integer) || types.contains(&JsonType::Number)
                }
                Some(Value::Bool(_)) => types.contains(&JsonType::Boolean),
                _ => false,
            };
            if is_bare { " Take the quotation marks away." } else { "" }
        }
        _ => "",
    };
    if let (Value::Number(number), [JsonType::Integer]) = (value, types.as_slice()) {
        return format!("This must be a whole number, not {number}.");
    }
    format!("This must be {}, not {is}.", names.join(" or ")) + hint
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Null => "empty (null)",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Number => "a number",
        JsonType::String => "a text",
        JsonType::Array => "a list",
        JsonType::Object => "a mapping",
    }
}

fn format_name(format: &str) -> String {
    match format {
        "email" | "idn-email" => "an e-mail address".into(),
        "uri" | "iri" | "url" => "a web address".into(),
        "hostname" | "idn-hostname" => "a host name".into(),
        "ipv4" => "an IPv4 address".into(),
        "ipv6" => "an IPv6 address".into(),
        "date" => "a date (2026-11-30)".into(),
        "time" => "a time (13:04:00Z)".into(),
        "date-time" => "a date with a time (2026-11-30T13:04:00Z)".into(),
        "duration" => "a duration (P1DT12H)".into(),
        "regex" => "a regular expression".into(),
        "uuid" => "a UUID".into(),
        other => format!("of the format {}", shortened(other)),
    }
}

fn count(number: u64, one: &str, many: &str) -> String {
    if number == 1 { one.to_owned() } else { many.replace("{n}", &number.to_string()) }
}

fn told(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_empty() => "an empty text".into(),
        Value::String(text) => shortened(text),
        other => shortened(&other.to_string()),
    }
}

fn quoted(name: &str) -> String {
    format!("“{}”", shortened(name))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(TEXT_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
