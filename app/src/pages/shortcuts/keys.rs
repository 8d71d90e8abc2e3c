//! Which key means what. Pure.

/// What a shortcut does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Opens the command palette.
    Palette,
    /// Opens the sheet of shortcuts.
    Help,
    /// Goes into the page's filter.
    Filter,
    /// Goes to the releases.
    Releases,
    /// Goes to the catalogue.
    Catalogue,
    /// Goes to the repositories.
    Repositories,
    /// Begins a new release.
    Create,
    /// Opens or closes the drawer of operations.
    Operations,
    /// Tells times exactly, or as distances from now.
    ExactTimes,
    /// Closes what lies over the page.
    Escape,
}

/// A key that was pressed.
#[derive(Clone, Copy)]
pub struct Press<'a> {
    /// The key, as the browser names it.
    pub key: &'a str,
    /// With the control or the command key.
    pub with_control: bool,
    /// Into a field, an editor, a menu or a dialog, which have their own use for letters.
    pub is_taken: bool,
    /// When, in milliseconds.
    pub at: f64,
}

/// For how long the first key of two is remembered.
const TOGETHER_MS: f64 = 1500.0;

/// What was pressed before.
#[derive(Clone, Copy, Default)]
pub struct Keys {
    /// When the first key of two was pressed.
    begun: Option<f64>,
}

impl Keys {
    /// What a key means. Keys without control are only taken while they are switched `on`.
    pub fn press(&mut self, press: &Press<'_>, on: bool) -> Option<Act> {
        let begun = self.begun.take().is_some_and(|at| press.at - at < TOGETHER_MS);
        if press.with_control {
            return press.key.eq_ignore_ascii_case("k").then_some(Act::Palette);
        }
        if press.is_taken {
            return None;
        }
        if press.key == "Escape" {
            return Some(Act::Escape);
        }
        if !on {
            return None;
        }
        let act = match (begun, press.key) {
            (true, "r") => Act::Releases,
            (true, "c") => Act::Catalogue,
            (true, "p") => Act::Repositories,
            (true, "o") => Act::Operations,
            (false, "g") => {
                self.begun = Some(press.at);
                return None;
            }
            (false, "/") => Act::Filter,
            (false, "?") => Act::Help,
            (false, "n") => Act::Create,
            (false, "t") => Act::ExactTimes,
            _ => return None,
        };
        Some(act)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(key: &str) -> Press<'_> {
        Press { key, with_control: false, is_taken: false, at: 0.0 }
    }

    fn last(presses: &[Press<'_>], on: bool) -> Option<Act> {
        let mut keys = Keys::default();
        presses.iter().map(|press| keys.press(press, on)).last().flatten()
    }

    #[test]
    fn keys_mean_what_the_sheet_says() {
        for (keys, act) in [
            (&["/"][..], Some(Act::Filter)),
            (&["?"], Some(Act::Help)),
            (&["n"], Some(Act::Create)),
            (&["t"], Some(Act::ExactTimes)),
            (&["g", "r"], Some(Act::Releases)),
            (&["g", "c"], Some(Act::Catalogue)),
            (&["g", "p"], Some(Act::Repositories)),
            (&["g", "o"], Some(Act::Operations)),
            (&["Escape"], Some(Act::Escape)),
            (&["g"], None),
            (&["r"], None),
            (&["g", "x", "r"], None),
            (&["g", "n"], None),
        ] {
            let presses: Vec<Press<'_>> = keys.iter().map(|key| press(key)).collect();
            assert_eq!(last(&presses, true), act, "{keys:?}");
        }
    }

    #[test]
    fn a_field_keeps_its_letters() {
        let taken = |key| Press { is_taken: true, ..press(key) };
        assert_eq!(last(&[taken("/")], true), None);
        assert_eq!(last(&[taken("Escape")], true), None);
        assert_eq!(last(&[press("g"), taken("r")], true), None);
        let palette = Press { with_control: true, ..taken("k") };
        assert_eq!(last(&[palette], true), Some(Act::Palette));
    }

    #[test]
    fn switched_off_only_keys_with_control_and_escape_are_left() {
        assert_eq!(last(&[press("n")], false), None);
        assert_eq!(last(&[press("g"), press("r")], false), None);
        assert_eq!(last(&[press("Escape")], false), Some(Act::Escape));
        assert_eq!(last(&[Press { with_control: true, ..press("K") }], false), Some(Act::Palette));
    }

    #[test]
    fn two_keys_belong_together_for_a_moment_only() {
        let late = Press { at: TOGETHER_MS, ..press("r") };
        assert_eq!(last(&[press("g"), late], true), None);
    }
}
