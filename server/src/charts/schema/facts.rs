//! What the schemas of one value say of it together: references followed, `allOf` merged.

use std::collections::{HashMap, HashSet};

use app::model::FormLimits;

use super::document::{Draft, Schema};
use super::json::Json;

/// The longest text of a chart's that is kept, in characters.
const TEXT_MAX: usize = 2_000;
/// The most schemas that are looked at for one value.
const SCHEMAS_MAX: usize = 200;

/// One of the values that a value can be, and what it is called.
pub type Offered<'a> = (&'a Json, Option<&'a str>);

/// What is said.
#[derive(Clone, Default)]
pub struct Facts<'a> {
    pub title: Option<String>,
    pub description: Option<String>,
    pub default: Option<&'a Json>,
    pub deprecated: bool,
    pub read_only: bool,
    /// None if nothing is said; then everything goes.
    pub types: Option<Vec<&'a str>>,
    pub nullable: bool,
    pub choices: Option<Vec<Offered<'a>>>,
    pub properties: Vec<(&'a str, Vec<Schema<'a>>)>,
    places: HashMap<&'a str, usize>,
    pub required: HashSet<&'a str>,
    pub patterns: Vec<Schema<'a>>,
    pub additional: Vec<Schema<'a>>,
    pub closed: bool,
    pub items: Vec<Schema<'a>>,
    pub is_tuple: bool,
    pub limits: FormLimits,
    /// Alternatives that are still to be looked at.
    pub unions: Vec<Vec<Schema<'a>>>,
    /// A schema that it is a part of itself.
    pub recursion: Option<Schema<'a>>,
    /// What could not be understood.
    pub reason: Option<String>,
    seen: HashSet<usize>,
}

impl<'a> Facts<'a> {
    /// Takes up a schema. `open` has the schemas that this value is a part of, and gets those that it is.
    pub fn take(&mut self, schema: Schema<'a>, open: &mut Vec<usize>, opened: usize) {
        if self.seen.len() >= SCHEMAS_MAX {
            self.reason("The schema says too much of this value");
            return;
        }
        if !self.seen.insert(schema.id()) {
            return;
        }
        match schema.json {
            Json::Bool(true) => return,
            Json::Object(_) => {}
            _ => return self.reason("The schema allows nothing here"),
        }
        self.annotate(&schema);
        for target in schema.targets() {
            match target {
                Ok(target) if open.iter().take(opened).any(|id| *id == target.id()) => {
                    self.recursion.get_or_insert(target);
                }
                Ok(target) => {
                    open.push(target.id());
                    self.take(target, open, opened);
                }
                Err(address) => {
                    let address: String = address.chars().take(200).collect();
                    self.reason(&format!(
                        "It is described elsewhere ({address}), and Slipway does not look there"
                    ));
                }
            }
        }
        if schema.is_only_reference() {
            return;
        }
        self.constrain(&schema);
        self.shape(&schema);
        for part in schema.list("allOf") {
            self.take(part, open, opened);
        }
        for keyword in ["anyOf", "oneOf"] {
            let union = schema.list(keyword);
            if !union.is_empty() {
                self.unions.push(union);
            }
        }
        self.suppose(&schema);
    }

    /// Says why a part of it is not shown.
    pub fn reason(&mut self, words: &str) {
        self.reason.get_or_insert_with(|| format!("{words}."));
    }

    /// What people read; it counts beside a reference too.
    fn annotate(&mut self, schema: &Schema<'a>) {
        let text = |keyword: &str| {
            let text = schema.get(keyword)?.text()?.trim();
            (!text.is_empty()).then(|| text.chars().take(TEXT_MAX).collect::<String>())
        };
        self.title = self.title.take().or_else(|| text("title"));
        self.description = self.description.take().or_else(|| text("description"));
        self.default = self.default.or_else(|| schema.get("default"));
        self.deprecated |= schema.get("deprecated").is_some_and(Json::is_true);
        self.read_only |= schema.get("readOnly").is_some_and(Json::is_true);
    }

    fn constrain(&mut self, schema: &Schema<'a>) {
        match schema.get("type") {
            Some(Json::Text(one)) => self.limit_types(vec![one]),
            Some(Json::List(several)) => self.limit_types(several.iter().filter_map(Json::text).collect()),
            _ => {}
        }
        let one_of = match (schema.get("const"), schema.get("enum")) {
            (Some(value), _) => Some(vec![(value, None)]),
            (None, Some(Json::List(values))) => Some(values.iter().map(|value| (value, None)).collect()),
            _ => None,
        };
        if let Some(values) = one_of {
            self.limit_choices(values);
        }
        let number = |keyword: &str| schema.get(keyword).and_then(Json::number).map(str::to_owned);
        let count = |keywords: [&str; 3]| {
            keywords.iter().find_map(|keyword| number(keyword)?.parse::<f64>().ok()).map(|count| {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
                let count = count as u32;
                count
            })
        };
        let is = |keyword: &str| schema.get(keyword).is_some_and(Json::is_true);
        let limits = &mut self.limits;
        // In draft 4 the words are switches of the limit beside them.
        let (above, below) = (is("exclusiveMinimum"), is("exclusiveMaximum"));
        set(&mut limits.minimum, number("minimum").filter(|_| !above));
        set(&mut limits.maximum, number("maximum").filter(|_| !below));
        set(&mut limits.above, number(if above { "minimum" } else { "exclusiveMinimum" }));
        set(&mut limits.below, number(if below { "maximum" } else { "exclusiveMaximum" }));
        set(&mut limits.multiple_of, number("multipleOf"));
        set(&mut limits.shortest, count(["minLength", "minItems", "minProperties"]));
        set(&mut limits.longest, count(["maxLength", "maxItems", "maxProperties"]));
        let text =
            |keyword: &str| schema.get(keyword).and_then(Json::text).filter(|text| text.len() <= TEXT_MAX);
        set(&mut limits.pattern, text("pattern").map(str::to_owned));
        set(&mut limits.format, text("format").map(str::to_owned));
        limits.unique |= is("uniqueItems");
    }

    fn shape(&mut self, schema: &Schema<'a>) {
        for (name, property) in schema.named("properties") {
            self.property(name, property);
        }
        // Draft 3's `required: true` is not a list, and says nothing.
        self.required.extend(
            schema.get("required").map(Json::items).unwrap_or_default().iter().filter_map(Json::text),
        );
        self.patterns.extend(schema.named("patternProperties").map(|(_, schema)| schema));
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            match schema.at(keyword) {
                Some(Schema { json: Json::Bool(false), .. }) => self.closed = true,
                Some(schema @ Schema { json: Json::Object(_), .. }) => self.additional.push(schema),
                _ => {}
            }
        }
        match schema.get("items") {
            Some(Json::List(_)) => self.is_tuple = true,
            Some(items @ Json::Object(_)) => self.items.push(schema.inner(items)),
            _ => {}
        }
        self.is_tuple |= schema.document.draft >= Draft::Twenty && schema.get("prefixItems").is_some();
    }

    /// What applies under conditions is offered, and never required.
    fn suppose(&mut self, schema: &Schema<'a>) {
        let branches = ["then", "else"].iter().filter_map(|keyword| schema.at(keyword));
        let dependent = ["dependentSchemas", "dependencies"]
            .iter()
            .flat_map(|keyword| schema.named(keyword).map(|(_, schema)| schema).collect::<Vec<_>>());
        for branch in branches.chain(dependent) {
            for (name, property) in branch.named("properties") {
                let says = ["type", "properties", "items", "$ref", "enum", "description", "title"];
                if !self.places.contains_key(name) && says.iter().any(|word| property.get(word).is_some()) {
                    self.property(name, property);
                }
            }
        }
    }

    fn property(&mut self, name: &'a str, schema: Schema<'a>) {
        match self.places.get(name).and_then(|at| self.properties.get_mut(*at)) {
            Some((_, schemas)) => schemas.push(schema),
            None => {
                self.places.insert(name, self.properties.len());
                self.properties.push((name, vec![schema]));
            }
        }
    }

    fn limit_types(&mut self, types: Vec<&'a str>) {
        let types = match self.types.take() {
            None => types,
            Some(known) => both(&known, &types),
        };
        if types.is_empty() {
            self.reason("The schema contradicts itself here");
        }
        self.types = Some(types);
    }

    /// Only these values are left.
    pub fn limit_choices(&mut self, values: Vec<Offered<'a>>) {
        self.choices = Some(match self.choices.take() {
            None => values,
            Some(known) => known
                .into_iter()
                .filter(|(value, _)| values.iter().any(|(other, _)| other == value))
                .collect(),
        });
    }
}

fn set<T>(place: &mut Option<T>, value: Option<T>) {
    if place.is_none() {
        *place = value;
    }
}

/// The types that are in both; each whole number is a number.
fn both<'a>(one: &[&'a str], other: &[&'a str]) -> Vec<&'a str> {
    let mut found: Vec<&str> = one.iter().copied().filter(|word| other.contains(word)).collect();
    let crosses = |a: &[&str], b: &[&str]| a.contains(&"integer") && b.contains(&"number");
    if (crosses(one, other) || crosses(other, one)) && !found.contains(&"integer") {
        found.push("integer");
    }
    found
}
