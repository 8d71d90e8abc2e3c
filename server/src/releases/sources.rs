//! Which namespaces are followed, by which watches, and how each watch is doing.

use std::collections::BTreeMap;

use crate::kube::ClusterError;
use crate::kube::records::RecordMeta;
use crate::kube::watch::Change;

use super::index::Source;

/// The most namespaces that are followed one by one, where all at once is forbidden.
pub const NAMESPACES_MAX: usize = 100;

/// What to follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// All namespaces at once; where that is forbidden, each one that can be listed or is asked for.
    #[default]
    Cluster,
    /// These namespaces alone.
    Namespaces(Vec<String>),
}

/// How one watch is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its first list has not arrived.
    Reading,
    /// It is up to date.
    Well,
    /// The cluster forbids it.
    Forbidden,
    /// The cluster does not answer; what was read before is still shown.
    Away {
        /// Whether anything was ever read.
        read: bool,
    },
    /// Nobody follows this namespace.
    Unfollowed,
}

impl Standing {
    /// Whether more can be known by waiting a moment.
    fn is_settled(self) -> bool {
        !matches!(self, Self::Reading | Self::Away { read: false })
    }
}

/// All watches.
#[derive(Debug)]
pub struct Sources {
    known: BTreeMap<Source, Standing>,
    /// Whether the namespaces to follow one by one are still being found out.
    searching: bool,
    /// Whether there were more namespaces than are followed.
    capped: bool,
}

impl Sources {
    /// The watches of `scope`, none of which has said anything.
    pub fn new(scope: Scope) -> Self {
        let known = match scope {
            Scope::Cluster => BTreeMap::from([(None, Standing::Reading)]),
            Scope::Namespaces(names) => {
                names.into_iter().map(|name| (Some(name), Standing::Reading)).collect()
            }
        };
        Self { known, searching: false, capped: false }
    }

    /// The watches that there are to be.
    pub fn all(&self) -> Vec<Source> {
        self.known.keys().cloned().collect()
    }

    /// Whether that watch is one that there is to be.
    pub fn is_known(&self, source: &Source) -> bool {
        self.known.contains_key(source)
    }

    /// Notes what a step tells of its watch; tells whether that is news.
    pub fn apply(&mut self, source: &Source, change: &Change<RecordMeta>) -> bool {
        let Some(standing) = self.known.get_mut(source) else { return false };
        let before = *standing;
        *standing = match change {
            Change::Complete => Standing::Well,
            Change::Failed(ClusterError::Forbidden(_)) => Standing::Forbidden,
            Change::Failed(_) => {
                Standing::Away { read: matches!(before, Standing::Well | Standing::Away { read: true }) }
            }
            _ => before,
        };
        let news = *standing != before;
        if news && source.is_none() {
            // Namespace by namespace is only for as long as all at once is forbidden.
            self.searching = *standing == Standing::Forbidden;
            if *standing == Standing::Well {
                self.known.retain(|source, _| source.is_none());
                self.capped = false;
            }
        }
        news
    }

    /// Adds the namespaces that were found; tells which of them are new.
    pub fn found(&mut self, namespaces: Vec<String>) -> Vec<Source> {
        self.searching = false;
        namespaces.into_iter().filter_map(|namespace| self.add(&namespace)).collect()
    }

    /// Adds a namespace that somebody asks for, where that takes a watch of its own.
    pub fn add(&mut self, namespace: &str) -> Option<Source> {
        if self.known.get(&None) != Some(&Standing::Forbidden)
            || self.known.contains_key(&Some(namespace.into()))
        {
            return None;
        }
        if self.known.len() > NAMESPACES_MAX {
            self.capped = true;
            return None;
        }
        let source = Some(namespace.to_owned());
        self.known.insert(source.clone(), Standing::Reading);
        Some(source)
    }

    /// How the watch that covers `namespace` is doing.
    pub fn standing(&self, namespace: &str) -> Standing {
        match self.known.get(&None) {
            Some(Standing::Forbidden) | None => {
                let own = self.known.get(&Some(namespace.to_owned())).copied();
                own.unwrap_or(if self.searching { Standing::Reading } else { Standing::Unfollowed })
            }
            Some(standing) => *standing,
        }
    }

    /// Whether what covers `namespace`, or all of them, has been read as far as it can be.
    pub fn is_settled(&self, namespace: Option<&str>) -> bool {
        match namespace {
            Some(namespace) => self.standing(namespace).is_settled(),
            None => !self.searching && self.known.values().all(|standing| standing.is_settled()),
        }
    }

    /// Why the releases of `namespace`, or of all, are not all there, or not up to date: one sentence each.
    pub fn warnings(&self, namespace: Option<&str>) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(namespace) = namespace {
            warnings.extend(match self.standing(namespace) {
                Standing::Forbidden => Some(format!(
                    "Slipway may not read the releases of namespace {namespace}: they are Secrets."
                )),
                Standing::Unfollowed => Some(format!("Slipway does not follow namespace {namespace}.")),
                Standing::Away { .. } => Some(AWAY.to_owned()),
                Standing::Reading | Standing::Well => None,
            });
            return warnings;
        }
        let is = |wanted: Standing| self.known.iter().filter(move |(_, standing)| **standing == wanted);
        let all_at_once = self.known.get(&None);
        let forbidden: Vec<&str> =
            is(Standing::Forbidden).filter_map(|(source, _)| source.as_deref()).collect();
        if all_at_once == Some(&Standing::Forbidden) && self.known.len() == 1 && !self.searching {
            warnings.push(
                "Slipway may neither read the releases of all namespaces nor list the namespaces. Choose one by its name."
                    .to_owned(),
            );
        }
        if !forbidden.is_empty() {
            warnings.push(format!("Slipway may not read the releases of {}.", listed(&forbidden)));
        }
        if self.capped {
            warnings.push(format!(
                "Only {NAMESPACES_MAX} namespaces are shown together. Choose one to see others."
            ));
        }
        if self.known.values().any(|standing| matches!(standing, Standing::Away { .. })) {
            warnings.push(AWAY.to_owned());
        }
        warnings
    }
}

/// What is said while the cluster does not answer.
pub const AWAY: &str = "The cluster cannot be reached at the moment: what is shown may be out of date.";

/// `namespace a`, `namespaces a and b`, `namespaces a, b, c and 4 more`
fn listed(names: &[&str]) -> String {
    match names {
        [one] => format!("namespace {one}"),
        [first, second] => format!("namespaces {first} and {second}"),
        [first, second, third] => format!("namespaces {first}, {second} and {third}"),
        [first, second, third, more @ ..] => {
            format!("namespaces {first}, {second}, {third} and {} more", more.len())
        }
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forbidden() -> Change<RecordMeta> {
        Change::Failed(ClusterError::Forbidden("no".into()))
    }

    fn away() -> Change<RecordMeta> {
        Change::Failed(ClusterError::Unreachable("reset".into()))
    }

    fn on(namespace: &str) -> Source {
        Some(namespace.into())
    }

    #[test]
    fn it_is_ready_when_the_first_list_has_arrived() {
        let mut sources = Sources::new(Scope::Cluster);
        assert!(!sources.is_settled(None));
        sources.apply(&None, &Change::Restarted);
        sources.apply(&None, &away());
        assert!(!sources.is_settled(None));
        sources.apply(&None, &Change::Complete);
        assert!(sources.is_settled(None) && sources.warnings(None).is_empty());
    }

    #[test]
    fn an_outage_later_on_is_a_warning_until_the_next_complete_list() {
        let mut sources = Sources::new(Scope::Cluster);
        for (change, warnings) in [
            (Change::Complete, vec![]),
            (away(), vec![AWAY]),
            (Change::Restarted, vec![AWAY]),
            (Change::Complete, vec![]),
        ] {
            sources.apply(&None, &change);
            assert_eq!(sources.warnings(None), warnings, "{change:?}");
            assert_eq!(sources.warnings(Some("any")), warnings, "{change:?}");
            assert!(sources.is_settled(None));
        }
    }

    #[test]
    fn where_all_at_once_is_forbidden_each_namespace_is_followed() {
        let mut sources = Sources::new(Scope::Cluster);
        sources.apply(&None, &forbidden());
        assert!(!sources.is_settled(None));
        assert_eq!(sources.found(vec!["a".into(), "b".into()]), [on("a"), on("b")]);
        assert!(!sources.is_settled(None));
        sources.apply(&on("a"), &Change::Complete);
        sources.apply(&on("b"), &forbidden());
        assert!(sources.is_settled(None), "a refusal is an answer too");
        assert_eq!(sources.warnings(None), ["Slipway may not read the releases of namespace b."]);
        assert_eq!((sources.standing("a"), sources.standing("b")), (Standing::Well, Standing::Forbidden));
    }

    #[test]
    fn where_namespaces_cannot_be_listed_either_one_that_is_asked_for_is_followed() {
        let mut sources = Sources::new(Scope::Cluster);
        sources.apply(&None, &forbidden());
        sources.found(vec![]);
        assert!(sources.is_settled(None));
        assert_eq!(sources.warnings(None).len(), 1);
        assert_eq!(sources.standing("mine"), Standing::Unfollowed);
        assert_eq!(sources.add("mine"), Some(on("mine")));
        assert_eq!((sources.add("mine"), sources.standing("mine")), (None, Standing::Reading));
    }

    #[test]
    fn once_all_at_once_is_allowed_that_is_enough() {
        let mut sources = Sources::new(Scope::Cluster);
        sources.apply(&None, &forbidden());
        sources.found(vec!["a".into()]);
        sources.apply(&None, &Change::Complete);
        assert_eq!((sources.all(), sources.add("b")), (vec![None], None));
    }

    #[test]
    fn the_namespaces_that_were_named_are_the_only_ones() {
        let mut sources = Sources::new(Scope::Namespaces(vec!["a".into()]));
        assert_eq!((sources.all(), sources.add("b")), (vec![on("a")], None));
        assert_eq!(sources.standing("b"), Standing::Unfollowed);
        sources.apply(&on("a"), &forbidden());
        assert!(sources.is_settled(None));
    }

    #[test]
    fn the_number_of_watches_is_bounded_and_the_user_is_told() {
        let mut sources = Sources::new(Scope::Cluster);
        sources.apply(&None, &forbidden());
        let found = sources.found((0..NAMESPACES_MAX + 5).map(|it| format!("n{it}")).collect());
        assert_eq!(found.len(), NAMESPACES_MAX);
        assert!(sources.warnings(None)[0].contains("Choose one"));
    }

    #[test]
    fn many_namespaces_are_told_shortly() {
        for (names, words) in [
            (&["a"][..], "namespace a"),
            (&["a", "b"], "namespaces a and b"),
            (&["a", "b", "c"], "namespaces a, b and c"),
            (&["a", "b", "c", "d", "e"], "namespaces a, b, c and 2 more"),
        ] {
            assert_eq!(listed(names), words);
        }
    }
}
