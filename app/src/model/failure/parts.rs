//! helm's error texts, peeled of their wrappers and split into the errors they join.

use super::tables;

/// One error of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part<'a> {
    /// The error without wrappers.
    pub text: &'a str,
    /// A wrapper said that a hook was running.
    pub in_hook: bool,
}

/// What helm puts before an error, in lower case, and whether it speaks of a hook.
const WRAPPERS: [(&str, bool); 16] = [
    ("error: ", false),
    ("installation failed: ", false),
    ("upgrade failed: ", false),
    ("failed pre-install: ", true),
    ("failed post-install: ", true),
    ("pre-upgrade hooks failed: ", true),
    ("post-upgrade hooks failed: ", true),
    ("failed pre-delete: ", true),
    ("failed post-delete: ", true),
    ("release name check failed: ", false),
    ("cluster reachability check failed: ", false),
    ("create: failed to create: ", false),
    ("update: failed to update: ", false),
    ("query: failed to query with labels: ", false),
    ("list: failed to list: ", false),
    ("failed to delete release: ", false),
];

/// Wrappers that hold a name or a path: how they begin, how they end, and whether they speak of a hook.
const WRAPPERS_AROUND: [(&str, &str, bool); 4] = [
    ("release ", " being set: ", false),
    ("release \"", "\" failed: ", false),
    ("upgrade \"", "\" failed: ", false),
    ("warning: hook ", " failed: ", true),
];

/// The errors of `text`, in its order.
pub(super) fn of(text: &str) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    let whole = peeled(Part { text: text.trim(), in_hook: false });
    // A chart's own words, over many lines, belong to the one error that they explain.
    if tables::is_told_by_others(whole.text) {
        return vec![whole];
    }
    for line in whole.text.lines().flat_map(|line| line.split(" && ")) {
        let part = peeled(Part { text: line, in_hook: whole.in_hook });
        let part = Part { text: bullet(part.text), in_hook: part.in_hook };
        if part.text.is_empty() || is_heading(part.text) {
            continue;
        }
        for text in listed(part.text) {
            let part = peeled(Part { text, in_hook: part.in_hook });
            // "the object has been modified; please apply …" is one error: what is known whole is not split.
            if tables::find(part.text).is_some() {
                found.push(part);
            } else {
                let pieces = part.text.split("; ").filter(|piece| !piece.is_empty());
                found.extend(pieces.map(|text| peeled(Part { text, in_hook: part.in_hook })));
            }
        }
    }
    found
}

fn peeled(part: Part<'_>) -> Part<'_> {
    let Part { mut text, mut in_hook } = part;
    loop {
        text = text.trim();
        let lower = text.to_ascii_lowercase();
        let plain = WRAPPERS
            .iter()
            .find(|(wrapper, _)| lower.starts_with(wrapper))
            .map(|(wrapper, hook)| (wrapper.len(), *hook));
        let around = || {
            WRAPPERS_AROUND.iter().find_map(|(start, end, hook)| {
                let rest = lower.strip_prefix(start)?;
                // Within the first line, and not so far away that it would be another error's.
                let first = rest.lines().next().unwrap_or_default();
                first.find(end).map(|at| (start.len() + at + end.len(), *hook))
            })
        };
        let Some((length, hook)) = plain.or_else(around) else { return Part { text, in_hook } };
        text = text.get(length..).unwrap_or_default();
        in_hook |= hook;
    }
}

/// `* text` as helm 3 lists several errors.
fn bullet(text: &str) -> &str {
    text.trim().strip_prefix("* ").unwrap_or(text.trim())
}

/// `2 errors occurred:`
fn is_heading(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.ends_with("error occurred:") || lower.ends_with("errors occurred:")
}

/// `[a, b]` as client-go joins errors; a list inside an error is left alone.
fn listed(text: &str) -> Vec<&str> {
    match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inner) => inner.split(", ").collect(),
        None => vec![text],
    }
}
