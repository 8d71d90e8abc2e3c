//! The order of versions.

use std::cmp::Reverse;

pub use app::model::version::{is_stable, parse};
use semver::Version;

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
}
