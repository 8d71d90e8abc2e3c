//! Where the programs are. `testbed/setup.sh` builds them into a cache, keyed by the versions that the Go modules pin.

use std::path::{Path, PathBuf};

use crate::Error;

/// A program of the testbed: its name, the module that pins it, and that module's `go.mod`.
#[derive(Clone, Copy)]
pub(crate) struct Tool {
    program: &'static str,
    module: &'static str,
    package: &'static str,
    go_mod: &'static str,
}

const KUBERNETES: &str = include_str!("../tools/kubernetes/go.mod");

pub(crate) const ETCD: Tool = Tool {
    program: "etcd",
    module: "etcd",
    package: "go.etcd.io/etcd/server/v3",
    go_mod: include_str!("../tools/etcd/go.mod"),
};
pub(crate) const API_SERVER: Tool = kubernetes("kube-apiserver");
pub(crate) const CONTROLLER_MANAGER: Tool = kubernetes("kube-controller-manager");
pub(crate) const SCHEDULER: Tool = kubernetes("kube-scheduler");
pub(crate) const KUBELET: Tool = node("kubelet");
pub(crate) const KUBE_PROXY: Tool = node("kube-proxy");
pub(crate) const KWOK: Tool = Tool {
    program: "kwok",
    module: "kwok",
    package: "sigs.k8s.io/kwok",
    go_mod: include_str!("../tools/kwok/go.mod"),
};
const HELM3: Tool = Tool {
    program: "helm",
    module: "helm3",
    package: "helm.sh/helm/v3",
    go_mod: include_str!("../tools/helm3/go.mod"),
};
const HELM4: Tool = Tool {
    program: "helm",
    module: "helm4",
    package: "helm.sh/helm/v4",
    go_mod: include_str!("../tools/helm4/go.mod"),
};

const fn kubernetes(program: &'static str) -> Tool {
    Tool { program, module: "kubernetes", package: "k8s.io/kubernetes", go_mod: KUBERNETES }
}

/// Built from the same module, but only where there can be a real node.
const fn node(program: &'static str) -> Tool {
    Tool { program, module: "node", package: "k8s.io/kubernetes", go_mod: KUBERNETES }
}

/// The two generations of helm that are in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HelmVersion {
    /// Helm 3, the version that `testbed/tools/helm3` pins.
    V3,
    /// Helm 4, the version that `testbed/tools/helm4` pins.
    V4,
}

/// The path of a helm binary.
pub fn helm(version: HelmVersion) -> Result<PathBuf, Error> {
    match version {
        HelmVersion::V3 => HELM3.find(),
        HelmVersion::V4 => HELM4.find(),
    }
}

impl Tool {
    pub(crate) fn name(&self) -> &'static str {
        self.program
    }

    /// The folder in the cache that holds this version's programs and what goes with them.
    pub(crate) fn home(&self) -> PathBuf {
        cache().join("tools").join(format!("{}-{}", self.module, self.version()))
    }

    fn version(&self) -> &'static str {
        self.go_mod
            .lines()
            .filter_map(|line| line.trim().trim_start_matches("require ").split_once(" v"))
            .find(|(package, _)| *package == self.package)
            .and_then(|(_, version)| version.split_whitespace().next())
            .unwrap_or("unknown")
    }

    /// Looks in `SLIPWAY_TOOLS`, then in the cache, then on `PATH`. The helms are called `helm3` and `helm4` outside the
    /// cache: a plain `helm` could be either.
    pub(crate) fn find(&self) -> Result<PathBuf, Error> {
        let plain = if self.program == "helm" { self.module } else { self.program };
        let split =
            |name| std::env::var_os(name).map(|dirs| std::env::split_paths(&dirs).collect::<Vec<_>>());
        let candidates = split("SLIPWAY_TOOLS").unwrap_or_default().into_iter().map(|dir| dir.join(plain));
        let candidates = candidates.chain([self.home().join("bin").join(self.program)]);
        let candidates =
            candidates.chain(split("PATH").unwrap_or_default().into_iter().map(|dir| dir.join(plain)));
        candidates.into_iter().find(|path| path.is_file()).ok_or_else(|| Error::Missing {
            program: if self.program == "helm" { self.module } else { self.program },
            looked_in: vec!["SLIPWAY_TOOLS".into(), self.home(), "PATH".into()],
        })
    }
}

/// The same folder that `testbed/lib.sh` names.
fn cache() -> PathBuf {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("SLIPWAY_CACHE").unwrap_or_else(|| {
        variable("XDG_CACHE_HOME")
            .or_else(|| variable("HOME").map(|home| home.join(".cache")))
            .unwrap_or_else(|| Path::new(".cache").to_path_buf())
            .join("slipway")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_come_from_the_pinned_modules() {
        for tool in [ETCD, API_SERVER, KUBELET, KWOK, HELM3, HELM4] {
            let version = tool.version();
            assert!(version.split('.').count() == 3, "{}: {version}", tool.module);
        }
    }
}
