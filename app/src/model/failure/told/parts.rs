//! helm's error texts, peeled of their wrappers and split into the errors they join.

use super::tables;
use crate::model::FailureClass;

/// One error of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part<'a> {
    /// The error without wrappers.
    pub text: &'a str,
    /// A wrapper said that a hook was running.
    pub in_hook: bool,
}

/// What helm puts before an error, in lower case, and whether it speaks of a hook.
pub(super) const WRAPPERS: [(&str, bool); 23] = [
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
    ("uninstall: failed to purge the release: ", false),
    ("unable to continue with install: ", false),
    ("unable to continue with update: ", false),
    ("unable to build kubernetes objects from release manifest: ", false),
    ("unable to build kubernetes objects from new release manifest: ", false),
    (
        "unable to find a previously successful release when attempting to rollback. original upgrade error: ",
        false,
    ),
    // How helm 3 lists several errors.
    ("* ", false),
];

/// Wrappers that hold a name, a path or a number: how they begin, how they end, and whether they speak of a hook.
const WRAPPERS_AROUND: [(&str, &str, bool); 12] = [
    ("release ", " failed, and has been uninstalled due to atomic being set: ", false),
    ("release ", " failed, and has been uninstalled due to rollback-on-failure being set: ", false),
    ("release ", " failed, and has been rolled back due to atomic being set: ", false),
    ("release ", " failed, and has been rolled back due to rollback-on-failure being set: ", false),
    ("release ", " failed: ", false),
    ("release \"", "\" failed: ", false),
    ("upgrade \"", "\" failed: ", false),
    ("rollback \"", "\" failed: ", false),
    ("warning: hook ", " failed: ", true),
    ("uninstall: release not loaded: ", ": ", false),
    ("uninstallation completed with ", " error(s): ", false),
    ("failed to install crd ", ": ", false),
];

/// How far behind its beginning a wrapper can end: names and paths are shorter, another error's words are not its own.
const WRAPPER_MAX: usize = 400;

/// What stands between two errors, besides the commas of a list.
const SEPARATORS: [&str; 3] = ["\n", " && ", "; "];

/// What goes on with an error behind something that looks like a separator.
const CONTINUATIONS: [&str; 15] = [
    "please apply your changes",
    "label validation error: ",
    "annotation validation error: ",
    "ensure crds are installed first",
    "if you choose to ignore these errors",
    "turn validation off",
    "use --debug flag",
    // The fields of a conflict, one a line.
    "- .",
    // The fields of an object that are wrong, one a line.
    ".",
    "kind=",
    "requested: ",
    "used: ",
    "limited: ",
    "message: ",
    "but may still be processing",
];

/// How often a part is split again: what helm joins is three deep at most.
const DEPTH_MAX: u8 = 8;

/// The errors of `text`, in its order. None only if there is no text.
pub(super) fn of(text: &str) -> Vec<Part<'_>> {
    let all = Part { text: text.trim(), in_hook: false };
    let whole = peeled(all);
    // A chart's own words, over many lines, belong to the one error that they explain.
    if !whole.text.is_empty() && tables::speaks_for_all(whole.text) {
        return vec![whole];
    }
    let mut found = Vec::new();
    let mut left = vec![(whole, 0)];
    while let Some((part, depth)) = left.pop() {
        let part = peeled(part);
        let pieces = split(part.text);
        if pieces.len() > 1 && depth < DEPTH_MAX {
            let again = |text| (Part { text, in_hook: part.in_hook }, depth + 1);
            left.extend(pieces.into_iter().rev().map(again));
        } else if !part.text.is_empty() && !is_heading(part.text) {
            found.push(part);
            found.extend(hidden_in(part));
        }
    }
    if found.is_empty() && !all.text.is_empty() { vec![all] } else { found }
}

/// `part` without what helm put before it.
fn peeled(part: Part<'_>) -> Part<'_> {
    let Part { mut text, mut in_hook } = part;
    loop {
        text = text.trim();
        let plain = WRAPPERS.iter().find(|(wrapper, _)| begins(text, wrapper));
        let plain = plain.map(|(wrapper, hook)| (wrapper.len(), *hook));
        let Some((length, hook)) = plain.or_else(|| around(text)) else { return Part { text, in_hook } };
        text = text.get(length..).unwrap_or_default();
        in_hook |= hook;
    }
}

/// The length of the wrapper with a name in it that `text` begins with, and whether it speaks of a hook.
fn around(text: &str) -> Option<(usize, bool)> {
    WRAPPERS_AROUND.iter().filter(|(start, ..)| begins(text, start)).find_map(|(start, end, hook)| {
        let rest = text.get(start.len()..)?;
        let cut = (0..=WRAPPER_MAX.min(rest.len())).rev().find(|&at| rest.is_char_boundary(at))?;
        let near = rest.get(..cut)?.lines().next().unwrap_or_default().to_ascii_lowercase();
        let at = near.find(end)?;
        // It holds a name, or an event and a path, and no error: that would be lost.
        let words = near.get(..at)?.split(' ').count();
        let is_wrapper = words <= if *hook { 2 } else { 1 };
        is_wrapper.then_some((start.len() + at + end.len(), *hook))
    })
}

/// The errors that `text` joins, by the first joint that it has.
fn split(text: &str) -> Vec<&str> {
    // `[a, b]`, as client-go joins errors; a list inside an error is left alone.
    if let Some(list) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let mut items = pieces(list, ", ", true);
        // So that a list of one is taken out of its brackets as well.
        items.push("");
        return items;
    }
    let split =
        SEPARATORS.iter().map(|separator| pieces(text, separator, false)).find(|pieces| pieces.len() > 1);
    split.unwrap_or_else(|| vec![text])
}

/// `text` cut at each `separator` behind which another error begins; if `is_list`, not within a list in the list. What
/// stands on one line in brackets, as `(ns/web; apps/v1, Kind=Deployment)` does, is not cut either.
fn pieces<'a>(text: &'a str, separator: &str, is_list: bool) -> Vec<&'a str> {
    let (mut pieces, mut start) = (Vec::new(), 0);
    // How deep in brackets it is at `seen`.
    let (mut depth, mut seen) = (0_i32, 0);
    for (at, _) in text.match_indices(separator) {
        let next = at + separator.len();
        let between = text.get(seen..at).unwrap_or_default();
        let pair = if is_list { ['[', ']'] } else { ['(', ')'] };
        depth = if separator == "\n" { 0 } else { depth + opened(between, pair) };
        seen = at;
        let goes_on = text.get(next..).unwrap_or_default().trim_start();
        if depth <= 0 && !CONTINUATIONS.iter().any(|words| begins(goes_on, words)) {
            pieces.extend(text.get(start..at));
            start = next;
        }
    }
    pieces.extend(text.get(start..));
    pieces
}

/// How many more brackets of this `pair` are opened than closed.
fn opened(text: &str, [open, close]: [char; 2]) -> i32 {
    text.chars().map(|c| i32::from(c == open) - i32::from(c == close)).sum()
}

/// Errors that last and stand, behind any kind of joint, in a part that counts as passing. None in a text that helm is
/// known to write; but what is tried again in error does harm, and what is not tried again does none.
fn hidden_in(part: Part<'_>) -> Vec<Part<'_>> {
    let is = |text, class| tables::find(text).is_some_and(|rule| rule.class == class);
    if !is(part.text, FailureClass::Transient) {
        return Vec::new();
    }
    let commas = part.text.split(", ");
    let pieces = SEPARATORS.iter().fold(commas.collect::<Vec<_>>(), |pieces, separator| {
        pieces.into_iter().flat_map(|piece| piece.split(separator)).collect()
    });
    let peeled = pieces.into_iter().map(|text| peeled(Part { text, in_hook: part.in_hook }));
    peeled.filter(|piece| is(piece.text, FailureClass::Permanent)).collect()
}

/// `2 errors occurred:`
fn is_heading(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    (lower.ends_with("error occurred:") || lower.ends_with("errors occurred:"))
        && tables::find(text).is_none()
}

fn begins(text: &str, words: &str) -> bool {
    text.get(..words.len()).is_some_and(|head| head.eq_ignore_ascii_case(words))
}
