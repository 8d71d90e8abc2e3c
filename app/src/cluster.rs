//! The cluster that the page is about: the same for as long as the page is open. It is the beginning of every address, of a
//! page as of a call (`/c/{cluster}`), and part of each key under which the browser keeps something of that cluster. Another
//! cluster is another page, loaded anew: nothing of this one is left in it.

use std::sync::OnceLock;

use crate::ui::address::{decode, encode, in_bar};

/// What the address of a cluster begins with.
const PREFIX: &str = "/c/";

/// `/c/{cluster}` as the address had it when the page was loaded; empty where it named none.
pub fn prefix() -> &'static str {
    static HERE: OnceLock<String> = OnceLock::new();
    HERE.get_or_init(|| {
        // Outside of a browser there is no address.
        let path = if cfg!(target_arch = "wasm32") { in_bar().0 } else { String::new() };
        prefix_of(&path).to_owned()
    })
}

/// The cluster's name; empty where the address named none.
pub fn name() -> String {
    decode(prefix().get(PREFIX.len()..).unwrap_or_default())
}

/// The address of `path` in this cluster.
pub fn address(path: &str) -> String {
    [prefix(), path].concat()
}

/// The path of an address of this cluster; none if it is another one's.
pub fn path(address: &str) -> Option<&str> {
    let path = address.strip_prefix(prefix())?;
    (path.is_empty() || path.starts_with('/')).then_some(path)
}

/// The address in the cluster `name` of what has this address here.
pub fn elsewhere(name: &str, address: &str) -> String {
    [PREFIX, &encode(name), path(address).unwrap_or("/")].concat()
}

/// The key of something that is kept in the browser and is about this cluster.
pub fn key(name: &str) -> String {
    [name, "@", prefix()].concat()
}

fn prefix_of(path: &str) -> &str {
    let end = |rest: &str| PREFIX.len() + rest.find('/').unwrap_or(rest.len());
    path.strip_prefix(PREFIX).map_or("", |rest| &path[..end(rest)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cluster_is_the_beginning_of_the_address_as_it_was_written() {
        for (path, expected) in [
            ("/c/kind-a/helm/ns/b/releases", "/c/kind-a"),
            ("/c/default%2Fapi%3A6443/helm", "/c/default%2Fapi%3A6443"),
            ("/c/kind-a", "/c/kind-a"),
            ("/c/kind-a/", "/c/kind-a"),
            ("/helm/ns/c/releases", ""),
            ("/charts", ""),
            ("/", ""),
        ] {
            assert_eq!(prefix_of(path), expected, "{path}");
        }
    }

    #[test]
    fn the_same_page_of_another_cluster_has_the_same_path() {
        assert_eq!(elsewhere("a/b", "/helm/ns/x/releases"), "/c/a%2Fb/helm/ns/x/releases");
        assert_eq!(prefix_of(&elsewhere("a/b", "/")), "/c/a%2Fb");
    }
}
