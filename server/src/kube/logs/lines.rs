//! Whole lines of a log, out of pieces that are cut anywhere; each begins with its time.

use jiff::Timestamp;

/// How long a line may grow before its beginning is told without its end, in bytes.
const LINE_MAX: usize = 64 * 1024;

/// Puts lines together.
pub(super) struct Lines {
    /// The beginning of a line.
    rest: Vec<u8>,
    /// The beginning of the line in `rest` was told already.
    is_inside: bool,
    /// That line was told before, and is left out.
    is_known: bool,
    /// The time of the last line.
    last: Option<Timestamp>,
    /// Lines up to then were told before a connection broke off.
    known: Option<Timestamp>,
    shows_times: bool,
}

impl Lines {
    /// Lines said after `after`, with their times if `shows_times`.
    pub fn new(after: Option<Timestamp>, shows_times: bool) -> Self {
        Self { rest: Vec::new(), is_inside: false, is_known: false, last: after, known: after, shows_times }
    }

    /// The time of the last line.
    pub fn last(&self) -> Option<Timestamp> {
        self.last
    }

    /// The same in RFC 3339; empty if there is none.
    pub fn upto(&self) -> String {
        self.last.map(|last| last.to_string()).unwrap_or_default()
    }

    /// The lines that `bytes` complete.
    pub fn take(&mut self, bytes: &[u8]) -> String {
        let mut told = String::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.rest.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.rest.len() >= LINE_MAX {
                self.tell(&mut told);
            }
        }
        told
    }

    /// What is left when there is no more.
    pub fn finish(&mut self) -> String {
        let mut told = String::new();
        if !self.rest.is_empty() {
            self.tell(&mut told);
        }
        told
    }

    /// Forgets the line that was not completed: it comes again.
    pub fn break_off(&mut self) {
        self.rest.clear();
        self.is_inside = false;
        self.known = self.last;
    }

    fn tell(&mut self, told: &mut String) {
        let line = std::mem::take(&mut self.rest);
        let is_whole = line.ends_with(b"\n");
        let text = String::from_utf8_lossy(&line);
        let mut said = text.as_ref();
        if !self.is_inside {
            let parts = text.split_once(' ');
            let time = parts.and_then(|(time, rest)| Some((time.parse::<Timestamp>().ok()?, rest)));
            if let Some((time, rest)) = time {
                self.is_known = self.known.is_some_and(|known| time <= known);
                self.last = self.last.max(Some(time));
                said = if self.shows_times { &text } else { rest };
            } else {
                self.is_known = false;
            }
        }
        if !self.is_known {
            told.push_str(said);
        }
        self.is_inside = !is_whole;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "2026-01-01T00:00:01.5Z one\n2026-01-01T00:00:02Z two \u{1b}[31mred\u{1b}[0m é\n\
                        2026-01-01T00:00:03Z \nno time\n";

    #[test]
    fn lines_are_put_together_wherever_they_are_cut() {
        for cut in 0..SAID.len() {
            let mut lines = Lines::new(None, false);
            let (a, b) = SAID.as_bytes().split_at(cut);
            let told = lines.take(a) + &lines.take(b) + &lines.finish();
            assert_eq!(told, "one\ntwo \u{1b}[31mred\u{1b}[0m é\n\nno time\n", "{cut}");
            assert_eq!(lines.upto(), "2026-01-01T00:00:03Z");
        }
    }

    #[test]
    fn their_times_are_shown_if_they_are_wanted() {
        assert_eq!(Lines::new(None, true).take(SAID.as_bytes()), SAID);
    }

    #[test]
    fn after_a_break_nothing_is_told_twice_and_nothing_is_lost() {
        let mut lines = Lines::new(None, false);
        assert_eq!(lines.take(b"2026-01-01T00:00:01.5Z one\n2026-01-01T00:00:02Z tw"), "one\n");
        lines.break_off();
        assert_eq!(lines.take(SAID.as_bytes()), "two \u{1b}[31mred\u{1b}[0m é\n\nno time\n");
    }

    #[test]
    fn it_goes_on_after_the_time_that_was_told() {
        let mut first = Lines::new(None, false);
        first.take(b"2026-01-01T00:00:01.500000001Z one\n");
        let after = first.upto().parse().unwrap();
        let mut next = Lines::new(Some(after), false);
        assert_eq!(
            next.take(b"2026-01-01T00:00:01.500000001Z one\n2026-01-01T00:00:01.500000002Z two\n"),
            "two\n"
        );
    }

    #[test]
    fn an_endless_line_is_told_in_pieces() {
        let mut lines = Lines::new(None, false);
        let mut told = lines.take(b"2026-01-01T00:00:01Z ");
        for _ in 0..100 {
            told += &lines.take(&[b'x'; 1024]);
        }
        assert!(told.len() >= LINE_MAX - 100, "{}", told.len());
        told += &lines.take(b"\n");
        assert_eq!(told, "x".repeat(100 * 1024) + "\n");
    }
}
