//! Keeps a repository's credentials out of what helm says: it repeats the address that it was given in its errors.

use crate::operations::ResolvedChart;

/// Takes the credentials of one chart's address out of a stream of bytes, however that is cut.
pub(super) struct Veil {
    /// `user:password@`; empty if the address has none.
    hidden: Vec<u8>,
    /// What may be the beginning of it.
    held: Vec<u8>,
}

impl Veil {
    /// For the address of `chart`.
    pub fn of(chart: Option<&ResolvedChart>) -> Self {
        let url = match chart {
            Some(ResolvedChart::Repository { url, .. } | ResolvedChart::Url { url }) => url.as_str(),
            None => "",
        };
        let authority = url.split_once("://").and_then(|(_, rest)| rest.split('/').next());
        let user = authority.and_then(|authority| authority.rsplit_once('@')).map(|(user, _)| user);
        let hidden = user.filter(|user| !user.is_empty()).map(|user| format!("{user}@").into_bytes());
        Self { hidden: hidden.unwrap_or_default(), held: Vec::new() }
    }

    /// The next bytes without what is hidden; the last few may wait for the next call.
    pub fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        if self.hidden.is_empty() {
            return bytes.to_vec();
        }
        self.held.extend_from_slice(bytes);
        let length = self.hidden.len();
        while let Some(at) = self.held.windows(length).position(|window| window == self.hidden) {
            self.held.drain(at..at + length);
        }
        let sure = self.held.len().saturating_sub(length - 1);
        self.held.drain(..sure).collect()
    }

    /// What still waits, at the end.
    pub fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(url: &str, pieces: &[&str]) -> String {
        let mut veil = Veil::of(Some(&ResolvedChart::Url { url: url.into() }));
        let mut all: Vec<u8> = pieces.iter().flat_map(|piece| veil.pass(piece.as_bytes())).collect();
        all.extend(veil.rest());
        String::from_utf8(all).unwrap()
    }

    #[test]
    fn credentials_are_taken_out_wherever_the_stream_is_cut() {
        let said =
            "Error: looks like \"https://me:secret@host/x\" is not a chart repository: me:secret@host\n";
        let expected = "Error: looks like \"https://host/x\" is not a chart repository: host\n";
        for cut in 0..said.len() {
            let (a, b) = said.split_at(cut);
            assert_eq!(passed("https://me:secret@host/x", &[a, b]), expected, "{cut}");
        }
    }

    #[test]
    fn without_credentials_nothing_waits_and_nothing_changes() {
        let mut veil = Veil::of(Some(&ResolvedChart::Url { url: "https://host/a@b".into() }));
        assert_eq!(veil.pass(b"https://host/a@b"), b"https://host/a@b");
        assert_eq!(Veil::of(None).pass(b"x"), b"x");
    }
}
