//! What the comments of a `values.yaml` say of its keys: the lines right above one, and the annotations that tools for
//! charts' documentation read: `-- text` and `@param path [modifiers] text`.

use std::collections::HashMap;

use super::{Content, Pairs};

/// The longest description that is kept, in characters.
const COMMENT_MAX: usize = 1_000;

/// Gives each key its comment.
pub fn attach(values: &mut Pairs, text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let parameters = lines.iter().filter_map(|line| parameter(line)).collect();
    describe(values, &lines, &parameters, &mut String::new());
}

fn describe(pairs: &mut Pairs, lines: &[&str], parameters: &HashMap<&str, &str>, path: &mut String) {
    for pair in &mut pairs.list {
        let length = path.len();
        if length > 0 {
            path.push('.');
        }
        path.push_str(&pair.key);
        let named = parameters.get(path.as_str()).map(|text| shortened(text));
        pair.comment = named.or_else(|| above(lines, pair.at.line as usize, pair.at.column as usize));
        if let Content::Map(inner) = &mut pair.value.content {
            describe(inner, lines, parameters, path);
        }
        path.truncate(length);
    }
}

/// The comment right above a line, indented like the key in it.
fn above(lines: &[&str], line: usize, column: usize) -> Option<String> {
    let before = lines.get(..line.checked_sub(1)?)?;
    // A key after another one in the same line, as in `{a: 1, b: 2}`, has no comment of its own.
    let is_first = lines.get(line - 1)?.chars().take(column - 1).all(|c| c == ' ' || c == '-');
    let mut texts: Vec<&str> = Vec::new();
    for above in before.iter().rev() {
        let Some(comment) = above.trim_start().strip_prefix('#') else { break };
        let indent = above.len() - above.trim_start().len();
        // Deeper, it can be a line of a text above.
        if indent + 1 > column {
            break;
        }
        texts.push(
            comment.trim_start_matches('#').strip_prefix(' ').unwrap_or(comment.trim_start_matches('#')),
        );
    }
    texts.reverse();
    if !is_first || texts.is_empty() {
        return None;
    }
    // What stands before `-- ` is not meant for it.
    if let Some(marked) = texts.iter().rposition(|text| text.trim_start().starts_with("-- ")) {
        texts.drain(..marked);
    }
    let told: Vec<&str> = texts
        .iter()
        .map(|text| text.trim_start().strip_prefix("-- ").unwrap_or(text).trim_end())
        .filter(|text| !text.trim_start().starts_with('@') && !is_ruler(text))
        .collect();
    let told = told.join("\n");
    (!told.trim().is_empty()).then(|| shortened(told.trim()))
}

/// `## @param image.tag [default: x] The tag` tells of `image.tag`.
fn parameter(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start_matches('#').trim_start();
    let (path, rest) = rest.strip_prefix("@param ")?.trim_start().split_once(char::is_whitespace)?;
    let rest = rest.trim();
    let text = match rest.strip_prefix('[') {
        Some(modifiers) => modifiers.split_once(']').map_or("", |(_, text)| text.trim()),
        None => rest,
    };
    (!text.is_empty()).then_some((path, text))
}

fn is_ruler(text: &str) -> bool {
    let text = text.trim();
    text.len() > 2 && text.chars().all(|c| "-=*#~_ ".contains(c))
}

fn shortened(text: &str) -> String {
    text.chars().take(COMMENT_MAX).collect()
}
