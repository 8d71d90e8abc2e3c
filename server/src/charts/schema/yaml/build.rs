//! Puts nodes together from what the parser tells. Nothing here calls itself, so that no text can use up the stack.

use std::collections::{HashMap, HashSet};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use granit_parser::{Event, ScalarStyle, Span, Tag};
use serde_json::Value;

use super::super::scalar;
use super::{Content, Node, Pair, Pairs, Place, Unreadable};

/// Nodes in the making.
pub struct Builder {
    open: Vec<Open>,
    documents: Vec<Node>,
    anchors: HashMap<usize, (Node, usize)>,
    unfinished: HashSet<usize>,
    left: usize,
    nodes: usize,
}

/// A list or mapping that has not ended.
struct Open {
    at: Place,
    anchor: usize,
    /// How many nodes there were before it.
    before: usize,
    kind: Kind,
}

enum Kind {
    List(Vec<Node>),
    Map(Pairs, Option<Key>),
}

/// A key whose value comes next.
enum Key {
    Merge(Place),
    Name(String, Place),
}

impl Builder {
    /// For at most so many nodes.
    pub fn new(nodes_max: usize) -> Self {
        Self {
            open: Vec::new(),
            documents: Vec::new(),
            anchors: HashMap::new(),
            unfinished: HashSet::new(),
            left: nodes_max,
            nodes: 0,
        }
    }

    /// The documents.
    pub fn finish(self) -> Vec<Node> {
        self.documents
    }

    /// What the parser tells next.
    pub fn take(&mut self, event: Event<'_>, span: &Span) -> Result<(), Unreadable> {
        let at = Place::of(&span.start);
        match event {
            Event::DocumentStart(..) => {
                self.anchors.clear();
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.count(1, at)?;
                let is_merge = text == "<<" && style == ScalarStyle::Plain && tag.is_none();
                // The parser writes `~` where nothing stands.
                let is_nothing = style == ScalarStyle::Plain && span.start.index() == span.end.index();
                let text = if is_nothing { String::new() } else { text.into_owned() };
                let content = content(text, style, tag.as_deref(), at)?;
                self.add(Node { at, content }, anchor, 1, is_merge)
            }
            Event::SequenceStart(_, anchor, _) => self.begin(at, anchor, Kind::List(Vec::new())),
            Event::MappingStart(_, anchor, _) => self.begin(at, anchor, Kind::Map(Pairs::default(), None)),
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(anchor) => {
                if self.unfinished.contains(&anchor) {
                    return Err(refused(at, "This alias stands for something that it is a part of."));
                }
                let (node, nodes) = self
                    .anchors
                    .get(&anchor)
                    .cloned()
                    .ok_or_else(|| refused(at, "There is no anchor of this alias’s name."))?;
                self.count(nodes, at)?;
                self.add(Node { at, ..node }, 0, nodes, false)
            }
            _ => Ok(()),
        }
    }

    fn count(&mut self, nodes: usize, at: Place) -> Result<(), Unreadable> {
        self.nodes += nodes;
        self.spend(nodes, at)
    }

    fn spend(&mut self, nodes: usize, at: Place) -> Result<(), Unreadable> {
        self.left = self
            .left
            .checked_sub(nodes)
            .ok_or_else(|| refused(at, "There are more values here than Slipway reads."))?;
        Ok(())
    }

    fn begin(&mut self, at: Place, anchor: usize, kind: Kind) -> Result<(), Unreadable> {
        if let Some(Open { kind: Kind::Map(_, None), .. }) = self.open.last() {
            return Err(refused(at, "A list or a mapping cannot be a key."));
        }
        let before = self.nodes;
        self.count(1, at)?;
        if anchor > 0 {
            self.unfinished.insert(anchor);
        }
        self.open.push(Open { at, anchor, before, kind });
        Ok(())
    }

    fn end(&mut self) -> Result<(), Unreadable> {
        let Some(Open { at, anchor, before, kind }) = self.open.pop() else { return Ok(()) };
        self.unfinished.remove(&anchor);
        let content = match kind {
            Kind::List(items) => Content::List(items),
            Kind::Map(pairs, _) => Content::Map(pairs),
        };
        let nodes = self.nodes - before;
        self.add(Node { at, content }, anchor, nodes, false)
    }

    fn add(&mut self, node: Node, anchor: usize, nodes: usize, is_merge: bool) -> Result<(), Unreadable> {
        if anchor > 0 {
            self.spend(nodes, node.at)?;
            self.anchors.insert(anchor, (node.clone(), nodes));
        }
        let Some(open) = self.open.last_mut() else {
            self.documents.push(node);
            return Ok(());
        };
        match &mut open.kind {
            Kind::List(items) => items.push(node),
            Kind::Map(pairs, key) => match key.take() {
                None if is_merge => *key = Some(Key::Merge(node.at)),
                None => *key = Some(Key::Name(name(&node)?, node.at)),
                Some(Key::Name(name, at)) => {
                    pairs.put(Pair { key: name, at, comment: None, value: node });
                }
                Some(Key::Merge(at)) => merge(pairs, node, at)?,
            },
        }
        Ok(())
    }
}

/// As in go-yaml, a merge replaces what the mapping has so far, and of several the first one wins.
fn merge(into: &mut Pairs, node: Node, at: Place) -> Result<(), Unreadable> {
    let mappings = match node.content {
        Content::Map(pairs) => vec![pairs],
        Content::List(items) => {
            let maps = items.into_iter().rev().map(|item| match item.content {
                Content::Map(pairs) => Some(pairs),
                _ => None,
            });
            maps.collect::<Option<Vec<_>>>().ok_or_else(|| refused(at, MERGES))?
        }
        Content::Scalar(..) => return Err(refused(at, MERGES)),
    };
    for pair in mappings.into_iter().flat_map(|pairs| pairs.list) {
        into.put(Pair { at, ..pair });
    }
    Ok(())
}

const MERGES: &str = "`<<` takes a mapping, or a list of mappings.";

/// A key as JSON has it.
fn name(node: &Node) -> Result<String, Unreadable> {
    match &node.content {
        Content::Scalar(Value::String(text), _) => Ok(text.clone()),
        Content::Scalar(Value::Bool(on), _) => Ok(on.to_string()),
        Content::Scalar(Value::Number(number), _) => Ok(number.to_string()),
        _ => Err(refused(node.at, "A key is a word, a number, or true or false.")),
    }
}

fn content(text: String, style: ScalarStyle, tag: Option<&Tag>, at: Place) -> Result<Content, Unreadable> {
    let cannot = |what: &str| refused(at, &format!("Helm cannot read `{text}` as {what}."));
    let is_plain = style == ScalarStyle::Plain;
    let read = |text: &str| scalar::plain(text).ok_or_else(|| cannot("a value: JSON has no such number"));
    let tag_name = tag.map(|tag| tag.suffix_in_namespace("tag:yaml.org,2002:").unwrap_or_default());
    let value = match tag_name.as_deref() {
        None if is_plain => read(&text)?,
        Some("int" | "float" | "bool" | "null") => {
            let value = read(&text)?;
            if value.is_string() {
                return Err(cannot("what its tag says"));
            }
            value
        }
        Some("binary") => {
            let bytes = STANDARD.decode(text.split_whitespace().collect::<String>());
            let bytes = bytes.map_err(|_| cannot("base64"))?;
            Value::String(String::from_utf8_lossy(&bytes).into_owned())
        }
        _ => Value::String(text.clone()),
    };
    Ok(Content::Scalar(value, (is_plain && tag.is_none()).then_some(text)))
}

fn refused(at: Place, message: &str) -> Unreadable {
    Unreadable { at: Some(at), message: message.into() }
}
