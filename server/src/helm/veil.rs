//! Keeps a chart's credentials out of what helm says: it repeats the address that it was given in its errors.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::operations::ResolvedChart;

/// What Go writes as `%XX` in a user's name and password, however they were written (`net/url`, `encodeUserPassword`).
const ENCODED_BY_GO: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// Takes the credentials of one chart's address out of a stream of bytes, however that is cut.
pub(super) struct Veil {
    /// `user:password@`, as it was written and as Go writes it, and `?query`, which may hold a token.
    hidden: Vec<Vec<u8>>,
    /// What may be the beginning of one.
    held: Vec<u8>,
}

impl Veil {
    /// For the address of `chart`.
    pub fn of(chart: Option<&ResolvedChart>) -> Self {
        let url = match chart {
            Some(ResolvedChart::Repository { url, .. } | ResolvedChart::Url { url }) => url.as_str(),
            None => "",
        };
        let url = url.split('#').next().unwrap_or_default();
        let (url, query) = url.split_at(url.find('?').unwrap_or(url.len()));
        let authority = url.split_once("://").and_then(|(_, rest)| rest.split('/').next());
        let user = authority.and_then(|authority| authority.rsplit_once('@')).map(|(user, _)| user);
        let users = user.into_iter().flat_map(|user| [user.to_owned(), as_go_writes(user)]);
        let mut hidden: Vec<String> = users.filter(|user| !user.is_empty()).map(|user| user + "@").collect();
        hidden.dedup();
        hidden.extend((query.len() > 1).then(|| query.to_owned()));
        Self { hidden: hidden.into_iter().map(String::into_bytes).collect(), held: Vec::new() }
    }

    /// The next bytes without what is hidden; the last few may wait for the next call.
    pub fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        let Some(longest) = self.hidden.iter().map(Vec::len).max() else { return bytes.to_vec() };
        self.held.extend_from_slice(bytes);
        for hidden in &self.hidden {
            while let Some(at) = self.held.windows(hidden.len()).position(|window| window == hidden) {
                self.held.drain(at..at + hidden.len());
            }
        }
        let sure = self.held.len().saturating_sub(longest - 1);
        self.held.drain(..sure).collect()
    }

    /// What still waits, at the end.
    pub fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }
}

/// `user:password` as Go writes it that has read it.
fn as_go_writes(user: &str) -> String {
    let part = |text: &str| {
        let decoded = percent_decode_str(text).decode_utf8_lossy();
        utf8_percent_encode(&decoded, ENCODED_BY_GO).to_string()
    };
    match user.split_once(':') {
        Some((name, password)) => format!("{}:{}", part(name), part(password)),
        None => part(user),
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
    fn what_go_writes_in_another_way_is_taken_out_as_well() {
        for (url, said) in [
            ("https://me:s%3ac@host/x", "https://me:s%3ac@host/x and https://me:s%3Ac@host/x"),
            ("https://me:a!b%41@host/x", "https://me:a%21bA@host/x and https://me:a!b%41@host/x"),
            ("https://me:$&+,;=@host/x", "https://me:$&+,;=@host/x and https://me:$&+,;=@host/x"),
            ("https://a%40b@host/x", "https://a%40b@host/x and https://a%40b@host/x"),
        ] {
            assert_eq!(passed(url, &[said]), "https://host/x and https://host/x", "{url}");
        }
    }

    #[test]
    fn a_query_is_taken_out_wherever_the_stream_is_cut() {
        let said =
            "Error: failed to fetch https://me:secret@host/x.tgz?token=a%2fb&c : 403 Forbidden (what?)\n";
        let expected = "Error: failed to fetch https://host/x.tgz : 403 Forbidden (what?)\n";
        for cut in 0..said.len() {
            let (a, b) = said.split_at(cut);
            assert_eq!(passed("https://me:secret@host/x.tgz?token=a%2fb&c#part", &[a, b]), expected, "{cut}");
        }
    }

    #[test]
    fn without_credentials_nothing_waits_and_nothing_changes() {
        let mut veil = Veil::of(Some(&ResolvedChart::Url { url: "https://host/a@b".into() }));
        assert_eq!(veil.pass(b"https://host/a@b"), b"https://host/a@b");
        assert_eq!(passed("https://host/a?#b", &["what?"]), "what?");
        assert_eq!(Veil::of(None).pass(b"x"), b"x");
    }
}
