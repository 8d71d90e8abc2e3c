//! A record's payload with another status, and everything else as it was, byte for byte: numbers and unknown fields pass
//! through as text.

use std::io::{Read, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use super::{DecodeError, GZIP_MAGIC, MAX_DECODED, MAX_ENCODED};

/// The payload of a pending record, made that of a failed one.
///
/// # Errors
/// In words, when the payload is not a release record or is larger than the limits.
pub fn failed(payload: &[u8], description: &str) -> Result<Vec<u8>, String> {
    let payload = payload.trim_ascii();
    if payload.len() >= MAX_ENCODED {
        return Err(DecodeError::TooLarge.to_string());
    }
    let bytes = STANDARD.decode(payload).map_err(|_| DecodeError::NotBase64.to_string())?;
    let is_zipped = bytes.starts_with(&GZIP_MAGIC);
    let mut text = String::new();
    let read = if is_zipped {
        GzDecoder::new(bytes.as_slice()).take(MAX_DECODED).read_to_string(&mut text)
    } else {
        bytes.as_slice().take(MAX_DECODED).read_to_string(&mut text)
    };
    read.map_err(|_| DecodeError::BrokenGzip.to_string())?;
    if text.len() as u64 >= MAX_DECODED {
        return Err(DecodeError::TooLarge.to_string());
    }
    let mut release: Fields<'_> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let info = release.get("info").ok_or("the record has no field `info`")?.get().to_owned();
    let mut info: Fields<'_> = serde_json::from_str(&info).map_err(|error| error.to_string())?;
    info.set("status", &"failed")?;
    info.set("description", &description)?;
    release.set("info", &info)?;
    let text = serde_json::to_vec(&release).map_err(|error| error.to_string())?;
    let written = if is_zipped {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&text).and_then(|()| encoder.finish()).map_err(|error| error.to_string())?
    } else {
        text
    };
    Ok(STANDARD.encode(written).into_bytes())
}

/// An object's fields in their order, each as the text that it is.
struct Fields<'a>(Vec<(String, std::borrow::Cow<'a, RawValue>)>);

impl Fields<'_> {
    fn get(&self, name: &str) -> Option<&RawValue> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_ref())
    }

    fn set(&mut self, name: &str, value: &impl Serialize) -> Result<(), String> {
        let value = std::borrow::Cow::Owned(to_raw_value(value).map_err(|error| error.to_string())?);
        match self.0.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
        Ok(())
    }
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value.as_ref())?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
                    fields.push((key, std::borrow::Cow::Borrowed(value)));
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(text: &str, zipped: bool) -> Vec<u8> {
        let bytes = if zipped {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(text.as_bytes()).unwrap();
            encoder.finish().unwrap()
        } else {
            text.as_bytes().to_vec()
        };
        STANDARD.encode(bytes).into_bytes()
    }

    fn decoded(payload: &[u8]) -> String {
        let bytes = STANDARD.decode(payload).unwrap();
        let mut text = String::new();
        if bytes.starts_with(&GZIP_MAGIC) {
            GzDecoder::new(bytes.as_slice()).take(MAX_DECODED).read_to_string(&mut text).unwrap();
        } else {
            text = String::from_utf8(bytes).unwrap();
        }
        text
    }

    #[test]
    fn only_status_and_description_change() {
        let before = r#"{"name":"web","info":{"first_deployed":"","status":"pending-install","notes":"é\u0001","zz":1.0},"config":{"big":123456789012345678901,"float":1e400,"null":null},"version":1,"unknown":[ 1, 2 ]}"#;
        let after = r#"{"name":"web","info":{"first_deployed":"","status":"failed","notes":"é\u0001","zz":1.0,"description":"why"},"config":{"big":123456789012345678901,"float":1e400,"null":null},"version":1,"unknown":[ 1, 2 ]}"#;
        for zipped in [true, false] {
            assert_eq!(decoded(&failed(&encoded(before, zipped), "why").unwrap()), after);
        }
    }

    #[test]
    fn what_is_not_a_record_is_refused() {
        for text in ["", "[]", "{}", r#"{"info":null}"#, "nonsense"] {
            assert!(failed(&encoded(text, true), "why").is_err(), "{text}");
        }
        assert!(failed(b"%%%", "why").is_err());
    }
}
