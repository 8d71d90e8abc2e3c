//! What stands on the lines, as far as it is surely what it looks like.

use super::Unsure;
use super::lines::is_item;
use crate::charts::loose::{ITEMS_MAX, Loose};

/// `key: rest`, for a key that can only be a text.
pub fn pair(content: &str) -> Result<(&str, &str), Unsure> {
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
pub fn scalar(rest: &str) -> Option<Loose> {
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

/// A list of scalars, a line each.
pub fn list(lines: &str) -> Option<Loose> {
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
pub fn closed(rest: &str) -> Result<(), Unsure> {
    let ends_with = |mark: char| rest.len() > 1 && rest.ends_with(mark);
    match rest.as_bytes().first() {
        Some(b'&' | b'*' | b'!' | b'?' | b'%' | b'@' | b'`') => Err(Unsure),
        Some(b'{') if !ends_with('}') => Err(Unsure),
        Some(b'[') if !ends_with(']') => Err(Unsure),
        _ => Ok(()),
    }
}

/// A value in quotation marks, which begins with `rest`, must end where its lines do: else it goes on in what seems to be
/// the next value.
pub fn quotation_ends(rest: &str, lines: &str) -> Result<(), Unsure> {
    let Some(mark @ ('"' | '\'')) = rest.chars().next() else { return Ok(()) };
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
