//! A schema's JSON with the order of its names and the spelling of its numbers.

use std::fmt::Write;

/// Any JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    /// As written.
    Number(String),
    Text(String),
    List(Vec<Json>),
    /// In its order; of a name that is there twice the last one counts, as for helm.
    Object(Vec<(String, Json)>),
}

/// The deepest nesting that is read.
const DEPTH_MAX: usize = 100;
/// The most values that are read.
const VALUES_MAX: usize = 300_000;

impl Json {
    /// Reads a text.
    ///
    /// # Errors
    /// In words, when it is no JSON, or larger or deeper than what Slipway reads.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader { rest: text, length: text.len(), left: VALUES_MAX };
        let value = reader.value(0)?;
        reader.space();
        if reader.rest.is_empty() { Ok(value) } else { Err(reader.wrong()) }
    }

    /// The value of a name in an object.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(pairs) => {
                pairs.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// The names and values of an object.
    pub fn pairs(&self) -> &[(String, Self)] {
        match self {
            Self::Object(pairs) => pairs,
            _ => &[],
        }
    }

    /// The items of a list.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The text that it is.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number that it is, as written.
    pub fn number(&self) -> Option<&str> {
        match self {
            Self::Number(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is `true`.
    pub fn is_true(&self) -> bool {
        *self == Self::Bool(true)
    }

    /// What a pointer without its first `/` leads to.
    pub fn find(&self, pointer: &str) -> Option<&Self> {
        pointer.split('/').try_fold(self, |at, part| {
            let part = part.replace("~1", "/").replace("~0", "~");
            match at {
                Self::Object(_) => at.get(&part),
                Self::List(items) => items.get(part.parse::<usize>().ok()?),
                _ => None,
            }
        })
    }

    /// As a text that is YAML too.
    pub fn to_yaml(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, into: &mut String) {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        match self {
            Self::Null => into.push_str("null"),
            // Writing to a text does not fail.
            Self::Bool(on) => drop(write!(into, "{on}")),
            Self::Number(text) => into.push_str(text),
            Self::Text(text) => into.push_str(&quoted(text)),
            Self::List(items) => {
                into.push('[');
                for (at, item) in items.iter().enumerate() {
                    into.push_str(if at > 0 { ", " } else { "" });
                    item.write(into);
                }
                into.push(']');
            }
            Self::Object(pairs) => {
                into.push('{');
                for (at, (name, value)) in pairs.iter().enumerate() {
                    into.push_str(if at > 0 { ", " } else { "" });
                    into.push_str(&quoted(name));
                    into.push_str(": ");
                    value.write(into);
                }
                into.push('}');
            }
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    length: usize,
    left: usize,
}

impl Reader<'_> {
    fn wrong(&self) -> String {
        format!("it is not JSON (at byte {})", self.length - self.rest.len())
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
    }

    fn eat(&mut self, character: char) -> bool {
        self.space();
        match self.rest.strip_prefix(character) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        self.left = self.left.checked_sub(1).ok_or("it has more values than Slipway reads")?;
        if depth > DEPTH_MAX {
            return Err("it is nested deeper than Slipway reads".into());
        }
        self.space();
        match self.rest.as_bytes().first() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.text().map(Json::Text),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        self.eat('{');
        let mut pairs = Vec::new();
        if self.eat('}') {
            return Ok(Json::Object(pairs));
        }
        loop {
            self.space();
            let name = self.text()?;
            if !self.eat(':') {
                return Err(self.wrong());
            }
            pairs.push((name, self.value(depth + 1)?));
            if self.eat('}') {
                return Ok(Json::Object(pairs));
            }
            if !self.eat(',') {
                return Err(self.wrong());
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json, String> {
        self.eat('[');
        let mut items = Vec::new();
        if self.eat(']') {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.eat(']') {
                return Ok(Json::List(items));
            }
            if !self.eat(',') {
                return Err(self.wrong());
            }
        }
    }

    fn text(&mut self) -> Result<String, String> {
        let mut escaped = false;
        let inner = self.rest.strip_prefix('"').ok_or_else(|| self.wrong())?;
        let end = inner.bytes().position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let (text, rest) = self.rest.split_at(end.ok_or_else(|| self.wrong())? + 2);
        let text = serde_json::from_str(text).map_err(|_| self.wrong())?;
        self.rest = rest;
        Ok(text)
    }

    fn word(&mut self) -> Result<Json, String> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let value = match word {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            _ if serde_json::from_str::<serde_json::Number>(word).is_ok() => Json::Number(word.to_owned()),
            _ => return Err(self.wrong()),
        };
        self.rest = rest;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_spelling_are_kept() {
        for text in [
            r#"{"b": 1, "a": [1e3, -0.50, 9007199254740993, 123456789012345678901], "é": "\"x\\"}"#,
            "[]",
            "{}",
            "[true, false, null]",
        ] {
            assert_eq!(Json::read(text).unwrap().to_yaml(), text);
        }
        assert_eq!(Json::read(" \t\r\n\"\\ud83d\\ude00\" ").unwrap(), Json::Text("😀".into()));
        let twice = Json::read(r#"{"a":1,"a":2}"#).unwrap();
        assert_eq!(twice.get("a").and_then(Json::number), Some("2"));
    }

    #[test]
    fn a_pointer_finds_what_it_names() {
        let json = Json::read(r#"{"a/b": {"~": [1, {"": 7}]}}"#).unwrap();
        assert_eq!(json.find("a~1b/~0/1/").and_then(Json::number), Some("7"));
        assert_eq!(json.find("a~1b/2"), None);
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\" 1}",
            "{a: 1}",
            "01",
            "1.",
            "nul",
            "\"\\x\"",
            "\"",
            "1 2",
            "{\"a\":1,}",
            "é",
        ] {
            assert!(Json::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_too_deep_or_too_large_is_refused() {
        assert!(Json::read(&"[".repeat(1_000_000)).unwrap_err().contains("deeper"));
        let many = format!("[{}0]", "0,".repeat(VALUES_MAX));
        assert!(Json::read(&many).unwrap_err().contains("more values"));
    }
}
