//! A text as lines, what is found in them, and how a line of YAML is coloured. Pure.

/// More of one line is not drawn: a line can be a whole file.
const LINE_MAX: usize = 4_000;

/// A text, and where its lines begin.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    text: String,
    starts: Vec<usize>,
}

impl Lines {
    /// The lines of `text`; what ends the last one begins no other.
    pub fn of(text: &str) -> Self {
        let text = text.strip_suffix('\n').unwrap_or(text).to_owned();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// The line `number`, from 0; empty where there is none.
    pub fn line(&self, number: usize) -> &str {
        let Some(&start) = self.starts.get(number) else { return "" };
        let end = self.starts.get(number + 1).map_or(self.text.len(), |next| next - 1);
        self.text[start..end].trim_end_matches('\r')
    }
}

/// The numbers of the lines that have `query` in them; of ASCII letters the case does not matter.
pub fn found(lines: &Lines, query: &str) -> Vec<usize> {
    if query.is_empty() {
        return Vec::new();
    }
    (0..lines.len()).filter(|number| find(lines.line(*number), query).is_some()).collect()
}

/// Where `query` is in `text` first.
pub fn find(text: &str, query: &str) -> Option<usize> {
    let (text, query) = (text.as_bytes(), query.as_bytes());
    let (first, rest) = query.split_first()?;
    let last = text.len().checked_sub(query.len())?;
    (0..=last).find(|&at| {
        text[at].eq_ignore_ascii_case(first) && text[at + 1..at + query.len()].eq_ignore_ascii_case(rest)
    })
}

/// What a piece of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Nothing special.
    Plain,
    /// A key, with its colon.
    Key,
    /// A comment.
    Comment,
    /// What was searched for.
    Found,
}

/// The pieces of a line, with every place of `query` in a piece of its own.
pub fn pieces<'a>(line: &'a str, query: &str) -> Vec<(Class, &'a str)> {
    let mut end = line.len().min(LINE_MAX);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let (line, is_cut) = (&line[..end], end < line.len());
    let mut all = Vec::new();
    let mut from = 0;
    // What was searched for may begin in the key and end in the value.
    while let Some(place) = line.get(from..).and_then(|rest| find(rest, query)) {
        let (start, end) = (from + place, from + place + query.len());
        // Both are UTF-8, so a place begins and ends at characters.
        let Some(text) = line.get(start..end) else { break };
        all.extend(coloured_within(line, from, start));
        all.push((Class::Found, text));
        from = end;
    }
    all.extend(coloured_within(line, from, line.len()));
    if is_cut {
        all.push((Class::Comment, " …"));
    }
    all
}

/// The coloured pieces of a line, as far as they lie between two places in it.
fn coloured_within(line: &str, from: usize, to: usize) -> impl Iterator<Item = (Class, &str)> {
    let mut start = 0;
    coloured(line).into_iter().filter_map(move |(class, text)| {
        let (begin, end) = (start.max(from), (start + text.len()).min(to));
        start += text.len();
        line.get(begin..end).filter(|text| !text.is_empty()).map(|text| (class, text))
    })
}

/// The indentation and the key, and the rest; a comment is one piece.
fn coloured(line: &str) -> Vec<(Class, &str)> {
    let content = line.trim_start_matches([' ', '-']);
    if content.starts_with('#') || line.starts_with("---") {
        return vec![(Class::Comment, line)];
    }
    let is_key = |key: &str| !key.is_empty() && !key.contains(['{', '[', '"', ' ']);
    let ends = content.find(": ").or_else(|| content.ends_with(':').then(|| content.len() - 1));
    match ends.filter(|end| is_key(&content[..*end])) {
        Some(end) => {
            let indent = line.len() - content.len();
            let (key, value) = line.split_at(indent + end + 1);
            [(Class::Key, key), (Class::Plain, value)]
                .into_iter()
                .filter(|(_, text)| !text.is_empty())
                .collect()
        }
        None => vec![(Class::Plain, line)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_its_lines() {
        for (text, expected) in
            [("", vec![""]), ("a", vec!["a"]), ("a\n", vec!["a"]), ("a\r\nb\n\nc", vec!["a", "b", "", "c"])]
        {
            let lines = Lines::of(text);
            let all: Vec<_> = (0..lines.len()).map(|number| lines.line(number)).collect();
            assert_eq!(all, expected, "{text:?}");
        }
        assert_eq!(Lines::of("a").line(7), "");
    }

    #[test]
    fn lines_are_found_whatever_the_case() {
        let lines = Lines::of("kind: Service\nname: web\nport: 80\nSERVICE");
        for (query, expected) in
            [("service", vec![0, 3]), ("WEB", vec![1]), ("", vec![]), ("nothing", vec![]), ("0", vec![2])]
        {
            assert_eq!(found(&lines, query), expected, "{query}");
        }
    }

    #[test]
    fn a_line_is_coloured_and_what_is_found_is_marked() {
        use Class::{Comment, Found, Key, Plain};
        for (line, query, expected) in [
            ("replicas: 2", "", vec![(Key, "replicas:"), (Plain, " 2")]),
            ("  - name: web", "we", vec![(Key, "  - name:"), (Plain, " "), (Found, "we"), (Plain, "b")]),
            ("spec:", "", vec![(Key, "spec:")]),
            ("# Source: a", "", vec![(Comment, "# Source: a")]),
            ("plain http://x", "", vec![(Plain, "plain http://x")]),
            ("a b: c", "", vec![(Plain, "a b: c")]),
            ("grüße: Ü", "ü", vec![(Key, "gr"), (Found, "ü"), (Key, "ße:"), (Plain, " Ü")]),
            ("name: web", "e: w", vec![(Key, "nam"), (Found, "e: w"), (Plain, "eb")]),
            ("aaa", "a", vec![(Found, "a"), (Found, "a"), (Found, "a")]),
        ] {
            assert_eq!(pieces(line, query), expected, "{line}");
        }
    }

    #[test]
    fn a_line_without_end_is_cut_between_characters() {
        let line = "ü".repeat(LINE_MAX);
        let pieces = pieces(&line, "");
        assert_eq!(pieces.len(), 2);
        assert!(pieces[0].1.len() <= LINE_MAX);
    }
}
