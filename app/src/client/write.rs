//! Writes a value of ours as JSON. Our types are structures of texts, numbers, switches and each other: what else a general
//! writer can do is code that every browser would load.

use std::fmt::{self, Display, Write};

use serde::ser::{Error, Impossible, Serialize, SerializeStruct, Serializer};

/// It is nothing that this writes; none of our types is.
#[derive(Debug)]
pub struct Unwritable;

impl Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unwritable")
    }
}

impl std::error::Error for Unwritable {}

impl Error for Unwritable {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

/// The value as JSON.
pub fn write(value: &impl Serialize) -> Option<String> {
    let mut text = String::new();
    value.serialize(Json(&mut text)).ok().map(|()| text)
}

/// A place in the text where a value goes.
struct Json<'a>(&'a mut String);

impl Json<'_> {
    fn word(self, word: &str) -> Result<(), Unwritable> {
        self.0.push_str(word);
        Ok(())
    }

    fn text(&mut self, text: &str) {
        self.0.push('"');
        for character in text.chars() {
            match character {
                '"' | '\\' => self.0.extend(['\\', character]),
                '\0'..='\u{1f}' => {
                    // Writing to a text does not fail.
                    let _ = write!(self.0, "\\u{:04x}", u32::from(character));
                }
                _ => self.0.push(character),
            }
        }
        self.0.push('"');
    }
}

/// What none of our types is.
macro_rules! unwritable {
    ($($method:ident($($kind:ty),*))*) => {
        $(fn $method(self, $(_: $kind),*) -> Result<(), Unwritable> { Err(Unwritable) })*
    };
}

type No = Impossible<(), Unwritable>;

impl<'a> Serializer for Json<'a> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = No;

    unwritable! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_u8(u8)
        serialize_u16(u16) serialize_u64(u64) serialize_f32(f32) serialize_f64(f64) serialize_char(char)
        serialize_bytes(&[u8]) serialize_unit() serialize_unit_struct(&'static str)
    }

    fn serialize_bool(self, value: bool) -> Result<(), Unwritable> {
        self.word(if value { "true" } else { "false" })
    }

    fn serialize_u32(self, value: u32) -> Result<(), Unwritable> {
        self.word(&value.to_string())
    }

    fn serialize_str(mut self, value: &str) -> Result<(), Unwritable> {
        self.text(value);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Unwritable> {
        self.word("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Unwritable> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Unwritable> {
        Err(Unwritable)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<No, Unwritable> {
        Err(Unwritable)
    }

    fn serialize_tuple(self, _: usize) -> Result<No, Unwritable> {
        Err(Unwritable)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<No, Unwritable> {
        Err(Unwritable)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<No, Unwritable> {
        Err(Unwritable)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<No, Unwritable> {
        Err(Unwritable)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields<'a>, Unwritable> {
        Ok(Fields { text: self.0, opening: '{' })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<No, Unwritable> {
        Err(Unwritable)
    }
}

/// A structure that is being written.
struct Fields<'a> {
    text: &'a mut String,
    /// What comes before the next field.
    opening: char,
}

impl SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        self.text.push(std::mem::replace(&mut self.opening, ','));
        Json(self.text).text(name);
        self.text.push(':');
        value.serialize(Json(self.text))
    }

    fn end(self) -> Result<(), Unwritable> {
        if self.opening == '{' {
            self.text.push('{');
        }
        self.text.push('}');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::{ChartSource, OperationKind, OperationOptions, SubmitOperation};

    #[test]
    fn a_submission_is_written_as_the_server_reads_it() {
        let chart = |name: &str| ChartSource::Repository {
            repository: "r".into(),
            name: name.into(),
            version: "1".into(),
        };
        let request = SubmitOperation {
            kind: OperationKind::MarkFailed,
            namespace: "ns".into(),
            name: "web".into(),
            chart: Some(chart("c")),
            values: "a: \"b\\c\"\n\tü: 🚢\u{1}".into(),
            options: OperationOptions {
                revision: Some(3),
                keep_history: true,
                ..OperationOptions::default()
            },
            idempotency_key: None,
        };
        let text = write(&request).unwrap();
        assert_eq!(serde_json::from_str::<SubmitOperation>(&text).unwrap(), request, "{text}");
    }

    #[test]
    fn a_call_without_arguments_is_an_empty_object() {
        #[derive(serde::Serialize)]
        struct Nothing {}
        assert_eq!(write(&Nothing {}).unwrap(), json!({}).to_string());
    }
}
