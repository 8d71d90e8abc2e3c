//! The namespaces that were looked at last.

use crate::client::kept;
use crate::model::name::check_namespace;

/// How many are remembered.
const REMEMBERED: usize = 5;
/// What they are kept as.
const KEY: &str = "slipway.namespaces";

/// Notes that a namespace is looked at.
pub fn visit(name: &str) {
    if check_namespace(name).is_ok() {
        kept::write_here(KEY, &with(&visited(), name).join(","));
    }
}

/// The last ones, the very last first.
pub fn visited() -> Vec<String> {
    let kept = kept::read_here(KEY).unwrap_or_default();
    let names = kept.split(',').filter(|name| check_namespace(name).is_ok());
    names.take(REMEMBERED).map(str::to_owned).collect()
}

fn with(visited: &[String], name: &str) -> Vec<String> {
    let others = visited.iter().filter(|other| *other != name).map(String::as_str);
    std::iter::once(name).chain(others).take(REMEMBERED).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::with;

    #[test]
    fn the_last_one_is_first_and_old_ones_are_forgotten() {
        let mut visited = Vec::new();
        for name in ["a", "b", "c", "b", "d", "e", "f"] {
            visited = with(&visited, name);
        }
        assert_eq!(visited, ["f", "e", "d", "b", "c"]);
    }
}
