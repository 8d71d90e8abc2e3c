//! What differs between two texts, or between the objects of two manifests. Pure.

use std::collections::BTreeMap;
use std::time::Duration;

use app::model::{ComparedPart, Comparison, ObjectRef, PartChange};
use similar::{ChangeTag, TextDiff};

use super::manifest::ManifestText;
use super::object::is_sensitive;

/// How many unchanged lines are told around a change.
const CONTEXT: usize = 3;
/// How many lines of one part are told.
const LINES_MAX: usize = 5_000;
/// How much is told of all parts together, in bytes.
const BYTES_MAX: usize = 4 * 1024 * 1024;
/// How much of a text is compared, in bytes: etcd takes no larger object.
const COMPARED_MAX: usize = 4 * 1024 * 1024;
/// For how long the smallest difference of one part is sought; then a larger one will do.
const SOUGHT_FOR: Duration = Duration::from_millis(300);

/// What differs between two texts; without parts if nothing does.
pub fn of_texts(before: &str, after: &str) -> Comparison {
    let part = compared(&ManifestText::plain(before), &ManifestText::plain(after));
    Comparison { parts: part.into_iter().collect(), ..Comparison::default() }
}

/// What differs between the objects of two manifests, in the order of `after`; those that are gone follow.
pub fn of_manifests(before: &[ManifestText], after: &[ManifestText]) -> Comparison {
    let mut comparison = Comparison::default();
    let mut left = by_identity(before);
    let mut bytes = 0;
    let mut tell = |part: ComparedPart, comparison: &mut Comparison| {
        bytes += part.unified.len() + part.title.len();
        if bytes > BYTES_MAX {
            comparison.left_out += 1;
        } else {
            comparison.parts.push(part);
        }
    };
    for (identity, new) in by_identity(after) {
        let old = left.remove(&identity);
        let nothing = ManifestText { text: String::new(), ..new.clone() };
        match compared(old.unwrap_or(&nothing), new) {
            Some(part) => {
                let change = if old.is_some() { PartChange::Changed } else { PartChange::Added };
                tell(ComparedPart { change, ..part }, &mut comparison);
            }
            None => comparison.unchanged += 1,
        }
    }
    for old in left.into_values() {
        let nothing = ManifestText { text: String::new(), ..old.clone() };
        if let Some(part) = compared(old, &nothing) {
            tell(ComparedPart { change: PartChange::Removed, ..part }, &mut comparison);
        }
    }
    comparison.parts.sort_by(|a, b| (rank(a), &a.title).cmp(&(rank(b), &b.title)));
    comparison
}

/// Hooks after the objects that stay.
fn rank(part: &ComparedPart) -> bool {
    part.is_hook
}

/// What an object is called in both manifests. Another version of the same group is the same object; the last number tells
/// documents apart that have the same name, or none.
type Identity = (Name, usize);
type Name = (String, String, String, String, bool);

fn by_identity(texts: &[ManifestText]) -> BTreeMap<Identity, &ManifestText> {
    let mut found = BTreeMap::new();
    let mut count: BTreeMap<Name, usize> = BTreeMap::new();
    for text in texts {
        let ObjectRef { api_version, kind, namespace, name } = &text.object;
        let group = super::family::group(api_version).to_owned();
        let namespace = namespace.clone().unwrap_or_default();
        let name = (kind.clone(), group, namespace, name.clone(), text.is_hook);
        let number = count.entry(name.clone()).or_default();
        found.insert((name, *number), text);
        *number += 1;
    }
    found
}

/// How two writings of the same thing differ; none if they do not.
fn compared(before: &ManifestText, after: &ManifestText) -> Option<ComparedPart> {
    if before.text == after.text {
        return None;
    }
    let bounded = |text: &'_ str| -> usize { floor_char_boundary(text, COMPARED_MAX) };
    let (old, new) = (&before.text[..bounded(&before.text)], &after.text[..bounded(&after.text)]);
    let mut is_cut = old.len() < before.text.len() || new.len() < after.text.len();
    let diff = TextDiff::configure().timeout(SOUGHT_FOR).diff_lines(old, new);
    let (mut added, mut removed, mut lines) = (0, 0, 0);
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Insert => added += 1,
            ChangeTag::Delete => removed += 1,
            ChangeTag::Equal => {}
        }
    }
    let mut unified = String::new();
    'hunks: for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        unified.push_str(&format!("{}\n", hunk.header()));
        for change in hunk.iter_changes() {
            lines += 1;
            if lines > LINES_MAX || unified.len() > BYTES_MAX / 2 {
                is_cut = true;
                break 'hunks;
            }
            unified.push_str(&change.tag().to_string());
            unified.push_str(change.value().trim_end_matches(['\n', '\r']));
            unified.push('\n');
        }
    }
    Some(ComparedPart {
        title: title(&after.object),
        source: after.source.clone(),
        is_hook: after.is_hook,
        is_sensitive: is_sensitive(&after.object),
        change: PartChange::Changed,
        added,
        removed,
        unified,
        is_cut,
    })
}

fn title(object: &ObjectRef) -> String {
    let ObjectRef { kind, namespace, name, .. } = object;
    match namespace {
        Some(namespace) => format!("{kind} {namespace}/{name}"),
        None => format!("{kind} {name}").trim().to_owned(),
    }
}

/// The last place up to `at` where `text` can be cut.
fn floor_char_boundary(text: &str, at: usize) -> usize {
    let mut end = at.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

impl ManifestText {
    /// A text that is no object's.
    fn plain(text: &str) -> Self {
        let nothing = String::new;
        let object = ObjectRef { api_version: nothing(), kind: nothing(), namespace: None, name: nothing() };
        Self { object, source: nothing(), is_hook: false, text: text.to_owned() }
    }
}

#[cfg(test)]
mod tests;
