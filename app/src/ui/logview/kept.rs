//! The lines of a log that a page keeps: the last ones, within bounds.

use std::collections::VecDeque;

use super::ansi::{Style, pieces};

/// How many lines are kept: what a browser draws and searches without delay.
pub const LINES_MAX: usize = 5_000;
/// How many bytes are kept of them; some programs write pages into one line.
const BYTES_MAX: usize = 4 * 1024 * 1024;
/// How much is kept of one line.
const LINE_MAX: usize = 64 * 1024;

/// A line.
#[derive(Debug)]
pub struct Line {
    /// As it came, without its end.
    pub text: String,
    /// How it begins.
    pub style: Style,
}

/// The lines.
#[derive(Debug, Default)]
pub struct Kept {
    /// They, the oldest first.
    pub lines: VecDeque<Line>,
    /// How many were dropped before them.
    pub dropped: usize,
    /// How often all were taken away.
    pub cleared: usize,
    /// The last one is not at its end.
    pub is_open: bool,
    bytes: usize,
    /// How the next line begins.
    style: Style,
}

impl Kept {
    /// Adds what comes next: whole lines, or parts of them.
    pub fn push(&mut self, text: &str) {
        for part in text.split_inclusive('\n') {
            let is_whole = part.ends_with('\n');
            let part = part.trim_end_matches(['\n', '\r']);
            if !std::mem::replace(&mut self.is_open, !is_whole) {
                self.lines.push_back(Line { text: String::new(), style: self.style });
            }
            if let Some(line) = self.lines.back_mut() {
                let part = beginning(part, LINE_MAX.saturating_sub(line.text.len()));
                line.text.push_str(part);
                self.bytes += part.len();
                if is_whole {
                    pieces(&line.text, &mut self.style);
                }
            }
        }
        while self.lines.len() > LINES_MAX || self.bytes > BYTES_MAX {
            let Some(line) = self.lines.pop_front() else { break };
            self.bytes -= line.text.len();
            self.dropped += 1;
        }
    }

    /// Takes all of them away.
    pub fn clear(&mut self) {
        *self = Self { cleared: self.cleared + 1, ..Self::default() };
    }

    /// All of them as they came.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.bytes + self.lines.len());
        for line in &self.lines {
            text.push_str(&line.text);
            text.push('\n');
        }
        text
    }
}

/// At most the first `most` bytes of `text`, and whole characters.
fn beginning(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_same_however_they_come() {
        let whole = "one\ntwo\r\n\nfour\nfi";
        let mut at_once = Kept::default();
        at_once.push(whole);
        let mut in_bits = Kept::default();
        for char in whole.chars() {
            in_bits.push(char.encode_utf8(&mut [0; 4]));
        }
        for kept in [&at_once, &in_bits] {
            let lines: Vec<&str> = kept.lines.iter().map(|line| line.text.as_str()).collect();
            assert_eq!(lines, ["one", "two", "", "four", "fi"]);
            assert!(kept.is_open);
        }
        assert_eq!(at_once.text(), "one\ntwo\n\nfour\nfi\n");
    }

    #[test]
    fn only_the_last_lines_are_kept_and_the_others_counted() {
        let mut kept = Kept::default();
        for number in 0..LINES_MAX + 3 {
            kept.push(&format!("{number}\n"));
        }
        assert_eq!((kept.lines.len(), kept.dropped, kept.lines[0].text.as_str()), (LINES_MAX, 3, "3"));
        kept.clear();
        assert_eq!((kept.lines.len(), kept.dropped, kept.cleared, kept.bytes), (0, 0, 1, 0));
    }

    #[test]
    fn long_lines_and_many_bytes_stay_within_their_bounds() {
        let mut kept = Kept::default();
        kept.push(&"ü".repeat(LINE_MAX));
        assert!(kept.lines[0].text.len() <= LINE_MAX);
        for _ in 0..100 {
            kept.push("\n");
            kept.push(&"x".repeat(LINE_MAX));
        }
        assert!(kept.bytes <= BYTES_MAX && kept.dropped > 0 && kept.lines.len() > 60);
    }

    #[test]
    fn a_colour_that_is_not_ended_lasts_to_the_next_line() {
        let mut kept = Kept::default();
        kept.push("\u{1b}[31mred\nstill\n\u{1b}[0m\nplain");
        let classes: Vec<String> = kept.lines.iter().map(|line| line.style.class()).collect();
        assert_eq!(classes, ["", "ansi-red", "ansi-red", ""]);
    }
}
