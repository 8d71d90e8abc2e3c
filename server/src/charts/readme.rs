//! A chart's README as HTML that can do no harm.

use std::collections::HashSet;

use ammonia::Builder;
use pulldown_cmark::{Options, Parser, html};

/// Renders Markdown; what could run, load from plain HTTP, or pose as our own page is dropped.
pub fn render(markdown: &str) -> String {
    let mut rendered = String::with_capacity(markdown.len() * 3 / 2);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    html::push_html(&mut rendered, Parser::new_ext(markdown, options));
    Builder::default()
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .link_rel(Some("noopener noreferrer nofollow"))
        .set_tag_attribute_value("a", "target", "_blank")
        .attribute_filter(|element, attribute, value| {
            let plain_image = element == "img" && attribute == "src" && !value.starts_with("https://");
            (!plain_image).then_some(value.into())
        })
        .clean(&rendered)
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html() {
        let html = render("# Web\n\n| a | b |\n|---|---|\n| 1 | 2 |\n");
        assert!(html.contains("<h1>Web</h1>") && html.contains("<table>"), "{html}");
    }

    #[test]
    fn nothing_in_it_can_run_or_load_in_the_clear() {
        for markdown in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "[x](javascript:alert(1))",
            "![x](http://tracker.example/p.png)",
            "<iframe src=https://evil.example></iframe>",
            "<form action=https://evil.example><input></form>",
            "<style>body{display:none}</style>",
        ] {
            let html = render(markdown);
            for word in ["<script", "onerror", "javascript:", "http://tracker", "<iframe", "<form", "<style"]
            {
                assert!(!html.contains(word), "{markdown} became {html}");
            }
        }
    }

    #[test]
    fn a_link_leaves_by_a_new_tab_and_takes_nothing_along() {
        let html = render("[x](https://example.org)");
        assert!(
            html.contains("target=\"_blank\"") && html.contains("noopener noreferrer nofollow"),
            "{html}"
        );
    }
}
