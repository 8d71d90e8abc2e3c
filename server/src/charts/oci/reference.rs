//! What names a chart in a registry.

use url::Url;

use crate::charts::fetch::FetchError;
use crate::credentials::is_loopback;

/// The longest path and host together, in characters (OCI distribution specification, "Pulling manifests").
const NAME_MAX: usize = 255;

/// A chart in a registry, `oci://host/path/chart`; or a place where charts are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The registry, with its port if it has one.
    pub host: String,
    /// The path of the chart there.
    pub path: String,
    /// The version that was named with it.
    pub version: Option<String>,
}

impl Reference {
    /// Reads a reference. A tag behind it is taken for the version.
    ///
    /// # Errors
    /// In words.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let rest = text.strip_prefix("oci://").ok_or("A chart in a registry starts with oci://.")?;
        if rest.contains('@') {
            return Err(
                "Leave out user names and digests: credentials are a repository’s, and a version names the chart.",
            );
        }
        if rest.contains(['?', '#']) {
            return Err("An address in a registry has no query.");
        }
        let (host, path) =
            rest.split_once('/').ok_or("The path of the chart is missing: oci://registry/path/chart.")?;
        let (path, tag) = match path.rsplit_once(':') {
            Some((path, tag)) => (path, Some(tag)),
            None => (path, None),
        };
        let path = path.trim_end_matches('/');
        if !is_host(host) {
            return Err("The registry’s name cannot be read.");
        }
        if path.is_empty() || host.len() + path.len() > NAME_MAX || !path.split('/').all(is_component) {
            return Err(
                "A path in a registry has lower-case letters and digits, with single '.', '_' or '-' between them.",
            );
        }
        let version = tag.map(version_of);
        if version.as_deref().is_some_and(|version| !is_tag(&tag_of(version))) {
            return Err("The version behind the ':' cannot be read.");
        }
        Ok(Self { host: host.to_owned(), path: path.to_owned(), version })
    }

    /// Without the version: `oci://host/path/chart`.
    pub fn address(&self) -> String {
        format!("oci://{}/{}", self.host, self.path)
    }

    /// The chart `name` below this place.
    pub fn child(&self, name: &str) -> Self {
        Self { host: self.host.clone(), path: format!("{}/{name}", self.path), version: None }
    }

    /// The address of the registry's API, `/v2/` with `path` behind it. Registries on this machine are spoken to in plain
    /// HTTP, as helm's `--plain-http` has it; all others over HTTPS.
    ///
    /// # Errors
    /// When that makes no address.
    pub fn api(&self, path: &str) -> Result<Url, FetchError> {
        let unusable = |_| FetchError::Unusable("its address cannot be read".into());
        let url = Url::parse(&format!("https://{}/v2/{path}", self.host)).map_err(unusable)?;
        if !is_loopback(&url) {
            return Ok(url);
        }
        Url::parse(&format!("http://{}/v2/{path}", self.host)).map_err(unusable)
    }

    /// Whether its registry is on this machine.
    pub fn is_local(&self) -> bool {
        Url::parse(&format!("https://{}/", self.host)).is_ok_and(|url| is_loopback(&url))
    }
}

/// The tag of a version: tags have no `+`, so helm writes `_` for it.
pub fn tag_of(version: &str) -> String {
    version.replace('+', "_")
}

/// The version that a tag stands for. Its `v`, if it has one, stays: helm pulls the tag that it is given.
pub fn version_of(tag: &str) -> String {
    tag.replace('_', "+")
}

/// Whether it is a SHA-256 digest as manifests write them.
pub fn is_digest(text: &str) -> bool {
    let digits = text.strip_prefix("sha256:");
    digits.is_some_and(|digits| digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

fn is_host(host: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
    let parsed = || Url::parse(&format!("https://{host}/")).ok();
    !host.is_empty() && host.chars().all(plain) && parsed().is_some_and(|url| url.has_host())
}

/// `[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*`
fn is_component(part: &str) -> bool {
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
    let doubled = ["..", "._", "_.", ".-", "-.", "_-", "-_", "___"];
    edge(part.chars().next())
        && edge(part.chars().next_back())
        && part.chars().all(inner)
        && !doubled.iter().any(|pair| part.contains(pair))
}

/// `[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}`
fn is_tag(tag: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    (1..=128).contains(&tag.len()) && tag.chars().all(plain) && !tag.starts_with(['.', '-'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_a_registry_a_path_and_perhaps_a_version() {
        for (text, host, path, version) in [
            ("oci://registry.example.org/charts/web", "registry.example.org", "charts/web", None),
            ("oci://localhost:5000/web", "localhost:5000", "web", None),
            ("oci://[::1]:5000/a/b__c/web-x", "[::1]:5000", "a/b__c/web-x", None),
            ("oci://r.io/web:1.2.3", "r.io", "web", Some("1.2.3")),
            ("oci://r.io/web:v1.2.3_b.5", "r.io", "web", Some("v1.2.3+b.5")),
            ("oci://r.io/web:1.2.3+b.5", "r.io", "web", Some("1.2.3+b.5")),
            ("oci://r.io/charts/", "r.io", "charts", None),
        ] {
            let reference = Reference::parse(text).unwrap();
            assert_eq!((reference.host.as_str(), reference.path.as_str()), (host, path), "{text}");
            assert_eq!(reference.version.as_deref(), version, "{text}");
        }
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in [
            "https://r.io/web",
            "oci://r.io",
            "oci://r.io/",
            "oci:///web",
            "oci://me:secret@r.io/web",
            "oci://r.io/web@sha256:00",
            "oci://r.io/Web",
            "oci://r.io/../web",
            "oci://r.io/a//web",
            "oci://r.io/-web",
            "oci://r.io/web:",
            "oci://r.io/web:a b",
            "oci://r.io/web?a=b",
            "oci://r.io:port/web",
            "oci://r.io\\evil/web",
        ] {
            assert!(Reference::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_version_and_its_tag_are_told_apart_and_a_v_stays() {
        for (version, tag) in [("1.2.3", "1.2.3"), ("v1.2.3", "v1.2.3"), ("1.2.3+b.5", "1.2.3_b.5")] {
            assert_eq!((tag_of(version).as_str(), version_of(tag).as_str()), (tag, version));
        }
    }

    #[test]
    fn only_a_registry_on_this_machine_is_spoken_to_in_plain_http() {
        for (text, api) in [
            ("oci://127.0.0.1:5000/web", "http://127.0.0.1:5000/v2/x"),
            ("oci://localhost/web", "http://localhost/v2/x"),
            ("oci://r.io:5000/web", "https://r.io:5000/v2/x"),
            ("oci://localhost.example.org/web", "https://localhost.example.org/v2/x"),
        ] {
            assert_eq!(Reference::parse(text).unwrap().api("x").unwrap().as_str(), api);
        }
    }
}
