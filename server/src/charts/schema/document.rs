//! One schema document: where its references lead. Nothing is fetched: what is described elsewhere is told as such.

use std::collections::{HashMap, HashSet};

use url::Url;

use super::json::Json;

/// The version of JSON Schema that a document is written in. Without a word of its own it is the newest, as for helm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Draft {
    Four,
    Six,
    Seven,
    Nineteen,
    Twenty,
}

impl Draft {
    /// What `$schema` names; none for a version that nobody knows.
    pub fn of(address: &str) -> Option<Self> {
        let address = address.trim_end_matches('#').trim_end_matches('/');
        let address = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"))?;
        Some(match address {
            "json-schema.org/draft-04/schema" => Self::Four,
            "json-schema.org/draft-06/schema" => Self::Six,
            "json-schema.org/draft-07/schema" => Self::Seven,
            "json-schema.org/draft/2019-09/schema" => Self::Nineteen,
            "json-schema.org/draft/2020-12/schema" | "json-schema.org/schema" => Self::Twenty,
            _ => return None,
        })
    }
}

/// Keywords whose names are not keywords.
const NAMED: [&str; 7] = [
    "properties",
    "patternProperties",
    "definitions",
    "$defs",
    "dependentSchemas",
    "dependencies",
    "dependentRequired",
];
/// Keywords that hold values and no schemas.
const VALUES: [&str; 5] = ["enum", "const", "default", "examples", "example"];

/// A document with its index.
pub struct Document<'a> {
    pub draft: Draft,
    /// All regular expressions in it.
    pub patterns: HashSet<&'a str>,
    root: &'a Json,
    /// Parts with an address of their own; the document itself is the first.
    resources: Vec<(Url, &'a Json)>,
    by_address: HashMap<String, usize>,
    by_part: HashMap<*const Json, usize>,
    anchors: HashMap<(usize, String), &'a Json>,
    /// Where `unevaluatedProperties` and `unevaluatedItems` are, with the part that they are in.
    unevaluated: Vec<(&'a Json, usize)>,
}

/// A schema in a document.
#[derive(Clone, Copy)]
pub struct Schema<'a> {
    pub document: &'a Document<'a>,
    pub json: &'a Json,
    resource: usize,
}

impl<'a> Document<'a> {
    /// Looks through a document.
    pub fn new(root: &'a Json) -> Option<Self> {
        let draft = root.get("$schema").and_then(Json::text).and_then(Draft::of).unwrap_or(Draft::Twenty);
        let mut document = Self {
            draft,
            patterns: HashSet::new(),
            root,
            resources: vec![(Url::parse("file:///values.schema.json").ok()?, root)],
            by_address: HashMap::from([("file:///values.schema.json".to_owned(), 0)]),
            by_part: HashMap::from([(std::ptr::from_ref(root), 0)]),
            anchors: HashMap::new(),
            unevaluated: Vec::new(),
        };
        document.index(root, 0, true);
        Some(document)
    }

    /// The whole.
    pub fn schema(&'a self) -> Schema<'a> {
        Schema { document: self, json: self.root, resource: 0 }
    }

    /// The schemas that ask for what the others of a value left over.
    pub fn unevaluated(&'a self) -> impl Iterator<Item = Schema<'a>> {
        self.unevaluated.iter().map(|(json, resource)| Schema { document: self, json, resource: *resource })
    }

    fn index(&mut self, json: &'a Json, resource: usize, is_schema: bool) {
        let mut resource = resource;
        if is_schema {
            resource = self.name(json, resource);
            if ["unevaluatedProperties", "unevaluatedItems"].iter().any(|word| json.get(word).is_some()) {
                self.unevaluated.push((json, resource));
            }
            let names = json.get("patternProperties").map(Json::pairs).unwrap_or_default();
            self.patterns.extend(names.iter().map(|(name, _)| name.as_str()));
            self.patterns.extend(json.get("pattern").and_then(Json::text));
        }
        for item in json.items() {
            self.index(item, resource, is_schema);
        }
        for (name, value) in json.pairs() {
            let is_value = is_schema && VALUES.contains(&name.as_str());
            if !is_value {
                self.index(value, resource, !is_schema || !NAMED.contains(&name.as_str()));
            }
        }
    }

    /// Takes up the address and the anchors of a schema.
    fn name(&mut self, json: &'a Json, resource: usize) -> usize {
        let mut resource = resource;
        let is_only_reference = self.draft < Draft::Nineteen && json.get("$ref").is_some();
        let id = if self.draft == Draft::Four { "id" } else { "$id" };
        if let Some(id) = json.get(id).and_then(Json::text).filter(|_| !is_only_reference) {
            let (address, fragment) = id.split_once('#').unwrap_or((id, ""));
            let joined = self.resources.get(resource).and_then(|(base, _)| base.join(address).ok());
            if let Some(url) = joined.filter(|_| !address.is_empty()) {
                let is_root = std::ptr::eq(json, self.root);
                resource = if is_root { 0 } else { self.resources.len() };
                self.by_address.entry(url.to_string()).or_insert(resource);
                self.by_part.insert(std::ptr::from_ref(json), resource);
                match self.resources.get_mut(resource) {
                    Some(root) => root.0 = url,
                    None => self.resources.push((url, json)),
                }
            }
            if !fragment.is_empty() {
                self.anchors.entry((resource, fragment.to_owned())).or_insert(json);
            }
        }
        for anchor in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = json.get(anchor).and_then(Json::text) {
                self.anchors.entry((resource, name.to_owned())).or_insert(json);
            }
        }
        resource
    }
}

impl<'a> Schema<'a> {
    /// Which schema it is.
    pub fn id(&self) -> usize {
        std::ptr::from_ref(self.json).addr()
    }

    /// What a keyword says.
    pub fn get(&self, keyword: &str) -> Option<&'a Json> {
        self.json.get(keyword)
    }

    /// A schema in it.
    pub fn inner(&self, json: &'a Json) -> Self {
        let resource = self.document.by_part.get(&std::ptr::from_ref(json)).copied();
        Self { json, resource: resource.unwrap_or(self.resource), ..*self }
    }

    /// The schema that a keyword holds.
    pub fn at(&self, keyword: &str) -> Option<Self> {
        self.get(keyword).map(|json| self.inner(json))
    }

    /// The schemas that a keyword lists.
    pub fn list(&self, keyword: &str) -> Vec<Self> {
        self.get(keyword).map(Json::items).unwrap_or_default().iter().map(|json| self.inner(json)).collect()
    }

    /// The schemas that a keyword names.
    pub fn named(&self, keyword: &str) -> impl Iterator<Item = (&'a str, Self)> {
        let schema = *self;
        let pairs = self.get(keyword).map(Json::pairs).unwrap_or_default();
        pairs.iter().map(move |(name, json)| (name.as_str(), schema.inner(json)))
    }

    /// Whether what stands beside a reference counts.
    pub fn is_only_reference(&self) -> bool {
        self.document.draft < Draft::Nineteen && self.get("$ref").is_some()
    }

    /// Where its references lead; for each that leads nowhere in this document, its text.
    pub fn targets(&self) -> Vec<Result<Self, &'a str>> {
        ["$ref", "$dynamicRef", "$recursiveRef"]
            .iter()
            .filter_map(|keyword| self.get(keyword)?.text())
            .map(|reference| self.follow(reference).ok_or(reference))
            .collect()
    }

    fn follow(&self, reference: &str) -> Option<Self> {
        let (base, _) = self.document.resources.get(self.resource)?;
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = if address.is_empty() {
            self.resource
        } else {
            let mut url = base.join(address).ok()?;
            url.set_fragment(None);
            *self.document.by_address.get(url.as_str())?
        };
        let (_, root) = *self.document.resources.get(resource)?;
        let root = Self { json: root, resource, ..*self };
        let fragment = decoded(fragment);
        match fragment.strip_prefix('/') {
            Some(pointer) => {
                pointer.split('/').try_fold(root, |at, part| Some(at.inner(at.json.find(part)?)))
            }
            None if fragment.is_empty() => Some(root),
            None => self.document.anchors.get(&(resource, fragment)).map(|json| root.inner(json)),
        }
    }
}

/// A fragment without its percent signs.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads(text: &str, from: &str) -> Option<String> {
        let json = Json::read(text).unwrap();
        let document = Document::new(&json).unwrap();
        let at = from.split('/').filter(|part| !part.is_empty());
        let schema = at.fold(document.schema(), |at, part| at.inner(at.json.find(part).unwrap()));
        schema.targets().into_iter().next()?.ok()?.get("title")?.text().map(str::to_owned)
    }

    #[test]
    fn a_reference_leads_to_what_it_names_in_every_draft() {
        for (text, from) in [
            (r##"{"$ref": "#/definitions/a", "definitions": {"a": {"title": "a"}}}"##, ""),
            (r##"{"$ref": "#/$defs/a~1b%20c", "$defs": {"a/b c": {"title": "a"}}}"##, ""),
            (r##"{"title": "a", "properties": {"p": {"$ref": "#"}}}"##, "properties/p"),
            (r##"{"title": "a", "properties": {"p": {"$recursiveRef": "#"}}}"##, "properties/p"),
            (r##"{"$ref": "#named", "$defs": {"x": {"$anchor": "named", "title": "a"}}}"##, ""),
            (r##"{"$dynamicRef": "#node", "$defs": {"x": {"$dynamicAnchor": "node", "title": "a"}}}"##, ""),
            (
                r##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#x", "definitions": {"x": {"$id": "#x", "title": "a"}}}"##,
                "",
            ),
            (
                r##"{"$schema": "http://json-schema.org/draft-04/schema#", "$ref": "x.json", "definitions": {"x": {"id": "x.json", "title": "a"}}}"##,
                "",
            ),
            (
                r##"{"$id": "https://example.org/s/root.json", "$ref": "part.json#/$defs/y", "$defs": {"x": {"$id": "part.json", "$defs": {"y": {"title": "a"}}}}}"##,
                "",
            ),
            (
                r##"{"$id": "https://example.org/s/root.json", "$ref": "root.json#/$defs/y", "$defs": {"y": {"title": "a"}}}"##,
                "",
            ),
            (
                r##"{"$ref": "#/$defs/x", "$defs": {"x": {"$id": "in.json", "$ref": "#/$defs/x", "title": "a", "$defs": {"x": {"title": "b"}}}}}"##,
                "",
            ),
        ] {
            assert_eq!(leads(text, from).as_deref(), Some("a"), "{text}");
        }
        let inner = r##"{"$ref": "#/$defs/x", "$defs": {"x": {"$id": "in.json", "$ref": "#/$defs/x", "title": "a", "$defs": {"x": {"title": "b"}}}}}"##;
        assert_eq!(
            leads(inner, "$defs/x").as_deref(),
            Some("b"),
            "a part with an address is its own document"
        );
    }

    #[test]
    fn a_reference_out_of_the_document_leads_nowhere() {
        for reference in
            ["https://example.org/x.json", "other.json#/a", "#/no", "#no", "urn:x", "#/$defs/a/0", "%"]
        {
            let text = format!(r##"{{"$ref": "{reference}", "$defs": {{"a": {{}}}}}}"##);
            assert_eq!(leads(&text, ""), None, "{reference}");
        }
    }

    #[test]
    fn a_property_may_be_called_like_a_keyword() {
        let text = r##"{"$ref": "#/properties/default/properties/$id", "properties": {"default": {"properties": {"$id": {"title": "a"}}}, "enum": {"$id": "x.json"}}}"##;
        assert_eq!(leads(text, "").as_deref(), Some("a"));
    }
}
