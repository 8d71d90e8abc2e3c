//! Keeps a repository's credentials out of what helm says: it repeats the address that it was given in its errors, and a
//! server may repeat what it was sent.

use crate::operations::{ResolvedChart, Task};

/// Shorter ones are words that helm may say for other reasons; whoever has such a password has none.
const SHORTEST: usize = 6;

/// Takes the credentials of one chart's repository out of a stream of bytes, however that is cut.
pub(super) struct Veil {
    /// `user:password@` of an address, passwords, tokens, and what is made of them. The longest first, for one may be a part of
    /// another.
    hidden: Vec<Vec<u8>>,
    /// What may be the beginning of one.
    held: Vec<u8>,
}

impl Veil {
    /// For the chart of `task`.
    pub fn of(task: &Task) -> Self {
        let url = match &task.chart {
            Some(ResolvedChart::Repository { url, .. } | ResolvedChart::Url { url }) => url.as_str(),
            _ => "",
        };
        let authority = url.split_once("://").and_then(|(_, rest)| rest.split('/').next());
        let user = authority.and_then(|authority| authority.rsplit_once('@')).map(|(user, _)| user);
        let user = user.filter(|user| !user.is_empty()).map(|user| format!("{user}@"));
        let secrets = task.credentials.secrets().map(str::to_owned).chain(task.credentials.basic());
        let secrets = secrets.filter(|secret| secret.len() >= SHORTEST);
        let mut hidden: Vec<_> = user.into_iter().chain(secrets).map(String::into_bytes).collect();
        hidden.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self { hidden, held: Vec::new() }
    }

    /// The next bytes without what is hidden; the last few may wait for the next call.
    pub fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        let Some(longest) = self.hidden.first().map(Vec::len) else { return bytes.to_vec() };
        self.held.extend_from_slice(bytes);
        for secret in &self.hidden {
            let length = secret.len();
            while let Some(at) = self.held.windows(length).position(|window| window == secret) {
                self.held.drain(at..at + length);
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

#[cfg(test)]
mod tests {
    use app::model::{OperationId, OperationKind, OperationOptions, ReleaseKey};

    use super::*;
    use crate::credentials::RepositoryCredentials;

    fn veil(url: &str, credentials: RepositoryCredentials) -> Veil {
        Veil::of(&Task {
            id: OperationId("id-1".into()),
            kind: OperationKind::Install,
            release: ReleaseKey::new("shop", "front"),
            chart: Some(ResolvedChart::Url { url: url.into() }),
            credentials,
            options: OperationOptions::default(),
            values: String::new(),
            replace: false,
        })
    }

    fn passed(mut veil: Veil, pieces: &[&str]) -> String {
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
            let veil = veil("https://me:secret@host/x", RepositoryCredentials::default());
            assert_eq!(passed(veil, &[a, b]), expected, "{cut}");
        }
    }

    #[test]
    fn so_are_passwords_and_tokens_that_are_in_no_address() {
        let said = "denied: hunter22 (Basic bWU6aHVudGVyMjI=) hunter2";
        for cut in 0..said.len() {
            let (a, b) = said.split_at(cut);
            let credentials = RepositoryCredentials {
                username: Some("me".into()),
                password: Some("hunter22".into()),
                ..RepositoryCredentials::default()
            };
            assert_eq!(
                passed(veil("https://host/x", credentials), &[a, b]),
                "denied:  (Basic ) hunter2",
                "{cut}"
            );
        }
    }

    #[test]
    fn without_credentials_nothing_waits_and_nothing_changes() {
        let mut veil = veil("https://host/a@b", RepositoryCredentials::default());
        assert_eq!(veil.pass(b"https://host/a@b"), b"https://host/a@b");
    }
}
