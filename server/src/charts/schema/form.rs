//! The form of a chart's values.

mod unions;

use std::collections::{HashMap, VecDeque};

use app::model::{FieldKind, Form, FormChoice, FormField, FormLimits};
use serde_json::Value;

use self::unions::Variant;
use super::document::{Document, Schema};
use super::facts::Facts;
use super::json::Json;
use super::layers::Layer;
use super::yaml::{Content, Node, Pair, Pairs};
use crate::charts::tree::Chart;

/// The most fields of a form; the largest public charts have about three thousand values.
const FIELDS_MAX: usize = 6_000;
/// How much all texts of a form may be.
const TEXTS_MAX: usize = 2 * 1024 * 1024;
/// The deepest nesting of fields.
const DEPTH_MAX: usize = 24;
/// The most values to choose from.
const CHOICES_MAX: usize = 500;
/// The most notes.
const NOTES_MAX: usize = 20;

const TOO_MANY: &str = "There are more values than a form can show.";

/// The form of a chart and of the charts in it.
pub fn of(chart: &Chart) -> Form {
    let mut broken = Vec::new();
    let layer = Layer::of(chart, &mut broken);
    let mut notes: Vec<String> = broken
        .into_iter()
        .map(|(name, error)| format!("The values.yaml of {name} cannot be read: {}", error.message))
        .collect();
    let schemas = read(&layer, &mut notes);
    let documents: Vec<Option<Document<'_>>> =
        schemas.iter().map(|json| json.as_ref().and_then(Document::new)).collect();
    let part = Part::of(&layer, &mut documents.iter());
    let defaults = defaults(&layer);
    let mut drafter = Drafter { fields: FIELDS_MAX, texts: TEXTS_MAX, ..Drafter::default() };
    let root = Node { at: super::yaml::Place { line: 1, column: 1 }, content: Content::Map(defaults) };
    let ask = Ask {
        schemas: part.schema.into_iter().collect(),
        value: Some(&root),
        part: Some(&part),
        ..Ask::default()
    };
    let mut root = drafter.field(ask, 0);
    root.kind = FieldKind::Object;
    let definitions = drafter.define();
    notes.truncate(NOTES_MAX);
    Form { root, definitions, has_schema: schemas.iter().any(Option::is_some), notes }
}

/// The schemas of a chart and of those in it, in the order in which [`Part::of`] takes them.
fn read(layer: &Layer<'_>, notes: &mut Vec<String>) -> Vec<Option<Json>> {
    let own = layer.chart.schema.as_deref().map(Json::read).transpose().unwrap_or_else(|error| {
        notes.push(format!("The schema of {} cannot be read: {error}.", layer.name));
        None
    });
    std::iter::once(own).chain(layer.below.iter().flat_map(|below| read(below, notes))).collect()
}

/// What applies where nothing is given: the values of a chart over those of the charts in it.
fn defaults(layer: &Layer<'_>) -> Pairs {
    let mut values = layer.written.clone();
    for below in &layer.below {
        let mut inner = defaults(below);
        // What is global belongs to all of them.
        if let Some(global) = inner.remove("global") {
            values.underlay(Pairs::from_iter([global]));
        }
        values.underlay(Pairs::from_iter([Pair::new(&below.name, inner)]));
    }
    values
}

/// A chart with its schema.
struct Part<'a> {
    name: &'a str,
    schema: Option<Schema<'a>>,
    below: Vec<Part<'a>>,
}

impl<'a> Part<'a> {
    fn of(layer: &'a Layer<'a>, documents: &mut std::slice::Iter<'a, Option<Document<'a>>>) -> Self {
        let schema = documents.next().and_then(Option::as_ref).map(Document::schema);
        let below = layer.below.iter().map(|below| Self::of(below, documents)).collect();
        Self { name: &layer.name, schema, below }
    }

    /// What the schemas of the charts in it say of `global`.
    fn global(&self) -> Vec<Schema<'a>> {
        let own = |part: &Part<'a>| {
            let properties = part.schema?.at("properties")?;
            properties.at("global")
        };
        self.below.iter().flat_map(|part| own(part).into_iter().chain(part.global())).collect()
    }
}

/// What a field is made of.
#[derive(Default)]
struct Ask<'a, 'p> {
    key: &'p str,
    schemas: Vec<Schema<'a>>,
    /// What the chart has there.
    value: Option<&'p Node>,
    comment: Option<&'p str>,
    required: bool,
    /// The chart whose values these are.
    part: Option<&'p Part<'a>>,
}

#[derive(Default)]
struct Drafter<'a> {
    fields: usize,
    texts: usize,
    /// The schemas that the field in the making is a part of.
    open: Vec<usize>,
    known: HashMap<usize, u32>,
    waiting: VecDeque<Schema<'a>>,
}

impl<'a> Drafter<'a> {
    fn field(&mut self, ask: Ask<'a, '_>, depth: usize) -> FormField {
        let mut facts = Facts::default();
        let opened = self.open.len();
        for schema in &ask.schemas {
            if depth == 0 {
                self.open.push(schema.id());
            }
            facts.take(*schema, &mut self.open, opened);
        }
        let field = self.draw(facts, &ask, depth, opened);
        self.open.truncate(opened);
        field
    }

    /// A field of which these facts are known; of what is open, the first so many are what it is a part of.
    fn draw(&mut self, mut facts: Facts<'a>, ask: &Ask<'a, '_>, depth: usize, opened: usize) -> FormField {
        let mut field = FormField {
            key: ask.key.to_owned(),
            title: facts.title.clone(),
            description: facts.description.clone().or_else(|| ask.comment.map(str::to_owned)),
            required: ask.required,
            deprecated: facts.deprecated,
            read_only: facts.read_only,
            ..FormField::default()
        };
        self.fields = self.fields.saturating_sub(1);
        self.spend(&field);
        if self.fields == 0 || self.texts == 0 || depth > DEPTH_MAX {
            let deep = "It is nested deeper than a form can show.";
            field.reason = Some(if depth > DEPTH_MAX { deep } else { TOO_MANY }.into());
            field.default = ask.value.map(|value| self.told(value));
            return field;
        }
        let variants = unions::resolve(&mut facts, &mut self.open, opened);
        facts.nullable |= facts.types.as_ref().is_some_and(|types| types.contains(&"null"));
        if let Some(types) = &mut facts.types {
            types.retain(|word| *word != "null");
        }
        field.nullable = facts.nullable;
        field.limits = facts.limits.clone();
        field.suggestion = facts.default.filter(|_| ask.value.is_none()).map(Json::to_yaml);
        match variants {
            Some(variants) => self.vary(&mut field, variants, ask, depth, opened),
            None => self.shape(&mut field, facts, ask, depth),
        }
        if let (Some(value), true) = (ask.value, field.fields.is_empty()) {
            field.default = Some(self.told(value));
        }
        field
    }

    fn vary(
        &mut self,
        field: &mut FormField,
        variants: Vec<Variant<'a>>,
        ask: &Ask<'a, '_>,
        depth: usize,
        opened: usize,
    ) {
        field.kind = FieldKind::Variants;
        field.limits = FormLimits::default();
        for Variant { facts, opens } in variants {
            let value = ask.value.filter(|value| unions::may_be(&facts, value));
            let ask = Ask { value, part: ask.part, ..Ask::default() };
            let before = self.open.len();
            self.open.extend(opens);
            field.variants.push(self.draw(facts, &ask, depth + 1, opened));
            self.open.truncate(before);
        }
    }

    fn shape(&mut self, field: &mut FormField, facts: Facts<'a>, ask: &Ask<'a, '_>, depth: usize) {
        field.reason = facts.reason.clone();
        if let Some(choices) = &facts.choices {
            field.kind = FieldKind::Choice;
            let offered = choices
                .iter()
                .take(CHOICES_MAX)
                .map(|(value, title)| FormChoice { value: value.to_yaml(), title: title.map(str::to_owned) });
            field.choices = offered.collect();
            if field.choices.len() < choices.len() {
                field.reason = Some("Not all that can be chosen is shown.".into());
            }
            return;
        }
        if let Some(recursion) = facts.recursion {
            field.kind = FieldKind::Defined;
            field.definition = Some(self.definition(recursion));
            return;
        }
        field.kind = kind(&facts, ask);
        match field.kind {
            FieldKind::Object => self.object(field, &facts, ask, depth),
            FieldKind::Array => self.array(field, facts, ask, depth),
            FieldKind::Raw => {
                field.reason.get_or_insert_with(|| "The chart does not say what this is.".into());
            }
            _ => {}
        }
    }

    fn object(&mut self, field: &mut FormField, facts: &Facts<'a>, ask: &Ask<'a, '_>, depth: usize) {
        field.closed = facts.closed;
        let value = ask.value.and_then(Node::pairs);
        let mut schemas: HashMap<&str, &Vec<Schema<'a>>> =
            facts.properties.iter().map(|(name, schemas)| (*name, schemas)).collect();
        let others: &[Schema<'a>] =
            if facts.patterns.is_empty() { &facts.additional } else { &facts.patterns };
        let written = value.into_iter().flat_map(Pairs::iter).map(|pair| (pair.key.as_str(), Some(pair)));
        let mut names: Vec<(&str, Option<&Pair>)> = written.collect();
        let is_new = |name: &str| value.is_none_or(|value| value.get(name).is_none());
        names.extend(facts.properties.iter().filter(|(name, _)| is_new(name)).map(|(name, _)| (*name, None)));
        if ask.part.is_some() && depth > 0 {
            // It is among the fields of the outermost chart, and helm hands it down.
            names.retain(|(name, _)| *name != "global");
        }
        let parts = ask.part.map(|part| part.below.as_slice()).unwrap_or_default();
        for (name, pair) in names {
            if self.fields == 0 || self.texts == 0 {
                field.reason = Some(TOO_MANY.into());
                return;
            }
            let part = parts.iter().find(|part| part.name == name);
            let mut of = match schemas.remove(name) {
                Some(own) => own.clone(),
                None if part.is_some() => Vec::new(),
                None => others.iter().take(1).copied().collect(),
            };
            of.extend(part.and_then(|part| part.schema));
            if let (true, Some(part)) = (name == "global" && depth == 0, ask.part) {
                of.extend(part.global());
            }
            let ask = Ask {
                key: name,
                schemas: of,
                value: pair.map(|pair| &pair.value),
                comment: pair.and_then(|pair| pair.comment.as_deref()),
                required: facts.required.contains(name),
                part,
            };
            let inner = self.field(ask, depth + 1);
            field.fields.push(inner);
        }
        let is_free = !facts.closed && facts.properties.is_empty() && ask.part.is_none();
        if !others.is_empty() || is_free && value.is_none_or(|value| value.iter().next().is_none()) {
            let ask = Ask { schemas: others.iter().take(1).copied().collect(), ..Ask::default() };
            field.other = Some(Box::new(self.field(ask, depth + 1)));
        }
    }

    fn array(&mut self, field: &mut FormField, facts: Facts<'a>, ask: &Ask<'a, '_>, depth: usize) {
        if facts.is_tuple {
            field.kind = FieldKind::Raw;
            field.reason = Some("Its items differ by their place in the list.".into());
            return;
        }
        let items = match ask.value.map(|value| &value.content) {
            Some(Content::List(items)) => items.as_slice(),
            _ => &[],
        };
        // Without a word of the schema's, the first item is taken for what all of them are, if they are alike.
        let is_alike = items.iter().all(|item| guess(item) == items.first().map_or(FieldKind::Raw, guess));
        let value = items.first().filter(|_| facts.items.is_empty() && is_alike);
        let mut item = self.field(Ask { schemas: facts.items, value, ..Ask::default() }, depth + 1);
        if value.is_some() {
            forget(&mut item);
        }
        field.item = Some(Box::new(item));
    }

    fn definition(&mut self, schema: Schema<'a>) -> u32 {
        let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        *self.known.entry(schema.id()).or_insert_with(|| {
            self.waiting.push_back(schema);
            next
        })
    }

    /// The fields that can hold themselves; drawing one may find another.
    fn define(&mut self) -> Vec<FormField> {
        let mut definitions = Vec::new();
        while let Some(schema) = self.waiting.pop_front() {
            self.open.clear();
            definitions.push(self.field(Ask { schemas: vec![schema], ..Ask::default() }, 0));
        }
        definitions
    }

    fn told(&mut self, value: &Node) -> String {
        let text = value.to_yaml();
        self.texts = self.texts.saturating_sub(text.len());
        text
    }

    fn spend(&mut self, field: &FormField) {
        let texts = [&field.title, &field.description];
        let texts: usize = texts.iter().filter_map(|text| text.as_ref()).map(String::len).sum();
        self.texts = self.texts.saturating_sub(field.key.len() + texts);
    }
}

/// What a value is by its schemas, else by what the chart has there.
fn kind(facts: &Facts<'_>, ask: &Ask<'_, '_>) -> FieldKind {
    let is_object = !facts.properties.is_empty()
        || !facts.patterns.is_empty()
        || !facts.additional.is_empty()
        || !facts.required.is_empty()
        || facts.closed;
    match facts.types.as_deref() {
        Some(["object"]) => FieldKind::Object,
        Some(["array"]) => FieldKind::Array,
        Some(["string"]) => FieldKind::Text,
        Some(["integer"]) => FieldKind::Integer,
        Some(["number"] | ["integer", "number"] | ["number", "integer"]) => FieldKind::Number,
        Some(["boolean"]) => FieldKind::Boolean,
        Some(_) => FieldKind::Raw,
        None if ask.part.is_some() || is_object => FieldKind::Object,
        None if !facts.items.is_empty() || facts.is_tuple => FieldKind::Array,
        None if facts.limits.pattern.is_some() || facts.limits.format.is_some() => FieldKind::Text,
        None if facts.limits.minimum.is_some() || facts.limits.maximum.is_some() => FieldKind::Number,
        None if facts.reason.is_some() => FieldKind::Raw,
        None => ask.value.map_or(FieldKind::Raw, guess),
    }
}

/// What a value is by itself.
fn guess(value: &Node) -> FieldKind {
    match &value.content {
        Content::List(_) => FieldKind::Array,
        Content::Map(_) => FieldKind::Object,
        Content::Scalar(Value::Bool(_), _) => FieldKind::Boolean,
        Content::Scalar(Value::String(_), _) => FieldKind::Text,
        Content::Scalar(Value::Number(number), _) if number.is_f64() => FieldKind::Number,
        Content::Scalar(Value::Number(_), _) => FieldKind::Integer,
        Content::Scalar(..) => FieldKind::Raw,
    }
}

/// What one item of a list has is not what applies to another.
fn forget(field: &mut FormField) {
    field.default = None;
    field.fields.iter_mut().chain(field.item.as_deref_mut()).chain(&mut field.variants).for_each(forget);
}

#[cfg(test)]
mod tests;
