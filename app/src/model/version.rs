//! The order of versions, as helm has it.

use std::cmp::Ordering;

use semver::{BuildMetadata, Prerelease, Version};

/// Reads a version as helm does (Masterminds/semver's `NewVersion`): a leading `v` and missing parts are forgiven.
pub fn parse(text: &str) -> Option<Version> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let (text, build) = text.split_once('+').unwrap_or((text, ""));
    let (numbers, pre) = text.split_once('-').unwrap_or((text, ""));
    let mut parts = numbers.split('.').map(|part| part.parse::<u64>().ok());
    let major = parts.next()??;
    let minor = parts.next().unwrap_or(Some(0))?;
    let patch = parts.next().unwrap_or(Some(0))?;
    if parts.next().is_some() {
        return None;
    }
    let pre = Prerelease::new(pre).ok()?;
    Some(Version { major, minor, patch, pre, build: BuildMetadata::new(build).ok()? })
}

/// Whether it is a version without a pre-release part.
pub fn is_stable(text: &str) -> bool {
    parse(text).is_some_and(|version| version.pre.is_empty())
}

/// The older one first. What is no version comes before those that are, and what is the same version is in the order of its
/// text.
pub fn compare(a: &str, b: &str) -> Ordering {
    // What is none sorts before what is some.
    parse(a).cmp(&parse(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_their_numbers_and_what_is_none_comes_first() {
        let mut versions = [
            "1.2.0",
            "nightly",
            "1.10.0",
            "v1.9.9",
            "1.10.0-rc.2",
            "2",
            "1.10.0-rc.10",
            "1.10.0-rc.a",
            "1.2.0+b2",
            "1.2.3.4",
            "1.10.0-rc",
            "1.10.0-rc_1",
            "",
        ];
        versions.sort_by(|a, b| compare(a, b));
        let expected = [
            "",
            "1.10.0-rc_1",
            "1.2.3.4",
            "nightly",
            "1.2.0",
            "1.2.0+b2",
            "v1.9.9",
            "1.10.0-rc",
            "1.10.0-rc.2",
            "1.10.0-rc.10",
            "1.10.0-rc.a",
            "1.10.0",
            "2",
        ];
        assert_eq!(versions, expected);
    }

    #[test]
    fn a_pre_release_is_not_stable_and_neither_is_a_word() {
        for (version, stable) in [("1.0.0", true), ("v2.1", true), ("1.0.0-rc.1", false), ("latest", false)] {
            assert_eq!(is_stable(version), stable, "{version}");
        }
    }

    #[test]
    fn what_only_looks_like_a_version_is_none() {
        for text in ["", "v", "1.2.3.4", "1..2", "-1", "1.0.0-é", "99999999999999999999.0.0"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
