//! The next steps of a rule, with what a text says about them.

use super::refused;
use super::words::between;
use crate::model::{NextAction, NextStep};

/// `actions` as steps; one that the text gives no ground for is left out.
pub(super) fn of(actions: &[NextAction], text: &str) -> Vec<NextStep> {
    actions.iter().filter_map(|action| step(*action, text)).collect()
}

fn step(action: NextAction, text: &str) -> Option<NextStep> {
    let step = NextStep::from(action);
    match action {
        NextAction::OpenOwner => {
            let owner = |what| {
                let key = format!("key \"meta.helm.sh/release-{what}\" must equal \"");
                let (_, rest) = text.split_once(&key)?;
                between(rest, "\": current value is \"", "\"").filter(|it| !it.is_empty()).map(str::to_owned)
            };
            let (name, namespace) = (owner("name"), owner("namespace"));
            (name.is_some() || namespace.is_some()).then_some(NextStep { name, namespace, ..step })
        }
        NextAction::EditValues => Some(match refused::first_field(text) {
            Some((chart, field)) => NextStep { chart, field: Some(field), ..step },
            None => NextStep { field: used_by_template(text), line: line(text), ..step },
        }),
        _ => Some(step),
    }
}

/// `… at <.Values.image.tag>: nil pointer evaluating …`
fn used_by_template(text: &str) -> Option<String> {
    let path = between(text, " at <.Values.", ">")?;
    let is_path = path.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-'));
    (is_path && !path.is_empty()).then(|| path.to_owned())
}

/// The line of the values themselves; the lines of a template, or of what it renders to, are not a user's.
fn line(text: &str) -> Option<u32> {
    let text = text.starts_with("failed to parse ").then_some(text)?;
    between(text, "yaml: line ", ":")?.parse().ok()
}
