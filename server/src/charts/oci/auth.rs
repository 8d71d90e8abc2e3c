//! How a registry says who may come in, and where tokens are had (RFC 9110, section 11; the distribution project's token
//! specification).

use serde::Deserialize;
use url::Url;

/// The longest token; those of the cloud's registries have some KiB.
const TOKEN_MAX: usize = 64 * 1024;

/// What a registry wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Challenge {
    /// User and password.
    Basic,
    /// A token, which somebody hands out.
    Bearer {
        /// Who.
        realm: String,
        /// For which service.
        service: Option<String>,
        /// To do what.
        scope: Option<String>,
    },
}

/// The challenges of a `WWW-Authenticate` header that we can answer.
pub fn challenges(header: &str) -> Vec<Challenge> {
    let mut found = Vec::new();
    let mut rest = header.trim_start();
    while !rest.is_empty() {
        let end = rest.find([' ', ',']).unwrap_or(rest.len());
        let (scheme, after) = rest.split_at(end);
        let (parameters, after) = parameters(after);
        let parameter = |wanted: &str| {
            let found = parameters.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            found.map(|(_, value)| value.clone())
        };
        if scheme.eq_ignore_ascii_case("basic") {
            found.push(Challenge::Basic);
        } else if scheme.eq_ignore_ascii_case("bearer")
            && let Some(realm) = parameter("realm")
        {
            let (service, scope) = (parameter("service"), parameter("scope"));
            found.push(Challenge::Bearer { realm, service, scope });
        }
        // What makes no progress is no challenge.
        if after.len() >= rest.len() {
            break;
        }
        rest = after;
    }
    found
}

/// The parameters that follow a scheme, and what follows them: the next scheme.
fn parameters(text: &str) -> (Vec<(String, String)>, &str) {
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches([' ', ',']);
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.trim();
        // A space within: this name is a scheme's already.
        if name.is_empty() || name.contains([' ', ',', '"']) {
            break;
        }
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted_text(quoted),
            None => {
                let (value, after) = after.split_at(after.find([',', ' ']).unwrap_or(after.len()));
                (value.to_owned(), after)
            }
        };
        found.push((name.to_owned(), value));
        rest = after.trim_start_matches([' ', ',']);
    }
    (found, rest)
}

fn quoted_text(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, text.get(at + 1..).unwrap_or_default()),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            plain => value.push(plain),
        }
    }
    (value, "")
}

/// Where the token is had.
pub fn token_url(realm: &str, service: Option<&str>, scope: Option<&str>) -> Option<Url> {
    let mut url = Url::parse(realm).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    {
        let mut query = url.query_pairs_mut();
        for (name, value) in [("service", service), ("scope", scope)] {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
    }
    Some(url)
}

/// The token in an answer of whoever hands them out.
pub fn token(answer: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Answer {
        token: Option<String>,
        access_token: Option<String>,
    }
    let answer: Answer = serde_json::from_slice(answer).ok()?;
    let tokens = [answer.token, answer.access_token].into_iter().flatten();
    let is_usable = |token: &String| !token.is_empty() && token.len() <= TOKEN_MAX;
    tokens.into_iter().find(is_usable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bearer(realm: &str, service: Option<&str>, scope: Option<&str>) -> Challenge {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Challenge::Bearer { realm: realm.into(), service: owned(service), scope: owned(scope) }
    }

    #[test]
    fn challenges_are_read_as_registries_write_them() {
        for (header, expected) in [
            ("Basic realm=\"r\"", vec![Challenge::Basic]),
            ("basic", vec![Challenge::Basic]),
            (
                "Bearer realm=\"https://auth.example/token\",service=\"registry\",scope=\"repository:a/b:pull,push\"",
                vec![bearer(
                    "https://auth.example/token",
                    Some("registry"),
                    Some("repository:a/b:pull,push"),
                )],
            ),
            (
                "Bearer realm=https://auth.example/token",
                vec![bearer("https://auth.example/token", None, None)],
            ),
            ("Bearer realm=\"x\", service=\"a \\\"b\\\"\"", vec![bearer("x", Some("a \"b\""), None)]),
            ("Basic realm=\"r\", Bearer realm=\"x\"", vec![Challenge::Basic, bearer("x", None, None)]),
            ("Negotiate, Basic realm=\"r\"", vec![Challenge::Basic]),
            ("Bearer service=\"no realm\"", vec![]),
            ("", vec![]),
            ("Bearer realm=\"never closed", vec![bearer("never closed", None, None)]),
            ("=", vec![]),
        ] {
            assert_eq!(challenges(header), expected, "{header}");
        }
    }

    #[test]
    fn a_token_is_asked_for_by_service_and_scope() {
        let url = token_url("https://auth/token?a=b", Some("r g"), Some("repository:x:pull")).unwrap();
        assert_eq!(url.as_str(), "https://auth/token?a=b&service=r+g&scope=repository%3Ax%3Apull");
        for realm in ["file:///etc/passwd", "token", "https://me:secret@auth/"] {
            assert_eq!(token_url(realm, None, None), None, "{realm}");
        }
    }

    #[test]
    fn a_token_has_one_of_two_names() {
        assert_eq!(token(br#"{"token":"a","access_token":"b"}"#).as_deref(), Some("a"));
        assert_eq!(token(br#"{"access_token":"b"}"#).as_deref(), Some("b"));
        for nothing in ["{}", r#"{"token":""}"#, "<html>", r#"{"token":1}"#] {
            assert_eq!(token(nothing.as_bytes()), None, "{nothing}");
        }
    }
}
