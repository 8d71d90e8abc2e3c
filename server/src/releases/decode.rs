//! What is in a release record: base64 of gzip of JSON (helm's `pkg/storage/driver/util.go`), read at two depths.
//!
//! A summary streams past templates, files and manifest without building them. Nothing is read past [`MAX_DECODED`].

mod failed;
mod json;

use std::io::{BufRead, BufReader, Read};

use app::model::RecordSummary;
use base64::engine::general_purpose::STANDARD;
use base64::read::DecoderReader;
use flate2::read::GzDecoder;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::error::Category;
use thiserror::Error;

pub use failed::failed;
pub use json::{Hook, HookRun};

/// The largest payload that is looked at, in bytes of base64. Kubernetes itself keeps a Secret below 1 MiB; the rest
/// is room for other stores.
pub const MAX_ENCODED: usize = 2 * 1024 * 1024;
/// The most that a record may decompress to, in bytes. The largest charts known are below 10 MiB.
pub const MAX_DECODED: u64 = 64 * 1024 * 1024;

/// gzip's first bytes; helm takes a payload without them for plain JSON.
const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 0x08];

/// Why a record cannot be read, in words for the user. Holds nothing of the record's content.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// There is no payload.
    #[error("The record is empty.")]
    Empty,
    /// The outermost layer is not base64.
    #[error("The record is damaged: it is not base64.")]
    NotBase64,
    /// The compressed data is broken or ends too early.
    #[error("The record is damaged: its compressed data is broken or incomplete.")]
    BrokenGzip,
    /// The innermost layer is not JSON.
    #[error("The record is damaged: it is not valid JSON (line {line}, column {column}).")]
    NotJson {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// It is JSON, and not a release.
    #[error(
        "The record is not a Helm release: a field has an unexpected type (line {line}, column {column})."
    )]
    NotRelease {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// More than [`MAX_ENCODED`] or [`MAX_DECODED`].
    #[error("The record is too large: Slipway reads up to {} MiB of it.", MAX_DECODED / (1024 * 1024))]
    TooLarge,
    /// Values inside values, more than 128 deep.
    #[error("The record is nested too deeply to be read.")]
    TooDeep,
}

/// A record in full.
#[derive(Clone, Debug, PartialEq)]
pub struct FullRecord {
    /// What [`summary`] gives.
    pub summary: RecordSummary,
    /// The rendered notes; empty if the chart has none.
    pub notes: String,
    /// The values that the user gave; null if none.
    pub config: Value,
    /// The chart's own values; null if none.
    pub chart_values: Value,
    /// The rendered manifest, without hooks.
    pub manifest: String,
    /// The hooks, in helm's order.
    pub hooks: Vec<Hook>,
    /// The files with the chart's own custom resource definitions; those of its sub-charts are in no record.
    pub definitions: Vec<String>,
}

/// Decodes what lists and headers show of the record in `namespace`.
///
/// # Errors
/// When the payload is not a release record, or is larger than the limits.
pub fn summary(payload: &[u8], namespace: &str) -> Result<RecordSummary, DecodeError> {
    Ok(read::<json::Summary>(payload)?.into_summary(namespace))
}

/// Decodes all that is shown of the record in `namespace`.
///
/// # Errors
/// When the payload is not a release record, or is larger than the limits.
pub fn full(payload: &[u8], namespace: &str) -> Result<FullRecord, DecodeError> {
    Ok(read::<json::Full>(payload)?.into_record(namespace))
}

fn read<T: DeserializeOwned>(payload: &[u8]) -> Result<T, DecodeError> {
    let payload = payload.trim_ascii();
    match payload.len() {
        0 => return Err(DecodeError::Empty),
        MAX_ENCODED.. => return Err(DecodeError::TooLarge),
        _ => {}
    }
    let mut decoded = BufReader::new(DecoderReader::new(payload, &STANDARD));
    let start = decoded.fill_buf().map_err(|_| DecodeError::NotBase64)?;
    if start.is_empty() {
        return Err(DecodeError::Empty);
    }
    if start.starts_with(&GZIP_MAGIC) {
        parse(GzDecoder::new(decoded).take(MAX_DECODED), DecodeError::BrokenGzip)
    } else {
        parse(decoded.take(MAX_DECODED), DecodeError::NotBase64)
    }
}

/// Parses JSON from `source`; `broken` is what a failure of the source itself means.
fn parse<T: DeserializeOwned>(
    source: std::io::Take<impl Read>,
    broken: DecodeError,
) -> Result<T, DecodeError> {
    let mut source = BufReader::with_capacity(64 * 1024, source);
    serde_json::from_reader(&mut source).map_err(|error| {
        if source.get_ref().limit() == 0 {
            return DecodeError::TooLarge;
        }
        let (line, column) = (error.line(), error.column());
        match error.classify() {
            Category::Io => broken,
            // The library has no category of its own for this one.
            Category::Syntax if error.to_string().starts_with("recursion limit") => DecodeError::TooDeep,
            Category::Syntax | Category::Eof => DecodeError::NotJson { line, column },
            Category::Data => DecodeError::NotRelease { line, column },
        }
    })
}

#[cfg(test)]
mod tests;
