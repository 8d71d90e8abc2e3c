//! The order of versions.

use std::cmp::Reverse;

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

/// What versions are sorted by: the newest first; what is no version comes last, in the order of its text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A version.
    Version(Reverse<Version>),
    /// Another text.
    Word(String),
}

/// The place of a version in their order.
pub fn place(text: &str) -> Place {
    parse(text).map_or_else(|| Place::Word(text.to_owned()), |version| Place::Version(Reverse(version)))
}

/// Whether it is a version without a pre-release part.
pub fn is_stable(text: &str) -> bool {
    parse(text).is_some_and(|version| version.pre.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_their_numbers_and_what_is_none_comes_last() {
        let mut versions = [
            "1.2.0",
            "nightly",
            "1.10.0",
            "v1.9.9",
            "1.10.0-rc.2",
            "2",
            "1.10.0-rc.10",
            "1.2.0+b2",
            "latest",
        ];
        versions.sort_by_key(|version| place(version));
        assert_eq!(
            versions,
            [
                "2",
                "1.10.0",
                "1.10.0-rc.10",
                "1.10.0-rc.2",
                "v1.9.9",
                "1.2.0+b2",
                "1.2.0",
                "latest",
                "nightly"
            ]
        );
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
