//! The order of a chart's versions.

use std::cmp::Ordering;

use semver::Version;

/// Reads a version as helm does: a leading `v` and missing parts are forgiven.
pub fn parse(text: &str) -> Option<Version> {
    let text = text.trim().trim_start_matches('v');
    Version::parse(text).ok().or_else(|| {
        let numbers = text.split(['-', '+']).next().unwrap_or_default();
        let tail = text.get(numbers.len()..).unwrap_or_default();
        let missing = 2_usize.checked_sub(numbers.matches('.').count())?;
        Version::parse(&format!("{numbers}{}{tail}", ".0".repeat(missing))).ok()
    })
}

/// The newest first; what is no version comes last, in the order of its letters.
pub fn newest_first(a: &str, b: &str) -> Ordering {
    match (parse(a), parse(b)) {
        (Some(a), Some(b)) => b.cmp(&a),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

/// Whether a version is one that people are meant to use.
pub fn is_stable(text: &str) -> bool {
    parse(text).is_some_and(|version| version.pre.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_versions_and_not_as_texts() {
        let mut versions = ["1.9.0", "nightly", "1.10.0", "v2.0.0-rc.1", "1.10", "v1.11", "0.1"];
        versions.sort_by(|a, b| newest_first(a, b));
        assert_eq!(versions, ["v2.0.0-rc.1", "v1.11", "1.10.0", "1.10", "1.9.0", "0.1", "nightly"]);
    }

    #[test]
    fn a_release_candidate_is_not_stable() {
        assert!(is_stable("v1.2.3") && is_stable("1.2.3+build"));
        assert!(!is_stable("2.0.0-rc.1") && !is_stable("nightly"));
    }
}
