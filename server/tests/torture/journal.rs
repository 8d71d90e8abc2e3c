//! What happened when, line by line, for whoever wants to know why.

use std::sync::Mutex;

use tokio::time::Instant;

/// The journal of a run.
pub struct Journal {
    began: Instant,
    lines: Mutex<Vec<String>>,
}

impl Journal {
    /// One that begins now.
    pub fn new() -> Self {
        Self { began: Instant::now(), lines: Mutex::default() }
    }

    /// Adds a line.
    pub fn note(&self, what: impl std::fmt::Display) {
        let line = format!("{:8.3} {what}", self.began.elapsed().as_secs_f32());
        self.lines.lock().expect("no panic").push(line);
    }

    /// All of it.
    pub fn text(&self) -> String {
        self.lines.lock().expect("no panic").join("\n")
    }
}
