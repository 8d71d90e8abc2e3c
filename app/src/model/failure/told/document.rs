//! The tables as a page for users; `app/tests/failures.rs` holds docs/failures.md to it.

use super::retry::{Again, CRD_RETRIES, CRD_YOUNG_SECONDS, TERMINATING_SECONDS};
use super::tables::{Rule, TABLES};
use crate::model::{FailureClass, NextAction};

const HEAD: &str = "# Why an operation failed

Slipway reads the error that helm ends with, takes off the words that helm puts before it (`Error: INSTALLATION FAILED: `
and the like), takes apart what helm joins to one text, and looks each error up in these tables, from the top. If one of
several errors lasts, the whole lasts. **A text that is in no table is shown as it is and never tried again by itself.**
helm's own text is always there, unabridged up to 16 KiB.

This page is generated: `SLIPWAY_WRITE_DOCS=1 cargo test -p app --features ssr --test failures`.
";

/// The tables in Markdown.
pub fn document() -> String {
    let tables = TABLES.iter().map(|(title, rules)| {
        let rows: String = rules.iter().map(row).collect();
        format!(
            "\n## {title}\n\n| helm's text has | it means | class | Slipway | what to do | it offers |\n\
             | --- | --- | --- | --- | --- | --- |\n{rows}"
        )
    });
    HEAD.to_owned() + &tables.collect::<String>()
}

fn row(rule: &Rule) -> String {
    let (text, class, does) = (pattern(rule), class(rule.class), does(rule));
    let cause = ["{1}", "{2}", "{changing}", "{kind}", "{right}", "{said}", "{refused}", "{wrong}"]
        .iter()
        .fold(rule.cause.to_owned(), |cause, place| cause.replace(place, "…"));
    let offers: Vec<_> = rule.next.iter().copied().map(NextAction::label).collect();
    format!("| {text} | {cause} | {class} | {does} | {} | {} |\n", rule.advice, offers.join(", "))
}

/// `a` … `b` or `c`
fn pattern(rule: &Rule) -> String {
    let code = |words: &&str| format!("`{}`", words.trim_start_matches('^').trim().replace('|', "\\|"));
    let all = rule.all.iter().map(code).collect::<Vec<_>>().join(" … ");
    let any = rule.any.iter().map(code).collect::<Vec<_>>().join(" or ");
    match (all.is_empty(), any.is_empty()) {
        (false, false) => format!("{all} with {any}"),
        _ => all + &any,
    }
}

fn class(class: FailureClass) -> &'static str {
    match class {
        FailureClass::Transient => "transient",
        FailureClass::Permanent => "permanent",
        FailureClass::Locked => "locked",
        FailureClass::TimedOut => "timed out",
        FailureClass::Hook => "hook failed",
        FailureClass::Test => "test failed",
        FailureClass::Cancelled => "cancelled",
        FailureClass::Interrupted => "interrupted",
        FailureClass::Unknown => "unknown",
    }
}

fn does(rule: &Rule) -> String {
    match (rule.again, rule.class) {
        (Again::Bounded, _) => "tries again, a few times".to_owned(),
        (Again::WhileTerminating, _) => format!("tries again, for {} minutes", TERMINATING_SECONDS / 60),
        (Again::IfCrdIsYoung, _) => format!(
            "stops; if the custom resource definition is younger than {CRD_YOUNG_SECONDS} s, tries again up to \
             {CRD_RETRIES} times"
        ),
        (Again::No, FailureClass::TimedOut) => "stops, and goes on watching".to_owned(),
        (Again::No, _) => "stops".to_owned(),
    }
}
