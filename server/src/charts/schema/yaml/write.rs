//! Writes a value as YAML again, with plain scalars as they were written.

use serde_json::Value;

use super::{Content, Node};

impl Node {
    /// The value as a text of its own, in block style.
    pub fn to_yaml(&self) -> String {
        let mut text = String::new();
        block(self, 0, &mut text);
        let end = text.trim_end().len();
        text.truncate(end);
        text
    }
}

fn block(node: &Node, indent: usize, text: &mut String) {
    match &node.content {
        Content::Scalar(value, plain) => text.push_str(&scalar(value, plain.as_deref())),
        Content::List(items) if items.is_empty() => text.push_str("[]"),
        Content::Map(pairs) if pairs.iter().next().is_none() => text.push_str("{}"),
        Content::List(items) => {
            for item in items {
                text.extend(std::iter::repeat_n(' ', indent));
                text.push_str("- ");
                nested(item, indent + 2, text, true);
            }
        }
        Content::Map(pairs) => {
            for pair in pairs.iter() {
                text.extend(std::iter::repeat_n(' ', indent));
                text.push_str(&key(&pair.key));
                text.push(':');
                nested(&pair.value, indent + 2, text, false);
            }
        }
    }
}

/// What stands after `-` or `key:`, and the end of the line.
fn nested(node: &Node, indent: usize, text: &mut String, in_list: bool) {
    let is_empty = match &node.content {
        Content::Scalar(..) => true,
        Content::List(items) => items.is_empty(),
        Content::Map(pairs) => pairs.iter().next().is_none(),
    };
    if is_empty {
        text.push_str(if in_list { "" } else { " " });
        block(node, indent, text);
        text.push('\n');
        return;
    }
    if in_list {
        // The first line of it stands after the dash.
        let at = text.len();
        block(node, indent, text);
        text.replace_range(at..at + indent, "");
    } else {
        text.push('\n');
        block(node, indent, text);
    }
}

fn scalar(value: &Value, plain: Option<&str>) -> String {
    match plain {
        Some("") => "null".into(),
        Some(text) if !text.contains('\n') => text.to_owned(),
        _ => value.to_string(),
    }
}

/// A key without quotation marks where it is a plain word.
fn key(name: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_text = matches!(super::super::scalar::plain(name), Some(Value::String(_)));
    if starts && is_text && name.chars().all(is_word) {
        name.to_owned()
    } else {
        Value::from(name).to_string()
    }
}
