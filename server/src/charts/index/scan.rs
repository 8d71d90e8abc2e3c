//! A fast reader for indexes as helm writes them: lines, indented by spaces, one key each. It looks for the few lines that
//! are kept, steps over all others without reading them, and gives up at whatever it is not sure of: the general reader
//! then takes the whole text, and comes to the same index.

mod lines;
mod value;

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use self::lines::{Line, Lines, is_item};
use self::value::{closed, list, pair, quotation_ends, scalar};
use super::{Chart, Entry, Index, WORD_MAX};
use crate::charts::loose::{ITEMS_MAX, Loose};

/// The text is not of the form that this reader is sure of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsure;

/// What is read of each version.
const READ: [&str; 7] = ["version", "appVersion", "created", "deprecated", "digest", "kubeVersion", "urls"];
/// What is read of the version that is shown, and noted of the others.
const NOTED: [&str; 4] = ["description", "icon", "keywords", "annotations"];

/// An index, and how many of its bytes had to be given to the general reader.
#[derive(Debug)]
pub struct Scanned {
    /// The index.
    pub index: Index,
    /// The bytes.
    pub spelled_out: usize,
}

/// Reads `text`.
///
/// # Errors
/// When it is not sure.
pub fn scan(text: &str) -> Result<Scanned, Unsure> {
    let mut scan = Scan { text, lines: Lines::of(text), spelled_out: 0 };
    let charts = scan.document()?;
    Ok(Scanned { index: Index { charts }, spelled_out: scan.spelled_out })
}

/// A version: what is read of it, and where what is noted of it stands.
type Version = (Loose, Vec<(&'static str, Range<usize>)>);

struct Scan<'a> {
    text: &'a str,
    lines: Lines<'a>,
    spelled_out: usize,
}

impl<'a> Scan<'a> {
    fn document(&mut self) -> Result<BTreeMap<String, Chart>, Unsure> {
        let mut found = None;
        let mut is_first = true;
        while let Some(line) = self.lines.peek()? {
            self.lines.take();
            if std::mem::take(&mut is_first) && line.content == "---" && line.indent == 0 {
                continue;
            }
            if line.indent != 0 {
                return Err(Unsure);
            }
            match pair(line.content)? {
                ("entries", "") if found.is_none() => found = Some(self.entries()?),
                ("entries", _) => return Err(Unsure),
                (_, rest) => {
                    closed(rest)?;
                    let end = self.lines.skip_value(0)?;
                    quotation_ends(rest, self.part(line.start..end)?)?;
                }
            }
        }
        found.ok_or(Unsure)
    }

    /// The charts: keys below `entries`.
    fn entries(&mut self) -> Result<BTreeMap<String, Chart>, Unsure> {
        let (mut charts, mut names) = (BTreeMap::new(), HashSet::new());
        let Some(first) = self.lines.peek()? else { return Err(Unsure) };
        let indent = first.indent;
        if indent == 0 {
            return Err(Unsure);
        }
        while let Some(line) = self.lines.peek()? {
            if line.indent < indent {
                break;
            }
            if line.indent > indent {
                return Err(Unsure);
            }
            let (name, rest) = pair(line.content)?;
            if !rest.is_empty() || name.is_empty() || name.chars().count() > WORD_MAX {
                return Err(Unsure);
            }
            // Which of two counts is not for this reader to say.
            if !names.insert(name) {
                return Err(Unsure);
            }
            self.lines.take();
            if let Some(chart) = self.chart(indent)? {
                charts.insert(name.to_owned(), chart);
            }
        }
        Ok(charts)
    }

    /// The versions of the chart whose name is at `indent`.
    fn chart(&mut self, indent: usize) -> Result<Option<Chart>, Unsure> {
        let mut entries: Vec<Version> = Vec::new();
        let mut list_indent = None;
        while let Some(line) = self.lines.peek()? {
            if line.indent < indent || line.indent == indent && !is_item(line.content) {
                break;
            }
            if !is_item(line.content) || *list_indent.get_or_insert(line.indent) != line.indent {
                return Err(Unsure);
            }
            if entries.len() >= ITEMS_MAX {
                return Err(Unsure);
            }
            entries.push(self.version(line)?);
        }
        // What is noted of the one that is shown is read now.
        let (read, noted): (Vec<Loose>, Vec<_>) = entries.into_iter().unzip();
        let noted_of = |at: usize| -> Result<Loose, Unsure> {
            let ranges = noted.get(at).map(Vec::as_slice).unwrap_or_default();
            let pairs = ranges.iter().map(|(key, range)| Ok(((*key).to_owned(), self.value(key, range)?)));
            Ok(Loose::Map(pairs.collect::<Result<_, _>>()?))
        };
        let read: Vec<Entry> =
            read.iter().enumerate().filter_map(|(at, entry)| Entry::read(at, entry)).collect();
        super::chart_of(read, noted_of)
    }

    /// One version, which begins at `first`, a line `- key: value`.
    fn version(&mut self, first: Line<'a>) -> Result<Version, Unsure> {
        let (mut read, mut noted) = (Vec::new(), Vec::new());
        let inner = first.content.get(1..).unwrap_or_default();
        let content = inner.trim_start_matches(' ');
        let indent = first.indent + 1 + (inner.len() - content.len());
        let mut line = Line { start: first.start, indent, content };
        loop {
            self.lines.take();
            let (key, rest) = pair(line.content)?;
            // The dash of the first one is no part of its value.
            let start = line.start + if line.start == first.start { first.indent + 1 } else { 0 };
            closed_or_read(key, rest)?;
            let end = self.lines.skip_value(indent)?;
            quotation_ends(rest, self.part(start..end)?)?;
            if let Some(key) = READ.iter().find(|known| **known == key) {
                if read.iter().any(|(known, _)| known == key) {
                    return Err(Unsure);
                }
                read.push(((*key).to_owned(), self.value(key, &(start..end))?));
            } else if let Some(key) = NOTED.iter().find(|known| **known == key) {
                if noted.iter().any(|(known, _)| known == key) {
                    return Err(Unsure);
                }
                noted.push((*key, start..end));
            }
            match self.lines.peek()? {
                Some(next) if next.indent == indent => line = next,
                Some(next) if next.indent > first.indent => return Err(Unsure),
                _ => return Ok((Loose::Map(read), noted)),
            }
        }
    }

    fn part(&self, range: Range<usize>) -> Result<&'a str, Unsure> {
        self.text.get(range).ok_or(Unsure)
    }

    /// The value of `key`, whose lines are in `range`.
    fn value(&mut self, key: &str, range: &Range<usize>) -> Result<Loose, Unsure> {
        let lines = self.part(range.clone())?;
        match lines.trim_end().split_once('\n') {
            None => {
                let (_, rest) = pair(lines.trim_matches([' ', '\r', '\n']))?;
                if let Some(value) = scalar(rest) {
                    return Ok(value);
                }
            }
            Some((first, items)) if first.trim_end_matches([' ', '\r']).ends_with(':') => {
                if let Some(list) = list(items) {
                    return Ok(list);
                }
            }
            Some(_) => {}
        }
        self.spelled_out += lines.len();
        let indented: Loose = serde_saphyr::from_str(lines).map_err(|_| Unsure)?;
        match indented {
            Loose::Map(pairs) if pairs.len() == 1 => {
                let (found, value) = pairs.into_iter().next().ok_or(Unsure)?;
                if found == key { Ok(value) } else { Err(Unsure) }
            }
            _ => Err(Unsure),
        }
    }
}

/// The same for what is read: its reader sees for itself what it ends with.
fn closed_or_read(key: &str, rest: &str) -> Result<(), Unsure> {
    if READ.contains(&key) || NOTED.contains(&key) {
        return match rest.as_bytes().first() {
            Some(b'&' | b'*') => Err(Unsure),
            _ => Ok(()),
        };
    }
    closed(rest)
}

#[cfg(test)]
mod tests;
