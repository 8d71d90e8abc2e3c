//! The environment that helm is started with: what it needs of ours, and homes of its own, so that neither the user's
//! helm settings nor another operation's files come into play.

use std::ffi::OsString;
use std::path::Path;

use crate::kube::Target;

/// What is handed on: where programs are (credential plug-ins of a kubeconfig need them and a home), proxies,
/// certificates, and where the API server is when Slipway runs in a pod.
const HANDED_ON: [&str; 14] = [
    "PATH",
    "HOME",
    "USER",
    "TMPDIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "KUBERNETES_SERVICE_HOST",
    "KUBERNETES_SERVICE_PORT",
];

/// The environment, made of `ours`; what helm writes goes to `folder`.
pub(super) fn of(
    ours: impl Iterator<Item = (OsString, OsString)>,
    folder: &Path,
    target: &Target,
) -> Vec<(OsString, OsString)> {
    // Without a kubeconfig of its own, helm is to find the one that the client found.
    let finds_kubeconfig = target.kubeconfig.is_none();
    let mut environment: Vec<(OsString, OsString)> = ours
        .filter(|(name, _)| {
            HANDED_ON.iter().any(|known| name == known) || finds_kubeconfig && name == "KUBECONFIG"
        })
        .collect();
    for (name, part) in [
        ("HELM_CONFIG_HOME", "config"),
        ("HELM_CACHE_HOME", "cache"),
        ("HELM_DATA_HOME", "data"),
        ("DOCKER_CONFIG", "docker"),
    ] {
        environment.push((name.into(), folder.join(part).into()));
    }
    environment.push(("HELM_DRIVER".into(), "secret".into()));
    environment
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(target: &Target) -> Vec<(String, String)> {
        let ours = [
            ("PATH", "/bin"),
            ("HELM_KUBETOKEN", "stray"),
            ("HELM_NAMESPACE", "stray"),
            ("HELM_CONFIG_HOME", "/home/me/.config/helm"),
            ("KUBECONFIG", "/home/me/.kube/config"),
            ("AWS_SECRET_ACCESS_KEY", "stray"),
        ];
        let ours = ours.into_iter().map(|(name, value)| (name.into(), value.into()));
        let mut found: Vec<_> = of(ours, Path::new("/folder"), target)
            .into_iter()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
            .collect();
        found.sort();
        found
    }

    #[test]
    fn helm_sees_none_of_the_users_settings() {
        let target = Target { kubeconfig: Some("/given".into()), context: None };
        let expected = [
            ("DOCKER_CONFIG", "/folder/docker"),
            ("HELM_CACHE_HOME", "/folder/cache"),
            ("HELM_CONFIG_HOME", "/folder/config"),
            ("HELM_DATA_HOME", "/folder/data"),
            ("HELM_DRIVER", "secret"),
            ("PATH", "/bin"),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(names(&target), expected);
    }

    #[test]
    fn without_a_kubeconfig_of_its_own_helm_finds_the_one_that_the_client_found() {
        let found = names(&Target::default());
        assert!(found.contains(&("KUBECONFIG".into(), "/home/me/.kube/config".into())));
    }
}
