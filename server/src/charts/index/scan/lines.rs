//! The lines of an index.

use super::Unsure;

/// A line that is neither empty nor a comment.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Where it begins in the text.
    pub start: usize,
    /// How many spaces are before its content.
    pub indent: usize,
    /// What is behind the indent, without white space at its end.
    pub content: &'a str,
}

/// The lines of a text, one after the other.
pub struct Lines<'a> {
    text: &'a str,
    next: usize,
    ahead: Option<Line<'a>>,
}

impl<'a> Lines<'a> {
    /// Those of `text`.
    pub fn of(text: &'a str) -> Self {
        Self { text, next: 0, ahead: None }
    }

    /// The next line, which stays the next one.
    pub fn peek(&mut self) -> Result<Option<Line<'a>>, Unsure> {
        while self.ahead.is_none() && self.next < self.text.len() {
            let start = self.next;
            let rest = self.text.get(start..).unwrap_or_default();
            let length = rest.find('\n').unwrap_or(rest.len());
            self.next = start + length + 1;
            let line = rest.get(..length).unwrap_or_default();
            let content = line.trim_start_matches(' ');
            let indent = line.len() - content.len();
            let content = content.trim_end_matches([' ', '\r']);
            if content.starts_with('\t') || content.contains('\r') {
                return Err(Unsure);
            }
            if !content.is_empty() && !content.starts_with('#') {
                self.ahead = Some(Line { start, indent, content });
            }
        }
        Ok(self.ahead)
    }

    /// Goes on to the next one.
    pub fn take(&mut self) {
        self.ahead = None;
    }

    /// Steps over all lines that belong to a key at `indent`: those below it, and a list beside it. Gives where they end.
    pub fn skip_value(&mut self, indent: usize) -> Result<usize, Unsure> {
        while let Some(line) = self.peek()? {
            let is_item = line.indent == indent && is_item(line.content);
            if line.indent <= indent && !is_item {
                return Ok(line.start);
            }
            self.take();
        }
        Ok(self.text.len())
    }
}

/// Whether it is one of a list.
pub fn is_item(content: &str) -> bool {
    content == "-" || content.starts_with("- ")
}
