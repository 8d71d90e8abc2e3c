//! Which addresses out of a chart may reach a page.

use url::Url;

/// The largest icon that is taken inline, as a `data:` address.
const INLINE_ICON_MAX: usize = 64 * 1024;
/// The longest address that is taken; what browsers and proxies generally still carry.
const ADDRESS_MAX: usize = 2_048;

/// An icon's address, if a page may load it: over https, or inline. Browsers run no script in an `<img>`, SVG included.
pub fn icon(address: &str) -> Option<String> {
    let inline = address.starts_with("data:image/") && address.len() <= INLINE_ICON_MAX;
    let plain = address.chars().all(|c| c.is_ascii_graphic());
    (plain && (inline || has_scheme(address, &["https"]))).then(|| address.to_owned())
}

/// A home page's address, if a page may link to it.
pub fn home(address: &str) -> Option<String> {
    has_scheme(address, &["http", "https"]).then(|| address.to_owned())
}

fn has_scheme(address: &str, schemes: &[&str]) -> bool {
    address.len() <= ADDRESS_MAX
        && Url::parse(address).is_ok_and(|url| schemes.contains(&url.scheme()) && url.has_host())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_images_over_https_or_inline_are_icons() {
        for (address, taken) in [
            ("https://example.org/icon.svg", true),
            ("data:image/png;base64,AAAA", true),
            ("http://example.org/icon.png", false),
            ("data:text/html,<script>", false),
            ("javascript:alert(1)", false),
            ("//example.org/icon.png", false),
            ("file:///etc/passwd", false),
            ("data:image/svg+xml,<svg onload='x'>", false),
            ("", false),
        ] {
            assert_eq!(icon(address).is_some(), taken, "{address}");
        }
        assert_eq!(icon(&format!("data:image/png;base64,{}", "A".repeat(INLINE_ICON_MAX))), None);
    }

    #[test]
    fn only_web_pages_are_home_pages() {
        for (address, taken) in [
            ("https://example.org", true),
            ("http://example.org/a", true),
            ("javascript:alert(1)", false),
            ("x", false),
        ] {
            assert_eq!(home(address).is_some(), taken, "{address}");
        }
    }
}
