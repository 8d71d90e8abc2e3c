//! Which versions a constraint takes, as helm reads it (Masterminds/semver, `constraints.go`): `>=1.20.0-0 <2`, `^1.20`,
//! `1.x`, `1.20 - 1.24`, `a || b`.

use std::cmp::Ordering;

use semver::{Prerelease, Version};

use super::order;

/// The longest constraint that is read, in bytes; no chart's has a tenth of it.
const LENGTH_MAX: usize = 1_000;

/// Whether a cluster of version `cluster` is one that `constraint` asks for; none if one of them cannot be read.
pub fn fits(constraint: &str, cluster: &str) -> Option<bool> {
    let version = order::parse(cluster)?;
    Some(Constraint::parse(constraint)?.takes(&version))
}

/// Groups of which one has to take a version, each of them with all that is in it.
struct Constraint(Vec<Vec<Part>>);

/// One comparison.
struct Part {
    operator: Operator,
    version: Version,
    /// How many of the three numbers were given; the others are anything.
    given: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    Less,
    GreaterOrEqual,
    LessOrEqual,
    Tilde,
    Caret,
}

/// The longer ones first.
const OPERATORS: [(&str, Operator); 11] = [
    ("!=", Operator::NotEqual),
    (">=", Operator::GreaterOrEqual),
    ("=>", Operator::GreaterOrEqual),
    ("<=", Operator::LessOrEqual),
    ("=<", Operator::LessOrEqual),
    ("~>", Operator::Tilde),
    ("=", Operator::Equal),
    (">", Operator::Greater),
    ("<", Operator::Less),
    ("~", Operator::Tilde),
    ("^", Operator::Caret),
];

impl Constraint {
    fn parse(text: &str) -> Option<Self> {
        if text.len() > LENGTH_MAX {
            return None;
        }
        text.split("||").map(group).collect::<Option<_>>().map(Self)
    }

    fn takes(&self, version: &Version) -> bool {
        self.0.iter().any(|group| {
            // A pre-release is taken only by those who name one.
            let takes_pre = group.iter().any(|part| !part.version.pre.is_empty());
            (version.pre.is_empty() || takes_pre) && group.iter().all(|part| part.takes(version))
        })
    }
}

/// Reads the comparisons of one group, which spaces or commas separate.
fn group(text: &str) -> Option<Vec<Part>> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return Some(vec![Part { operator: Operator::Equal, version: Version::new(0, 0, 0), given: 0 }]);
    }
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let (operator, after) = OPERATORS
            .iter()
            .find_map(|(sign, operator)| Some((Some(*operator), rest.strip_prefix(sign)?)))
            .unwrap_or((None, rest));
        let after = after.trim_start();
        let (word, after) = after.split_at(after.find([' ', ',', '\t']).unwrap_or(after.len()));
        let range = after.trim_start().strip_prefix('-').filter(|more| more.starts_with([' ', '\t']));
        match (operator, range) {
            // From one to the other.
            (None, Some(more)) => {
                let more = more.trim_start();
                let (to, after) = more.split_at(more.find([' ', ',', '\t']).unwrap_or(more.len()));
                parts.push(Part::read(Operator::GreaterOrEqual, word)?);
                parts.push(Part::read(Operator::LessOrEqual, to)?);
                rest = separated(after)?;
            }
            _ => {
                parts.push(Part::read(operator.unwrap_or(Operator::Equal), word)?);
                rest = separated(after)?;
            }
        }
    }
    Some(parts)
}

/// What follows a comparison, behind one comma at most.
fn separated(text: &str) -> Option<&str> {
    let rest = text.trim_start();
    match rest.strip_prefix(',') {
        Some(after) if after.trim_start().is_empty() => None,
        Some(after) => Some(after.trim_start()),
        None => Some(rest),
    }
}

impl Part {
    fn read(operator: Operator, text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
        let (numbers, pre) = text.split_once('-').map_or((text, ""), |(numbers, pre)| (numbers, pre));
        semver::BuildMetadata::new(build.unwrap_or_default()).ok()?;
        let is_any = |number: &str| matches!(number, "x" | "X" | "*");
        let written: Vec<&str> = numbers.split('.').collect();
        if written.len() > 3 || written.iter().any(|number| number.is_empty()) {
            return None;
        }
        let given = written.iter().position(|number| is_any(number)).unwrap_or(written.len());
        let mut known = [0_u64; 3];
        for (place, number) in known.iter_mut().zip(&written) {
            *place = if is_any(number) { 0 } else { number.parse().ok()? };
        }
        // What stands behind an x does not count.
        let number = |place: usize| if place < given { known.get(place).copied().unwrap_or(0) } else { 0 };
        let mut version = Version::new(number(0), number(1), number(2));
        version.pre = Prerelease::new(pre).ok()?;
        Some(Self { operator, version, given })
    }

    /// Whether a number that was left out, or was an x, is the minor one; the patch alone; any.
    fn lacks_minor(&self) -> bool {
        self.given == 1
    }

    fn lacks_patch(&self) -> bool {
        self.given == 2
    }

    fn lacks_any(&self) -> bool {
        self.given < 3
    }

    fn takes(&self, other: &Version) -> bool {
        let own = &self.version;
        let order = other.cmp_precedence(own);
        match self.operator {
            Operator::Equal if self.lacks_any() => self.is_near(other),
            Operator::Equal => order == Ordering::Equal,
            Operator::NotEqual => self.differs(other),
            Operator::Greater => match () {
                () if !self.lacks_any() => order == Ordering::Greater,
                () if other.major != own.major => other.major > own.major,
                // `>11` begins with 12, and `>11.1` with 11.2.
                () if self.lacks_minor() => false,
                () if self.lacks_patch() => other.minor > own.minor,
                () => order == Ordering::Greater,
            },
            Operator::Less => order == Ordering::Less,
            Operator::GreaterOrEqual => order != Ordering::Less,
            Operator::LessOrEqual if !self.lacks_any() => order != Ordering::Greater,
            Operator::LessOrEqual => {
                other.major <= own.major
                    && !(other.major == own.major && other.minor > own.minor && !self.lacks_minor())
            }
            Operator::Tilde => self.is_near(other),
            Operator::Caret => self.is_compatible(other),
        }
    }

    fn differs(&self, other: &Version) -> bool {
        let own = &self.version;
        if !self.lacks_any() {
            return other.cmp_precedence(own) != Ordering::Equal;
        }
        if other.major != own.major {
            return true;
        }
        if self.lacks_minor() {
            return false;
        }
        if other.minor != own.minor {
            return true;
        }
        if self.lacks_patch() {
            return other.pre != own.pre;
        }
        other.cmp_precedence(own) != Ordering::Equal
    }

    /// `~1.2.3`: from there to the next minor version; `~1`: to the next major one.
    fn is_near(&self, other: &Version) -> bool {
        let own = &self.version;
        if other.cmp_precedence(own) == Ordering::Less {
            return false;
        }
        let is_zero = (own.major, own.minor, own.patch) == (0, 0, 0);
        if is_zero && !self.lacks_minor() && !self.lacks_patch() {
            return true;
        }
        other.major == own.major && (other.minor == own.minor || self.lacks_minor())
    }

    /// `^1.2.3`: from there to the next version whose first number that is not zero is another one.
    fn is_compatible(&self, other: &Version) -> bool {
        let own = &self.version;
        if other.cmp_precedence(own) == Ordering::Less {
            return false;
        }
        if own.major > 0 || self.lacks_minor() {
            return other.major == own.major;
        }
        if other.major > 0 {
            return false;
        }
        if own.minor > 0 || self.lacks_patch() {
            return other.minor == own.minor;
        }
        other.minor == 0 && other.patch == own.patch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_are_read_as_helm_reads_them() {
        for (constraint, version, expected) in [
            (">=1.20.0-0", "v1.29.3", Some(true)),
            (">=1.20.0-0", "v1.29.3-gke.1000", Some(true)),
            (">=1.20.0", "v1.29.3-gke.1000", Some(false)),
            (">=1.20.0-0 <2", "v1.37.2", Some(true)),
            (">=1.20.0-0 <2", "v2.0.0", Some(false)),
            (">=1.20.0-0, <1.25", "1.25.0", Some(false)),
            (">= 1.20.0-0,<1.25", "1.24.9", Some(true)),
            ("^1.20", "1.37.0", Some(true)),
            ("^1.20", "1.19.9", Some(false)),
            ("^1.20", "2.0.0", Some(false)),
            ("^0.2.3", "0.2.9", Some(true)),
            ("^0.2.3", "0.3.0", Some(false)),
            ("^0.0.3", "0.0.3", Some(true)),
            ("^0.0.3", "0.0.4", Some(false)),
            ("^0.0", "0.0.9", Some(true)),
            ("^0.0", "0.1.0", Some(false)),
            ("^0", "0.9.0", Some(true)),
            ("^0", "1.0.0", Some(false)),
            ("~1.2.3", "1.2.9", Some(true)),
            ("~1.2.3", "1.3.0", Some(false)),
            ("~1", "1.9.0", Some(true)),
            ("~1.2", "1.3.0", Some(false)),
            ("~>1.2", "1.2.9", Some(true)),
            ("1.x", "1.37.0", Some(true)),
            ("1.x", "2.0.0", Some(false)),
            ("1.20.x", "1.20.7", Some(true)),
            ("1.20.*", "1.21.0", Some(false)),
            ("*", "1.2.3", Some(true)),
            ("", "1.2.3", Some(true)),
            ("x", "1.2.3-rc.1", Some(false)),
            ("1.20 - 1.24", "1.22.0", Some(true)),
            ("1.20 - 1.24", "1.24.9", Some(true)),
            ("1.20 - 1.24", "1.25.0", Some(false)),
            ("1.20.0 - 1.24.0", "1.24.1", Some(false)),
            ("1.20.0 - 1.22.0 || >=1.30", "1.31.0", Some(true)),
            ("<1.20 || >=1.30", "1.25.0", Some(false)),
            ("1.2.3", "1.2.3", Some(true)),
            ("=1.2.3", "1.2.4", Some(false)),
            ("v1.2.3", "1.2.3", Some(true)),
            ("!=1.2.3", "1.2.4", Some(true)),
            ("!=1.2.3", "1.2.3", Some(false)),
            ("!=1.x", "1.5.0", Some(false)),
            ("!=1.2.x", "1.3.0", Some(true)),
            ("!=1.2.x", "1.2.5", Some(false)),
            (">11", "11.1.0", Some(false)),
            (">11", "12.0.0", Some(true)),
            (">11.1", "11.1.1", Some(false)),
            (">11.1", "11.2.1", Some(true)),
            ("<=1.24", "1.24.9", Some(true)),
            ("<=1.24", "1.25.0", Some(false)),
            ("<=1", "1.25.0", Some(true)),
            ("<1.24", "1.24.0", Some(false)),
            (">=1.19.0 <1.25.0 || >=1.26.0", "1.25.3", Some(false)),
            ("=>1.2", "1.2.0", Some(true)),
            ("=<1.2", "1.2.9", Some(true)),
            (">=1.2 nonsense", "1.2.0", None),
            ("about 1.20", "1.2.0", None),
            ("1.2.3.4", "1.2.0", None),
            (">=", "1.2.0", None),
            (">=1.2,", "1.2.0", None),
            (">=1.2", "not a version", None),
        ] {
            assert_eq!(fits(constraint, version), expected, "{constraint:?} of {version}");
        }
    }

    #[test]
    fn nothing_that_a_chart_says_stops_the_reader() {
        for text in ["|||", "- - -", "^", "~>~>1", ",,,", ">=1.x.y", "1..2", "v", "é", "99999999999999999999"]
        {
            assert_ne!(fits(text, "1.2.3"), Some(true), "{text}");
        }
        assert_eq!(fits(&"1.x || ".repeat(1_000), "1.2.3"), None);
    }
}
