//! A chart's README as HTML that a page can show. Charts are untrusted: what could run, load or pretend is taken out.

use std::borrow::Cow;
use std::collections::HashSet;

use ammonia::{Builder, UrlRelative};
use pulldown_cmark::{Options, Parser, html};

/// The longest README that is rendered, in bytes; the rest is cut off.
const README_MAX: usize = 512 * 1024;

/// Renders Markdown to sanitised HTML.
pub fn render(markdown: &str) -> String {
    let mut end = README_MAX.min(markdown.len());
    while !markdown.is_char_boundary(end) {
        end -= 1;
    }
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let mut rendered = String::new();
    html::push_html(&mut rendered, Parser::new_ext(&markdown[..end], options));
    sanitiser().clean(&rendered).to_string()
}

fn sanitiser() -> Builder<'static> {
    let mut builder = Builder::default();
    builder
        .url_schemes(HashSet::from(["http", "https", "mailto", "data"]))
        // A relative address would lead into Slipway itself.
        .url_relative(UrlRelative::Deny)
        .link_rel(Some("noopener noreferrer nofollow"))
        .set_tag_attribute_value("a", "target", "_blank")
        .attribute_filter(|element, attribute, value| match (element, attribute) {
            ("img", "src") => {
                (value.starts_with("https:") || value.starts_with("data:image/")).then_some(value.into())
            }
            (_, "href" | "src" | "cite") if value.trim_start().to_ascii_lowercase().starts_with("data:") => {
                None
            }
            _ => Some(Cow::Borrowed(value)),
        });
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html() {
        let html = render("# Web\n\n| a | b |\n|---|---|\n| 1 | `x<y` |\n");
        assert!(html.contains("<h1>Web</h1>") && html.contains("<td>1</td>"), "{html}");
        assert!(html.contains("<code>x&lt;y</code>"), "{html}");
    }

    #[test]
    fn nothing_that_runs_or_pretends_gets_through() {
        for hostile in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "<svg onload=alert(1)></svg>",
            "[a](javascript:alert(1))",
            "[a](data:text/html,<script>alert(1)</script>)",
            "<a href=' DATA:text/html,x'>a</a>",
            "<iframe src=https://example.org></iframe>",
            "<form action=https://example.org><input name=password></form>",
            "<style>body{display:none}</style>",
            "<p style='position:fixed' class=pf id=main>x</p>",
            "<base href=https://example.org>",
            "![a](javascript:alert(1))",
            "<object data=https://example.org></object>",
        ] {
            let html = render(hostile).to_lowercase();
            for bad in [
                "<script",
                "onerror",
                "onload",
                "javascript:",
                "data:",
                "<iframe",
                "<form",
                "<input",
                "<style",
                "style=",
                "class=",
                "id=",
                "<base",
                "<object",
                "src=\"x\"",
            ] {
                assert!(!html.contains(bad), "{hostile} gives {html}");
            }
        }
    }

    #[test]
    fn a_link_opens_elsewhere_and_takes_nothing_along() {
        let html = render("[a](https://example.org)");
        assert!(html.contains(r#"href="https://example.org""#), "{html}");
        assert!(
            html.contains(r#"rel="noopener noreferrer nofollow""#) && html.contains(r#"target="_blank""#),
            "{html}"
        );
    }

    #[test]
    fn a_link_into_slipway_itself_is_no_link() {
        for relative in ["[a](/ns/demo/releases)", "[a](#section)", "[a](//example.org)"] {
            let html = render(relative);
            assert!(!html.contains("href"), "{relative} gives {html}");
        }
    }

    #[test]
    fn images_are_loaded_over_https_or_inline_only() {
        for (markdown, kept) in [
            ("![a](https://example.org/a.png)", true),
            ("![a](data:image/png;base64,AAAA)", true),
            ("![a](http://example.org/a.png)", false),
            ("![a](data:text/html,x)", false),
        ] {
            assert_eq!(render(markdown).contains("src="), kept, "{markdown}");
        }
    }

    #[test]
    fn a_long_readme_is_cut_between_two_characters() {
        let html = render(&"é".repeat(README_MAX));
        assert!(html.len() <= README_MAX + 100 && html.contains('é'));
    }
}
