//! The lines of a unified diff.

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is on both sides.
    Same,
    /// It is only on the right.
    Added,
    /// It is only on the left.
    Removed,
    /// Lines that are the same are left out here.
    Gap,
}

/// A line, and where it is on both sides, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// What became of it.
    pub mark: Mark,
    /// Its number on the left.
    pub old: Option<u32>,
    /// Its number on the right.
    pub new: Option<u32>,
    /// Its text without the sign; of a gap the words that say where it is.
    pub text: &'a str,
}

/// A row of two columns.
pub type Sides<'a> = (Option<Line<'a>>, Option<Line<'a>>);

/// The lines of a unified diff with their numbers.
pub fn lines(unified: &str) -> Vec<Line<'_>> {
    let (mut old, mut new) = (1, 1);
    let mut number = |text: &str| {
        let mark = match text.as_bytes().first() {
            Some(b'@') => Mark::Gap,
            Some(b'+') => Mark::Added,
            Some(b'-') => Mark::Removed,
            _ => Mark::Same,
        };
        if mark == Mark::Gap {
            (old, new) = starts(text).unwrap_or((old, new));
            return (mark, None, None);
        }
        let found = (mark, (mark != Mark::Added).then_some(old), (mark != Mark::Removed).then_some(new));
        old += u32::from(mark != Mark::Added);
        new += u32::from(mark != Mark::Removed);
        found
    };
    unified
        .lines()
        .map(|line| {
            let (mark, old, new) = number(line);
            let text = if mark == Mark::Gap { line } else { line.get(1..).unwrap_or_default() };
            Line { mark, old, new, text }
        })
        .collect()
}

/// Where a hunk begins on both sides: `@@ -3,7 +4 @@`.
fn starts(head: &str) -> Option<(u32, u32)> {
    let mut parts = head.split(' ').skip(1);
    let mut start = |sign: char| -> Option<u32> {
        let part = parts.next()?.strip_prefix(sign)?;
        part.split(',').next()?.parse().ok()
    };
    Some((start('-')?, start('+')?))
}

/// The lines in two columns: what is gone stands beside what took its place.
pub fn sides<'a>(lines: &[Line<'a>]) -> Vec<Sides<'a>> {
    let mut rows = Vec::new();
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let run = |lines: &[Line<'_>], mark| lines.iter().take_while(|line| line.mark == mark).count();
        let removed = run(rest, Mark::Removed);
        let added = run(&rest[removed..], Mark::Added);
        if removed + added == 0 {
            rows.push((Some(*first), (first.mark == Mark::Same).then_some(*first)));
            rest = &rest[1..];
            continue;
        }
        let (gone, come) = rest[..removed + added].split_at(removed);
        rows.extend((0..removed.max(added)).map(|at| (gone.get(at).copied(), come.get(at).copied())));
        rest = &rest[removed + added..];
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIFIED: &str = "@@ -3,4 +3,5 @@\n a\n-b\n-c\n+B\n d\n+e\n+f\n@@ -20 +21 @@\n-x\n+\n";

    #[test]
    fn each_line_has_its_numbers() {
        let found: Vec<_> = lines(UNIFIED).into_iter().map(|it| (it.mark, it.old, it.new, it.text)).collect();
        use Mark::{Added, Gap, Removed, Same};
        let expected = [
            (Gap, None, None, "@@ -3,4 +3,5 @@"),
            (Same, Some(3), Some(3), "a"),
            (Removed, Some(4), None, "b"),
            (Removed, Some(5), None, "c"),
            (Added, None, Some(4), "B"),
            (Same, Some(6), Some(5), "d"),
            (Added, None, Some(6), "e"),
            (Added, None, Some(7), "f"),
            (Gap, None, None, "@@ -20 +21 @@"),
            (Removed, Some(20), None, "x"),
            (Added, None, Some(21), ""),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_took_the_place_of_a_line_stands_beside_it() {
        let found: Vec<_> = sides(&lines(UNIFIED))
            .into_iter()
            .map(|(left, right)| (left.map(|it| it.text), right.map(|it| it.text)))
            .collect();
        let expected = [
            (Some("@@ -3,4 +3,5 @@"), None),
            (Some("a"), Some("a")),
            (Some("b"), Some("B")),
            (Some("c"), None),
            (Some("d"), Some("d")),
            (None, Some("e")),
            (None, Some("f")),
            (Some("@@ -20 +21 @@"), None),
            (Some("x"), Some("")),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_text_that_is_no_diff_is_shown_as_it_is() {
        assert_eq!(lines("@@ odd\nü\n").len(), 2);
        assert_eq!(lines(""), []);
    }
}
