//! Who may talk to the cluster: users with tokens, their kubeconfigs, and the key that signs service account tokens.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::Error;

/// A user that the API server knows by a bearer token.
#[derive(Debug, Clone)]
pub struct User {
    /// The name that RBAC sees.
    pub name: String,
    /// The groups that RBAC sees, besides `system:authenticated`.
    pub groups: Vec<String>,
}

impl User {
    /// A user in no group.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), groups: Vec::new() }
    }

    /// The same user in one more group.
    #[must_use]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.groups.push(group.into());
        self
    }
}

/// The users of one cluster with their tokens.
pub(super) struct Identities(Vec<(User, String)>);

impl Identities {
    pub(super) fn new(users: &[User]) -> Result<Self, Error> {
        let admin = User::new("admin").group("system:masters");
        let all = std::iter::once(&admin).chain(users);
        all.map(|user| Ok((user.clone(), token()?))).collect::<Result<_, Error>>().map(Self)
    }

    pub(super) fn token(&self, name: &str) -> Result<&str, Error> {
        let known = self.0.iter().find(|(user, _)| user.name == name);
        known.map(|(_, token)| token.as_str()).ok_or_else(|| Error::UnknownUser(name.to_owned()))
    }

    /// The API server's token file.
    pub(super) fn token_file(&self) -> String {
        let line = |(user, token): &(User, String)| {
            format!("{token},{name},{name},\"{groups}\"\n", name = user.name, groups = user.groups.join(","))
        };
        self.0.iter().map(line).collect()
    }

    /// Writes `<user>.kubeconfig` for each user.
    pub(super) fn write_kubeconfigs(
        &self,
        folder: &Path,
        url: &str,
        certificate: &[u8],
    ) -> Result<(), Error> {
        for (user, token) in &self.0 {
            // JSON is YAML.
            let file = json!({
                "apiVersion": "v1",
                "kind": "Config",
                "clusters": [{ "name": "testbed", "cluster": {
                    "server": url,
                    "certificate-authority-data": STANDARD.encode(certificate),
                }}],
                "users": [{ "name": user.name, "user": { "token": token } }],
                "contexts": [{ "name": "testbed", "context": { "cluster": "testbed", "user": user.name } }],
                "current-context": "testbed",
            });
            private(&folder.join(format!("{}.kubeconfig", user.name)), format!("{file:#}\n").as_bytes())?;
        }
        Ok(())
    }
}

/// Writes a file that only its owner can read, from its first moment on.
pub(crate) fn private(path: &Path, content: &[u8]) -> Result<(), Error> {
    if path.exists() {
        fs::remove_file(path)?;
    }
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?.write_all(content)?;
    Ok(())
}

/// A new P-256 key in PEM. Its encoding (RFC 5915) without the public half, which the reader computes, is a constant
/// around 32 random bytes.
pub(super) fn service_account_key() -> Result<String, Error> {
    const BEFORE: [u8; 7] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20];
    const AFTER: [u8; 12] = [0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
    let key = [&BEFORE[..], &random()?, &AFTER[..]].concat();
    Ok(format!("-----BEGIN EC PRIVATE KEY-----\n{}\n-----END EC PRIVATE KEY-----\n", STANDARD.encode(key)))
}

fn token() -> Result<String, Error> {
    Ok(random()?.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn random() -> Result<[u8; 32], Error> {
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}
