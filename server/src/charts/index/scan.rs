//! A fast reader for indexes as helm writes them: lines, indented by spaces, one key each. It looks for the few lines that
//! are kept, steps over all others without reading them, and gives up at whatever it is not sure of: the general reader
//! then takes the whole text, and comes to the same index.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

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
    let mut scan = Scan { text, lines: Lines { text, next: 0, ahead: None }, spelled_out: 0 };
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

/// A line that is neither empty nor a comment.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    start: usize,
    indent: usize,
    /// What is behind the indent, without white space at its end.
    content: &'a str,
}

struct Lines<'a> {
    text: &'a str,
    next: usize,
    ahead: Option<Line<'a>>,
}

impl<'a> Lines<'a> {
    /// The next line, which stays the next one.
    fn peek(&mut self) -> Result<Option<Line<'a>>, Unsure> {
        while self.ahead.is_none() && self.next < self.text.len() {
            let start = self.next;
            let rest = self.text.get(start..).unwrap_or_default();
            let length = rest.find('\n').unwrap_or(rest.len());
            self.next = start + length + 1;
            let line = rest.get(..length).unwrap_or_default();
            let content = line.trim_start_matches(' ');
            let indent = line.len() - content.len();
            let content = content.trim_end_matches([' ', '\r']);
            if content.starts_with('\t') || content.contains('\r') {
                return Err(Unsure);
            }
            if !content.is_empty() && !content.starts_with('#') {
                self.ahead = Some(Line { start, indent, content });
            }
        }
        Ok(self.ahead)
    }

    fn take(&mut self) {
        self.ahead = None;
    }

    /// Steps over all lines that belong to a key at `indent`: those below it, and a list beside it. Gives where they end.
    fn skip_value(&mut self, indent: usize) -> Result<usize, Unsure> {
        while let Some(line) = self.peek()? {
            let is_item = line.indent == indent && is_item(line.content);
            if line.indent <= indent && !is_item {
                return Ok(line.start);
            }
            self.take();
        }
        Ok(self.text.len())
    }
}

fn is_item(content: &str) -> bool {
    content == "-" || content.starts_with("- ")
}

/// `key: rest`, for a key that can only be a text.
fn pair(content: &str) -> Result<(&str, &str), Unsure> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/');
    let (key, rest) = match content.strip_prefix('"') {
        Some(quoted) => {
            let (key, rest) = quoted.split_once('"').ok_or(Unsure)?;
            if key.contains('\\') {
                return Err(Unsure);
            }
            (key, rest)
        }
        None => {
            let end = content.bytes().position(|byte| !plain(byte)).ok_or(Unsure)?;
            let (key, rest) = content.split_at(end);
            if is_item(content) || !is_text(key) {
                return Err(Unsure);
            }
            (key, rest)
        }
    };
    let rest = rest.strip_prefix(':').ok_or(Unsure)?;
    if !rest.is_empty() && !rest.starts_with(' ') {
        return Err(Unsure);
    }
    Ok((key, rest.trim_start_matches(' ')))
}

/// Whether a plain scalar is surely a text: no number, no switch, nothing.
fn is_text(plain: &str) -> bool {
    let mut bytes = plain.bytes();
    let Some(first) = bytes.next() else { return false };
    if first.is_ascii_digit() {
        // Two dots, or a letter that no number has: `1.2.3`, `1a`.
        let letters = plain.bytes().filter(u8::is_ascii_alphabetic);
        let has_prefix = ["0x", "0X", "0o", "0O", "0b", "0B"].iter().any(|prefix| plain.starts_with(prefix));
        let is_word = letters.into_iter().any(|letter| !matches!(letter, b'e' | b'E'));
        return plain.bytes().filter(|byte| *byte == b'.').count() > 1 || is_word && !has_prefix;
    }
    if !first.is_ascii_alphabetic() {
        return false;
    }
    let word = plain.len() <= 5;
    let words = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "~"];
    !(word && words.iter().any(|word| plain.eq_ignore_ascii_case(word)))
}

/// A scalar on one line, if it is surely what it looks like.
fn scalar(rest: &str) -> Option<Loose> {
    let text = |text: &str| Some(Loose::Text(text.to_owned()));
    match rest.as_bytes().first()? {
        b'"' => {
            let inner = rest.strip_prefix('"')?.strip_suffix('"')?;
            if inner.contains(['"', '\\']) { None } else { text(inner) }
        }
        b'\'' => {
            let inner = rest.strip_prefix('\'')?.strip_suffix('\'')?;
            if inner.contains('\'') { None } else { text(inner) }
        }
        _ if matches!(rest, "true" | "false") => text(rest),
        first if first.is_ascii_alphanumeric() => {
            let is_plain = !rest.contains(" #") && !rest.contains(": ") && !rest.ends_with(':');
            (is_plain && !rest.contains('\t') && is_text(rest)).then(|| Loose::Text(rest.to_owned()))
        }
        _ => None,
    }
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
                    self.quotation_ends(rest, line.start..end)?;
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
            self.quotation_ends(rest, start..end)?;
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

    /// A value in quotation marks, which begins with `rest`, must end where its lines do: else it goes on in what seems to be
    /// the next value.
    fn quotation_ends(&self, rest: &str, range: Range<usize>) -> Result<(), Unsure> {
        let Some(mark @ ('"' | '\'')) = rest.chars().next() else { return Ok(()) };
        let lines = self.text.get(range).ok_or(Unsure)?;
        let value = lines.find(rest).and_then(|at| lines.get(at..)).ok_or(Unsure)?.trim_end();
        let is_end = if mark == '"' {
            let mut is_escaped = false;
            let is_mark = |letter: char| {
                let is_escape = !is_escaped && letter == '\\';
                let is_mark = !is_escaped && letter == mark;
                is_escaped = is_escape;
                is_mark
            };
            value.chars().map(is_mark).filter(|is_mark| *is_mark).count() == 2
        } else {
            // Two in a row are one that is meant.
            value.matches(mark).count() % 2 == 0
        };
        if is_end && value.ends_with(mark) { Ok(()) } else { Err(Unsure) }
    }

    /// The value of `key`, whose lines are in `range`.
    fn value(&mut self, key: &str, range: &Range<usize>) -> Result<Loose, Unsure> {
        let lines = self.text.get(range.clone()).ok_or(Unsure)?;
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

/// A list of scalars, a line each.
fn list(lines: &str) -> Option<Loose> {
    let mut items = Vec::new();
    let mut indent = None;
    for line in lines.lines() {
        let content = line.trim_start_matches(' ');
        if *indent.get_or_insert(line.len() - content.len()) != line.len() - content.len() {
            return None;
        }
        items.push(scalar(content.strip_prefix("- ")?.trim_matches([' ', '\r']))?);
    }
    (items.len() < ITEMS_MAX).then_some(Loose::List(items))
}

/// What is stepped over must end where its indent says: an anchor could be meant elsewhere, and a bracket or a quotation
/// mark may be closed anywhere.
fn closed(rest: &str) -> Result<(), Unsure> {
    let ends_with = |mark: char| rest.len() > 1 && rest.ends_with(mark);
    match rest.as_bytes().first() {
        Some(b'&' | b'*' | b'!' | b'?' | b'%' | b'@' | b'`') => Err(Unsure),
        Some(b'{') if !ends_with('}') => Err(Unsure),
        Some(b'[') if !ends_with(']') => Err(Unsure),
        _ => Ok(()),
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
