//! docs/failures.md says what the tables of known failures say.

#![cfg(feature = "ssr")]
#![allow(clippy::expect_used, reason = "a test fails by a panic")]

use std::path::Path;

#[test]
fn the_page_of_known_failures_is_current() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/failures.md");
    let expected = app::model::failure::document();
    if std::env::var_os("SLIPWAY_WRITE_DOCS").is_some() {
        std::fs::write(&page, &expected).expect("the page is written");
    }
    let written = std::fs::read_to_string(&page).expect("docs/failures.md");
    assert!(
        written == expected,
        "docs/failures.md is not current; write it anew: SLIPWAY_WRITE_DOCS=1 cargo test -p app --features ssr --test failures"
    );
}
