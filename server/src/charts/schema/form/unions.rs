//! What `anyOf` and `oneOf` make of a form: a null that is allowed, values to choose from, or variants.

use serde_json::Value;

use super::super::document::Schema;
use super::super::facts::{Facts, Offered};
use super::super::json::Json;
use super::super::yaml::{Content, Node, Pairs};

/// The most variants that are shown.
const VARIANTS_MAX: usize = 20;
/// Words that say what a value is; without them a branch only limits it, and the check tells of that.
const SHAPES: [&str; 18] = [
    "type",
    "properties",
    "additionalProperties",
    "patternProperties",
    "items",
    "prefixItems",
    "enum",
    "const",
    "allOf",
    "anyOf",
    "oneOf",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
];

/// One of the things that a value can be.
pub struct Variant<'a> {
    /// All that is known of the value then.
    pub facts: Facts<'a>,
    /// The schemas that it is.
    pub opens: Vec<usize>,
}

/// Takes the alternatives in. What is left of them are the variants. `open` and `opened` are those of [`Facts::take`].
pub fn resolve<'a>(facts: &mut Facts<'a>, open: &mut Vec<usize>, opened: usize) -> Option<Vec<Variant<'a>>> {
    let mut variants: Option<Vec<Schema<'a>>> = None;
    while let Some(union) = facts.unions.pop() {
        let is_scalar = matches!(facts.types.as_deref(), Some(["string" | "integer" | "number" | "boolean"]));
        let told: Vec<(Schema<'a>, Option<&'a Json>)> =
            union.into_iter().map(|branch| (branch, meant(branch))).collect();
        let nulls = told.iter().filter(|(_, json)| json.is_some_and(is_null)).count();
        facts.nullable |= nulls > 0;
        let rest: Vec<_> = told.into_iter().filter(|(_, json)| !json.is_some_and(is_null)).collect();
        let constants: Option<Vec<Offered<'a>>> = rest.iter().map(|(_, json)| constant((*json)?)).collect();
        let is_limit = |(_, json): &(Schema<'a>, Option<&'a Json>)| {
            let says = |word: &&str| json.is_some_and(|json| json.get(word).is_some());
            let structure = ["type", "properties", "items", "enum", "const", "allOf", "anyOf", "oneOf"];
            json.is_some() && !if is_scalar { structure.iter().any(says) } else { SHAPES.iter().any(says) }
        };
        match (constants, rest.as_slice()) {
            (_, []) => {}
            (_, [(only, _)]) => facts.take(*only, open, opened),
            (Some(values), _) => facts.limit_choices(values),
            // One that allows everything makes the others no more than examples.
            (None, branches) if branches.iter().any(is_limit) => {}
            (None, _) if variants.is_some() => facts.reason("Further alternatives can only be given as YAML"),
            (None, branches) => variants = Some(branches.iter().map(|(schema, _)| *schema).collect()),
        }
    }
    let kinds = facts.types.clone().filter(|_| variants.is_none() && facts.choices.is_none());
    if let Some(kinds) = kinds {
        let kinds: Vec<&str> = kinds.into_iter().filter(|word| *word != "null").collect();
        let is_number = kinds.iter().all(|word| ["integer", "number"].contains(word));
        let is_several = kinds.len() > 1 && !is_number;
        return is_several.then(|| kinds.iter().map(|word| one_kind(facts, word)).collect());
    }
    let branches = variants?;
    if branches.len() > VARIANTS_MAX {
        facts.reason("There are more alternatives than a form can show");
        facts.types = Some(Vec::new());
        return None;
    }
    Some(branches.into_iter().map(|branch| one_branch(facts, branch, open, opened)).collect())
}

/// Whether a variant is what the chart has there.
pub fn may_be(facts: &Facts<'_>, value: &Node) -> bool {
    let is = |word: &str| facts.types.as_ref().is_none_or(|types| types.contains(&word));
    match &value.content {
        Content::List(_) => is("array"),
        Content::Map(pairs) => is("object") && names_allow(facts, pairs),
        Content::Scalar(Value::Null, _) => facts.nullable,
        Content::Scalar(Value::Bool(_), _) => is("boolean"),
        Content::Scalar(Value::Number(number), _) => is("number") || is("integer") && !number.is_f64(),
        Content::Scalar(..) => is("string"),
    }
}

/// Whether the properties whose values a variant names have one of these: by such a one variants are told apart.
fn names_allow(facts: &Facts<'_>, pairs: &Pairs) -> bool {
    facts.properties.iter().all(|(name, schemas)| {
        let value = pairs.get(name).map(|pair| &pair.value);
        value.is_none_or(|value| schemas.iter().all(|schema| allows(schema, value)))
    })
}

/// Whether a schema that names its values names this one.
fn allows(schema: &Schema<'_>, value: &Node) -> bool {
    let Content::Scalar(value, _) = &value.content else { return true };
    let is_same = |named: &Json| match (value, named) {
        (Value::String(value), Json::Text(named)) => value == named,
        (Value::Bool(value), Json::Bool(named)) => value == named,
        (Value::String(_) | Value::Bool(_), _) => false,
        // There is more than one way to write a number.
        _ => true,
    };
    let is_among = |keyword: &str| schema.get(keyword).is_none_or(|all| all.items().iter().any(is_same));
    is_among("enum") && schema.get("const").is_none_or(is_same)
}

fn one_kind<'a>(facts: &Facts<'a>, kind: &'a str) -> Variant<'a> {
    let title = match kind {
        "object" => "Mapping",
        "array" => "List",
        "string" => "Text",
        "integer" => "Whole number",
        "number" => "Number",
        _ => "Yes or no",
    };
    let mut facts = bare(facts);
    facts.types = Some(vec![kind]);
    facts.title = Some(title.into());
    Variant { facts, opens: Vec::new() }
}

fn one_branch<'a>(
    facts: &Facts<'a>,
    branch: Schema<'a>,
    open: &mut Vec<usize>,
    opened: usize,
) -> Variant<'a> {
    let mut facts = bare(facts);
    let before = open.len();
    facts.take(branch, open, opened);
    Variant { facts, opens: open.split_off(before) }
}

/// What is known, without what is said of all variants together.
fn bare<'a>(facts: &Facts<'a>) -> Facts<'a> {
    let mut bare = facts.clone();
    (bare.title, bare.description, bare.default, bare.nullable) = (None, None, None, false);
    bare
}

/// The schema that a branch is, past its references.
fn meant(branch: Schema<'_>) -> Option<&Json> {
    let mut at = branch;
    for _ in 0..8 {
        match at.targets().into_iter().next() {
            Some(Ok(target)) => at = target,
            Some(Err(_)) => return None,
            None => return Some(at.json),
        }
    }
    None
}

fn is_null(json: &Json) -> bool {
    let is_word = |json: &Json| json.text() == Some("null");
    match (json.get("type"), json.get("const"), json.get("enum")) {
        (Some(Json::List(types)), ..) => !types.is_empty() && types.iter().all(is_word),
        (Some(kind), ..) if is_word(kind) => true,
        (_, Some(Json::Null), _) => true,
        (_, _, Some(Json::List(values))) => matches!(values.as_slice(), [Json::Null]),
        _ => false,
    }
}

/// The one value that a branch is.
fn constant(json: &Json) -> Option<Offered<'_>> {
    let title = json.get("title").or_else(|| json.get("description")).and_then(Json::text);
    match (json.get("const"), json.get("enum").map(Json::items)) {
        (Some(value), _) | (None, Some([value])) => Some((value, title)),
        _ => None,
    }
}
