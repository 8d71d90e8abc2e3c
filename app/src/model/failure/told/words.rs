//! Sentences about a text, filled in with what it says.

use super::refused;

/// The most that is filled in at one place, in bytes.
const FILLED_MAX: usize = 300;

/// `sentence` with `{1}` and `{2}` replaced by the first and second quoted words of `text`, `{changing}` by the object that
/// somebody else was changing, `{kind}` by the kind that the cluster does not know, `{right}` by the right that is missing,
/// `{said}` by what a chart says about its values, `{refused}` by what its schema does, and `{wrong}` by which field of an
/// object is wrong and how. The last three are whole sentences.
pub(super) fn fill_in(sentence: &str, text: &str) -> String {
    let mut quoted = text.split('"').skip(1).step_by(2).map(str::to_owned);
    let mut filled = sentence.to_owned();
    let mut put = |place: &str, word: Option<String>| {
        if filled.contains(place) {
            let word = word.filter(|word| !word.is_empty() && word.len() <= FILLED_MAX);
            filled = filled.replace(place, word.as_deref().unwrap_or("(not named)"));
        }
    };
    put("{1}", quoted.next());
    put("{2}", quoted.next());
    // What helm was doing it to may be named before.
    let changing = text.split_once("cannot be fulfilled on ").and_then(|(_, rest)| rest.split('"').nth(1));
    put("{changing}", changing.map(str::to_owned));
    put("{kind}", unknown_kind(text).map(|(kind, version)| format!("{kind} of {version}")));
    put("{right}", right(text));
    put("{said}", said(text));
    put("{refused}", refused::by_schema(text));
    put("{wrong}", refused::by_cluster(text));
    filled
}

/// The first line of `text`, cut at 300 characters.
pub(super) fn first_line(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default().trim();
    line.char_indices().nth(300).map_or(line, |(at, _)| line.get(..at).unwrap_or(line))
}

/// What stands in `text` between `start` and the `end` that follows it.
pub(super) fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    rest.split_once(end).map(|(found, _)| found)
}

/// Kind and version of `no matches for kind "K" in version "G/V"`.
pub(super) fn unknown_kind(text: &str) -> Option<(&str, &str)> {
    Some((between(text, "no matches for kind \"", "\"")?, between(text, "in version \"", "\"")?))
}

/// `list secrets in the namespace ns`, of `User "U" cannot list resource "secrets" in API group "" in the namespace "ns"`.
fn right(text: &str) -> Option<String> {
    let (verb, rest) = text.split_once(" cannot ")?.1.split_once(" resource \"")?;
    let (resource, rest) = rest.split_once('"')?;
    let group = between(rest, "API group \"", "\"").filter(|group| !group.is_empty());
    let of = group.map(|group| format!(".{group}")).unwrap_or_default();
    let what = format!("{verb} {resource}{of}");
    (!verb.contains(' ')).then(|| match between(rest, "in the namespace \"", "\"") {
        Some(namespace) => format!("{what} in the namespace {namespace}"),
        None if rest.contains("at the cluster scope") => format!("{what} in the whole cluster"),
        None => what,
    })
}

/// What follows the place in `execution error at (F:L:C): …`, as a sentence.
fn said(text: &str) -> Option<String> {
    sentence(text.split_once("execution error ")?.1.split_once("): ")?.1)
}

/// The first line of `text` with one full stop, if there is anything in it; cut where it is too long to be filled in.
pub(super) fn sentence(text: &str) -> Option<String> {
    let line = text.lines().next().unwrap_or_default().trim();
    let end = (0..=FILLED_MAX - 4).rev().find(|&at| line.is_char_boundary(at)).unwrap_or(0);
    let cut = line.get(..end).filter(|_| line.len() >= FILLED_MAX).map(|cut| format!("{cut}…"));
    let said = cut.as_deref().unwrap_or(line).trim_end_matches(['.', ' ']);
    (!said.is_empty()).then(|| format!("{said}."))
}
