//! Reads a value of ours from what the browser's JSON parser has made of a text. A general reader explains what is wrong, in
//! texts and code for each type that every browser would load, and that nobody would read: an answer that cannot be read is of
//! another version of Slipway, and this one says no more than that.

use std::fmt::{self, Display};

use js_sys::{Array, Reflect};
use serde::de::value::StringDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use wasm_bindgen::{JsCast, JsValue};

/// It is not a value of that type.
#[derive(Debug)]
pub struct Unreadable;

impl Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unreadable")
    }
}

impl std::error::Error for Unreadable {}

impl Error for Unreadable {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self
    }
    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self
    }
    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Self
    }
    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }
    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }
    fn missing_field(_: &'static str) -> Self {
        Self
    }
    fn duplicate_field(_: &'static str) -> Self {
        Self
    }
}

/// The value as a `T`.
pub fn read<T: DeserializeOwned>(value: JsValue) -> Result<T, Unreadable> {
    T::deserialize(Value(value))
}

/// A value of JavaScript's.
struct Value(JsValue);

impl Value {
    /// The whole number that it is.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "what has no fraction and is safe in JavaScript fits"
    )]
    fn whole(&self) -> Result<i64, Unreadable> {
        let is_whole = js_sys::Number::is_safe_integer(&self.0);
        self.0.as_f64().filter(|_| is_whole).map(|number| number as i64).ok_or(Unreadable)
    }
}

/// All whole numbers are read alike.
macro_rules! whole_numbers {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
            visitor.visit_i64(self.whole()?)
        })*
    };
}

impl<'de> Deserializer<'de> for Value {
    type Error = Unreadable;

    // What a value is, is never asked: our types know.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Unreadable> {
        Err(Unreadable)
    }

    whole_numbers! { deserialize_i32 deserialize_i64 deserialize_u32 deserialize_u64 }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_bool(self.0.as_bool().ok_or(Unreadable)?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_string(self.0.as_string().ok_or(Unreadable)?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        if self.0.is_null() || self.0.is_undefined() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        let all = self.0.dyn_into::<Array>().map_err(|_| Unreadable)?;
        visitor.visit_seq(Items { all, at: 0 })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_map(Fields { of: self.0, names: fields, value: JsValue::UNDEFINED })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        let word: StringDeserializer<Unreadable> = self.0.as_string().ok_or(Unreadable)?.into_deserializer();
        visitor.visit_enum(word)
    }

    forward_to_deserialize_any! {
        i8 i16 u8 u16 f32 f64 char str bytes byte_buf unit unit_struct tuple tuple_struct map identifier ignored_any
    }
}

/// The elements of an array.
struct Items {
    all: Array,
    at: u32,
}

impl<'de> SeqAccess<'de> for Items {
    type Error = Unreadable;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Unreadable> {
        if self.at >= self.all.length() {
            return Ok(None);
        }
        self.at += 1;
        seed.deserialize(Value(self.all.get(self.at - 1))).map(Some)
    }
}

/// The fields of an object that its type has; others are of a newer version, and left alone.
struct Fields {
    of: JsValue,
    names: &'static [&'static str],
    value: JsValue,
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Unreadable;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Unreadable> {
        while let Some((name, rest)) = self.names.split_first() {
            self.names = rest;
            self.value = Reflect::get(&self.of, &JsValue::from_str(name)).map_err(|_| Unreadable)?;
            if !self.value.is_undefined() {
                return seed.deserialize(IntoDeserializer::<Unreadable>::into_deserializer(*name)).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Unreadable> {
        seed.deserialize(Value(std::mem::take(&mut self.value)))
    }
}
