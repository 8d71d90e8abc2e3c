//! Which clusters there are to choose from: contexts of a kubeconfig, or the one that Slipway runs in.

use std::collections::BTreeMap;

use app::model::ClusterList;

use crate::kube::contexts::{self, Contexts};
use crate::kube::{ClusterError, Target};
use crate::settings::Serve;

/// How many clusters are offered at most.
const CLUSTERS_MAX: usize = 200;
/// How long a cluster's name may be, in bytes: it is in every address.
const NAME_MAX: usize = 256;

/// The clusters that are offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The one that addresses without a cluster are about.
    pub default: String,
    /// All of them by name, with the way to each.
    pub targets: BTreeMap<String, Target>,
}

impl Offer {
    /// What the settings and the kubeconfig that they name say. No cluster is asked.
    ///
    /// # Errors
    /// When the kubeconfig cannot be read, or a context that the settings name is not in it or cannot be in an address.
    pub fn of(settings: &Serve) -> Result<Self, ClusterError> {
        Self::made(settings, contexts::read(settings.workplace.kubeconfig.as_deref())?)
    }

    fn made(settings: &Serve, found: Contexts) -> Result<Self, ClusterError> {
        let target =
            |context: Option<String>| Target { kubeconfig: settings.workplace.kubeconfig.clone(), context };
        let named = &settings.contexts;
        for name in named {
            if !found.names.contains(name) {
                return Err(ClusterError::Settings(format!("there is no context {name} in the kubeconfig")));
            }
            if !is_addressable(name) {
                return Err(ClusterError::Settings(format!(
                    "the context {name:?} cannot be part of an address; rename it"
                )));
            }
        }
        let default = match named.first().or(found.current.as_ref()) {
            // The client says what is amiss where nothing else does.
            None => return Ok(Self::single(&settings.cluster_name, target(None))),
            Some(name) if !is_addressable(name) => {
                return Ok(Self::single(&settings.cluster_name, target(Some(name.clone()))));
            }
            Some(name) => name.clone(),
        };
        let is_all = settings.all_contexts || named.is_empty();
        let others = found.names.iter().filter(|name| is_all && is_addressable(name));
        let mut targets = BTreeMap::new();
        for name in std::iter::once(&default).chain(named).chain(others) {
            if targets.len() == CLUSTERS_MAX && !targets.contains_key(name) {
                tracing::warn!(
                    most = CLUSTERS_MAX,
                    "the kubeconfig has more contexts than are offered; name those you want by --context"
                );
                break;
            }
            targets.insert(name.clone(), target(Some(name.clone())));
        }
        Ok(Self { default, targets })
    }

    fn single(name: &str, target: Target) -> Self {
        Self { default: name.to_owned(), targets: [(name.to_owned(), target)].into() }
    }

    /// The names.
    pub fn list(&self) -> ClusterList {
        ClusterList { clusters: self.targets.keys().cloned().collect(), default: self.default.clone() }
    }
}

/// Whether a name can be a segment of an address, whatever browser it is in.
pub fn is_addressable(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= NAME_MAX
        && !matches!(name, "." | "..")
        && !name.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Arguments, Command};

    fn offer(
        arguments: &[&str],
        names: &[&str],
        current: Option<&str>,
    ) -> Result<(String, Vec<String>), String> {
        let arguments = [&["slipway", "serve", "--kubeconfig", "/k"], arguments].concat();
        let Command::Serve(settings) = Arguments::read(arguments).unwrap().command else { unreachable!() };
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let contexts = Contexts { names, current: current.map(str::to_owned) };
        let offer = Offer::made(&settings, contexts).map_err(|error| error.to_string())?;
        let mut names = Vec::new();
        for (name, target) in &offer.targets {
            assert_eq!(target.kubeconfig.as_deref(), Some("/k".as_ref()));
            assert!(target.context.as_ref() == Some(name) || *name == settings.cluster_name, "{target:?}");
            names.push(name.clone());
        }
        Ok((offer.default, names))
    }

    #[test]
    fn all_contexts_are_offered_unless_some_are_named() {
        let all = ["b", "a", "c"];
        for (arguments, current, default, expected) in [
            (&[][..], Some("b"), "b", &["a", "b", "c"][..]),
            (&["--context", "c"], Some("b"), "c", &["c"]),
            (&["--context", "c", "--context", "a"], Some("b"), "c", &["a", "c"]),
            (&["--context=c,a"], None, "c", &["a", "c"]),
            (&["--context", "c", "--all-contexts"], Some("b"), "c", &["a", "b", "c"]),
        ] {
            let expected = expected.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(offer(arguments, &all, current), Ok((default.to_owned(), expected)), "{arguments:?}");
        }
        let error = offer(&["--context", "z"], &all, Some("b")).unwrap_err();
        assert!(error.contains("no context z"), "{error}");
    }

    #[test]
    fn without_contexts_there_is_one_cluster_with_a_name_of_its_own() {
        let single = |name: &str| Ok((name.to_owned(), vec![name.to_owned()]));
        assert_eq!(offer(&[], &[], None), single("local-cluster"));
        assert_eq!(offer(&["--cluster-name", "hub"], &[], None), single("hub"));
        // One that is current but could not be in an address.
        assert_eq!(offer(&[], &["..", "a"], Some("..")), single("local-cluster"));
    }

    #[test]
    fn names_that_no_address_can_have_are_left_out_and_there_is_a_bound() {
        let long = "x".repeat(NAME_MAX + 1);
        let names = offer(&[], &["a", "", ".", "..", "b\nc", &long, "d/e:f é"], Some("a")).unwrap().1;
        assert_eq!(names, ["a", "d/e:f é"]);
        let many: Vec<String> = (0..CLUSTERS_MAX + 50).map(|n| format!("c{n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let (default, names) = offer(&[], &many, Some("c249")).unwrap();
        assert_eq!((names.len(), names.contains(&default)), (CLUSTERS_MAX, true));
    }
}
