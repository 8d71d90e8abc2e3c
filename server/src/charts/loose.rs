//! Reading YAML whose authors may have made mistakes: a value of the wrong type is absent, and costs nothing else.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The most items that are kept of one list or mapping; no chart has as many versions, keywords or maintainers.
pub const ITEMS_MAX: usize = 5_000;

/// Any YAML value, with every scalar as the text that helm would make of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Loose {
    /// A scalar.
    Text(String),
    /// A list.
    List(Vec<Loose>),
    /// A mapping, in its order.
    Map(Vec<(String, Loose)>),
    /// `null`, or something that has no place in a chart.
    Nothing,
}

impl Loose {
    /// The value at `key` of a mapping.
    pub fn get(&self, key: &str) -> Option<&Loose> {
        match self {
            Self::Map(pairs) => pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// A scalar's text, unless it is empty.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// The text at `key` of a mapping, of at most `max` characters.
    pub fn text(&self, key: &str, max: usize) -> Option<String> {
        self.get(key)?.as_text().map(|text| text.chars().take(max).collect())
    }

    /// Whether the value at `key` of a mapping is `true`.
    pub fn is_true(&self, key: &str) -> bool {
        self.get(key).and_then(Self::as_text) == Some("true")
    }

    /// The items of the list at `key` of a mapping.
    pub fn items(&self, key: &str) -> &[Loose] {
        match self.get(key) {
            Some(Self::List(items)) => items,
            _ => &[],
        }
    }
}

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Loose;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Loose, E> {
        Ok(Loose::Text(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Loose, E> {
        Ok(Loose::Text(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Loose, E> {
        Ok(Loose::Text(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Loose, E> {
        Ok(Loose::Text(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Loose, E> {
        Ok(Loose::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Loose, E> {
        Ok(Loose::Text(value))
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<Loose, E> {
        Ok(Loose::Nothing)
    }

    fn visit_unit<E>(self) -> Result<Loose, E> {
        Ok(Loose::Nothing)
    }

    fn visit_none<E>(self) -> Result<Loose, E> {
        Ok(Loose::Nothing)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Loose, D::Error> {
        Loose::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Loose, A::Error> {
        let mut kept = Vec::new();
        while kept.len() < ITEMS_MAX {
            let Some(item) = items.next_element()? else { return Ok(Loose::List(kept)) };
            kept.push(item);
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Loose::List(kept))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Loose, A::Error> {
        let mut kept = Vec::new();
        while let Some(key) = pairs.next_key::<Loose>()? {
            match key {
                Loose::Text(key) if kept.len() < ITEMS_MAX => kept.push((key, pairs.next_value()?)),
                _ => drop(pairs.next_value::<IgnoredAny>()?),
            }
        }
        Ok(Loose::Map(kept))
    }
}
