//! YAML as helm reads values: with the place and the spelling of each of them. Several documents are laid over each other, of
//! a key that is there twice the last one counts, and aliases and merges are resolved.

mod build;
mod comments;
mod write;

use std::collections::HashMap;

use granit_parser::{Marker, Parser, options};
use serde_json::{Map, Value};

use self::build::Builder;

/// The deepest nesting that is read.
pub const DEPTH_MAX: usize = 100;
/// The most values that are read, with those that aliases repeat. The largest public charts have some thousands.
const NODES_MAX: usize = 200_000;

/// A place in a text, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

impl Place {
    fn of(marker: &Marker) -> Self {
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Self { line: small(marker.line()), column: small(marker.col().saturating_add(1)) }
    }
}

/// Why a text is not YAML that helm reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub at: Option<Place>,
    pub message: String,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it begins.
    pub at: Place,
    /// What it is.
    pub content: Content,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// What helm makes of it, and how a plain scalar is written.
    Scalar(Value, Option<String>),
    List(Vec<Node>),
    Map(Pairs),
}

/// One key of a mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub key: String,
    pub at: Place,
    /// What the comment above it says.
    pub comment: Option<String>,
    pub value: Node,
}

/// A mapping, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pairs {
    list: Vec<Pair>,
    index: HashMap<String, usize>,
}

impl Pairs {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Pair> {
        self.index.get(key).and_then(|at| self.list.get(*at))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Pair> {
        self.list.iter()
    }

    /// Puts a pair in the place of one of its key, or at the end.
    pub fn put(&mut self, pair: Pair) {
        match self.index.get(&pair.key).and_then(|at| self.list.get_mut(*at)) {
            Some(there) => *there = pair,
            None => {
                self.index.insert(pair.key.clone(), self.list.len());
                self.list.push(pair);
            }
        }
    }

    /// Lays `above` over it: mappings are merged, anything else is replaced. Comments stay where `above` has none.
    pub fn overlay(&mut self, above: Self) {
        for mut pair in above.list {
            let below = self.index.get(&pair.key).and_then(|at| self.list.get_mut(*at));
            match below {
                Some(below) => {
                    pair.comment = pair.comment.or_else(|| below.comment.take());
                    if let (Content::Map(into), Content::Map(_)) =
                        (&mut below.value.content, &pair.value.content)
                    {
                        below.at = pair.at;
                        below.comment = pair.comment;
                        below.value.at = pair.value.at;
                        if let Content::Map(from) = pair.value.content {
                            into.overlay(from);
                        }
                    } else {
                        *below = pair;
                    }
                }
                None => self.put(pair),
            }
        }
    }

    /// Lays it over `below`: what it has stays, and its order comes first.
    pub fn underlay(&mut self, below: Self) {
        for pair in below.list {
            match self.index.get(&pair.key).and_then(|at| self.list.get_mut(*at)) {
                Some(there) => {
                    if there.comment.is_none() {
                        there.comment = pair.comment;
                    }
                    if let (Content::Map(into), Content::Map(from)) =
                        (&mut there.value.content, pair.value.content)
                    {
                        into.underlay(from);
                    }
                }
                None => self.put(pair),
            }
        }
    }

    /// Takes a key out.
    pub fn remove(&mut self, key: &str) -> Option<Pair> {
        let at = self.index.remove(key)?;
        let pair = self.list.remove(at);
        self.index.values_mut().filter(|place| **place > at).for_each(|place| *place -= 1);
        Some(pair)
    }

    /// As helm has it.
    pub fn to_map(&self) -> Map<String, Value> {
        self.list.iter().map(|pair| (pair.key.clone(), pair.value.to_value())).collect()
    }
}

impl FromIterator<Pair> for Pairs {
    fn from_iter<I: IntoIterator<Item = Pair>>(pairs: I) -> Self {
        let mut all = Self::default();
        pairs.into_iter().for_each(|pair| all.put(pair));
        all
    }
}

impl Pair {
    /// A mapping that nobody wrote.
    pub fn new(key: &str, value: Pairs) -> Self {
        let at = Place { line: 1, column: 1 };
        let value = Node { at, content: Content::Map(value) };
        Self { key: key.to_owned(), at, comment: None, value }
    }
}

impl Node {
    /// As helm has it.
    pub fn to_value(&self) -> Value {
        match &self.content {
            Content::Scalar(value, _) => value.clone(),
            Content::List(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Content::Map(pairs) => Value::Object(pairs.to_map()),
        }
    }

    /// The mapping that it is.
    pub fn pairs(&self) -> Option<&Pairs> {
        match &self.content {
            Content::Map(pairs) => Some(pairs),
            _ => None,
        }
    }
}

/// Reads the values of a text: a mapping; an empty one if there is nothing.
///
/// # Errors
/// With the place, when helm would not read it, or it is larger or deeper than what Slipway reads.
pub fn read(text: &str) -> Result<Pairs, Unreadable> {
    merged(documents(text)?, text)
}

/// Reads the values of a text that is to have one document: of several, helm 3 takes the first one of a user's and helm 4 all.
///
/// # Errors
/// As [`read`].
pub fn read_one(text: &str) -> Result<Pairs, Unreadable> {
    let documents = documents(text)?;
    let is_something = |node: &&Node| !matches!(node.content, Content::Scalar(Value::Null, _));
    match documents.iter().filter(is_something).nth(1) {
        Some(second) => Err(Unreadable {
            at: Some(second.at),
            message: "There is more than one document here, and not every helm reads this one.".into(),
        }),
        None => merged(documents, text),
    }
}

fn documents(text: &str) -> Result<Vec<Node>, Unreadable> {
    let options = options! {
        flow_nesting_limit: DEPTH_MAX,
        block_nesting_limit: DEPTH_MAX,
        emit_comments: false,
    };
    let mut builder = Builder::new(NODES_MAX);
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|error| Unreadable {
            at: Some(Place::of(error.marker())),
            message: format!("This is not valid YAML: {}.", error.info().trim_end_matches('.')),
        })?;
        builder.take(event, &span)?;
    }
    Ok(builder.finish())
}

fn merged(documents: Vec<Node>, text: &str) -> Result<Pairs, Unreadable> {
    let mut values = Pairs::default();
    for document in documents {
        match document.content {
            Content::Map(pairs) => values.overlay(pairs),
            Content::Scalar(Value::Null, _) => {}
            _ => {
                return Err(Unreadable {
                    at: Some(document.at),
                    message: "The values are a mapping of names to values, such as `replicas: 2`.".into(),
                });
            }
        }
    }
    comments::attach(&mut values, text);
    Ok(values)
}

#[cfg(test)]
mod tests;
