//! helm's arguments for a task. Each value is joined to its flag by `=`, and names come after `--`: nothing that a user
//! or a repository says can be taken for a flag.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use app::model::{OperationKind, ValuesPolicy};

use super::Generation;
use super::source::Told;
use crate::kube::Target;
use crate::kube::records::OPERATION_LABEL;
use crate::operations::Task;

/// The arguments of the helm that carries out `task`, which is told where its chart is by `source`; `values` is the file with
/// the user's values, if there are any.
pub(super) fn of(
    task: &Task,
    source: &Told,
    generation: Generation,
    target: &Target,
    values: Option<&Path>,
) -> Vec<OsString> {
    use OperationKind::{Install, Rollback, Test, Uninstall, Upgrade};
    let (kind, options) = (task.kind, &task.options);
    let mut line = Line(vec![kind.as_str().into()]);
    line.flag("namespace", task.release.namespace.clone());
    if let Some(path) = &target.kubeconfig {
        line.flag("kubeconfig", path);
    }
    if let Some(context) = &target.context {
        line.flag("kube-context", context);
    }
    line.flag("timeout", format!("{}s", options.timeout));
    if kind.takes_chart() {
        line.flag("labels", format!("{OPERATION_LABEL}={}", task.id));
        if let Some(values) = values {
            line.flag("values", values);
        }
    }
    for (name, value) in &source.flags {
        match value {
            Some(value) => line.flag(name, value),
            None => line.switch(true, &format!("--{name}")),
        }
    }
    if matches!(kind, Upgrade | Rollback) {
        line.flag("history-max", options.history_max.to_string());
    }
    // helm 3 has no description for a rollback.
    let is_described =
        kind.takes_chart() || kind == Uninstall || kind == Rollback && generation == Generation::Four;
    if is_described && !options.description.is_empty() {
        line.flag("description", &options.description);
    }
    line.switch(options.wait && kind != Test, "--wait");
    line.switch(options.create_namespace && kind == Install, "--create-namespace");
    line.switch(task.replace && kind == Install, "--replace");
    if kind == Upgrade {
        line.switch(
            true,
            match options.values {
                ValuesPolicy::Reset => "--reset-values",
                ValuesPolicy::Reuse => "--reuse-values",
                ValuesPolicy::ResetThenReuse => "--reset-then-reuse-values",
            },
        );
    }
    line.switch(options.skip_hooks && kind != Test, "--no-hooks");
    line.switch(options.skip_crds && kind.takes_chart(), "--skip-crds");
    line.switch(options.keep_history && kind == Uninstall, "--keep-history");
    line.switch(kind == Test, "--logs");
    if generation == Generation::Four && options.force_conflicts {
        line.switch(kind.takes_chart() || kind == Rollback, "--force-conflicts");
    }
    let rollback = match generation {
        Generation::Three => "--atomic",
        Generation::Four => "--rollback-on-failure",
    };
    line.switch(options.rollback_on_failure && kind.takes_chart(), rollback);
    if options.dry_run && kind.takes_chart() {
        line.flag("dry-run", "server");
        line.flag("output", "json");
    }
    let mut arguments = line.0;
    arguments.push("--".into());
    arguments.push(task.release.name.clone().into());
    arguments.extend(source.chart.clone());
    if let (Rollback, Some(revision)) = (kind, options.revision) {
        arguments.push(revision.to_string().into());
    }
    arguments
}

/// A command line in the making.
struct Line(Vec<OsString>);

impl Line {
    fn flag(&mut self, name: &str, value: impl AsRef<OsStr>) {
        let mut argument = OsString::from(format!("--{name}="));
        argument.push(value);
        self.0.push(argument);
    }

    fn switch(&mut self, on: bool, name: &str) {
        if on {
            self.0.push(name.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use app::model::{OperationId, OperationOptions, ReleaseKey};

    use super::*;
    use crate::credentials::RepositoryCredentials;

    fn repository(url: &str, name: &str, version: &str) -> Told {
        let flags = vec![("repo", Some(url.into())), ("version", Some(version.into()))];
        Told { flags, chart: Some(name.into()) }
    }

    fn task(kind: OperationKind, options: OperationOptions) -> Task {
        Task {
            id: OperationId("id-1".into()),
            kind,
            release: ReleaseKey::new("shop", "front"),
            chart: None,
            credentials: RepositoryCredentials::default(),
            options,
            replace: false,
            values: String::new(),
        }
    }

    fn line(task: &Task, generation: Generation, target: &Target, values: Option<&Path>) -> String {
        let source = repository("http://charts", "web", "1.2.3");
        let source = if task.kind.takes_chart() { source } else { Told::default() };
        of(task, &source, generation, target, values)
            .iter()
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn all() -> OperationOptions {
        OperationOptions {
            wait: true,
            timeout: 60,
            rollback_on_failure: true,
            create_namespace: true,
            history_max: 3,
            values: ValuesPolicy::ResetThenReuse,
            description: "why so".into(),
            skip_hooks: true,
            skip_crds: true,
            force_conflicts: true,
            keep_history: true,
            revision: Some(7),
            ..OperationOptions::default()
        }
    }

    #[test]
    fn each_verb_has_the_options_of_its_generation() {
        use Generation::{Four, Three};
        use OperationKind::{Install, Rollback, Test, Uninstall, Upgrade};
        let common = "--namespace=shop --timeout=60s";
        let chart = "--labels=slipway.dev/operation=id-1 --repo=http://charts --version=1.2.3";
        let why = "--description=why so";
        for (kind, generation, expected) in [
            (
                Install,
                Three,
                format!(
                    "install {common} {chart} {why} --wait --create-namespace --no-hooks --skip-crds --atomic -- front web"
                ),
            ),
            (
                Install,
                Four,
                format!(
                    "install {common} {chart} {why} --wait --create-namespace --no-hooks --skip-crds --force-conflicts \
                     --rollback-on-failure -- front web"
                ),
            ),
            (
                Upgrade,
                Three,
                format!(
                    "upgrade {common} {chart} --history-max=3 {why} --wait --reset-then-reuse-values --no-hooks --skip-crds \
                     --atomic -- front web"
                ),
            ),
            (
                Upgrade,
                Four,
                format!(
                    "upgrade {common} {chart} --history-max=3 {why} --wait --reset-then-reuse-values --no-hooks --skip-crds \
                     --force-conflicts --rollback-on-failure -- front web"
                ),
            ),
            (Rollback, Three, format!("rollback {common} --history-max=3 --wait --no-hooks -- front 7")),
            (
                Rollback,
                Four,
                format!(
                    "rollback {common} --history-max=3 {why} --wait --no-hooks --force-conflicts -- front 7"
                ),
            ),
            (Uninstall, Three, format!("uninstall {common} {why} --wait --no-hooks --keep-history -- front")),
            (Uninstall, Four, format!("uninstall {common} {why} --wait --no-hooks --keep-history -- front")),
            (Test, Three, format!("test {common} --logs -- front")),
            (Test, Four, format!("test {common} --logs -- front")),
        ] {
            assert_eq!(line(&task(kind, all()), generation, &Target::default(), None), expected);
        }
    }

    #[test]
    fn what_is_not_asked_for_is_left_to_helm() {
        let none = OperationOptions { wait: false, ..OperationOptions::default() };
        let chart = "--labels=slipway.dev/operation=id-1 --repo=http://charts --version=1.2.3";
        for (kind, expected) in [
            (OperationKind::Install, format!("install --namespace=shop --timeout=300s {chart} -- front web")),
            (
                OperationKind::Upgrade,
                format!(
                    "upgrade --namespace=shop --timeout=300s {chart} --history-max=10 --reset-values -- front web"
                ),
            ),
            (
                OperationKind::Rollback,
                "rollback --namespace=shop --timeout=300s --history-max=10 -- front".to_owned(),
            ),
            (OperationKind::Uninstall, "uninstall --namespace=shop --timeout=300s -- front".to_owned()),
        ] {
            assert_eq!(line(&task(kind, none.clone()), Generation::Four, &Target::default(), None), expected);
        }
    }

    #[test]
    fn a_dry_run_asks_the_server_and_answers_in_a_form_for_programs() {
        let options = OperationOptions { dry_run: true, ..OperationOptions::default() };
        let line = line(&task(OperationKind::Upgrade, options), Generation::Three, &Target::default(), None);
        assert!(line.contains(" --dry-run=server --output=json "), "{line}");
    }

    #[test]
    fn an_install_over_a_failed_one_replaces_it() {
        let task = Task { replace: true, ..task(OperationKind::Install, OperationOptions::default()) };
        let line = line(&task, Generation::Four, &Target::default(), None);
        assert!(line.contains(" --replace "), "{line}");
    }

    #[test]
    fn the_cluster_and_the_values_are_named() {
        let target = Target { kubeconfig: Some("/k".into()), context: Some("kind-a".into()) };
        let task = task(OperationKind::Install, OperationOptions::default());
        let line = line(&task, Generation::Four, &target, Some(Path::new("/w/values.yaml")));
        assert!(line.contains(" --kubeconfig=/k --kube-context=kind-a "), "{line}");
        assert!(line.contains(" --values=/w/values.yaml "), "{line}");
    }

    #[test]
    fn a_chart_by_its_address_has_no_repository() {
        let task = task(OperationKind::Install, OperationOptions::default());
        let source = Told { chart: Some("oci://127.0.0.1/web".into()), flags: vec![("plain-http", None)] };
        let arguments = of(&task, &source, Generation::Three, &Target::default(), None);
        let line = arguments.join(OsStr::new(" ")).to_string_lossy().into_owned();
        assert!(line.ends_with(" --plain-http --wait -- front oci://127.0.0.1/web"), "{line}");
        assert!(!line.contains("--repo"), "{line}");
    }

    #[test]
    fn nothing_from_outside_can_be_taken_for_a_flag() {
        let task = task(OperationKind::Install, OperationOptions::default());
        let source = repository("--post-renderer=evil", "--debug", "--devel");
        let arguments = of(&task, &source, Generation::Four, &Target::default(), None);
        let end = arguments.iter().position(|argument| argument == "--").unwrap();
        assert_eq!(arguments[end + 1..], ["front", "--debug"]);
        let before = &arguments[..end];
        assert!(before.contains(&"--repo=--post-renderer=evil".into()));
        assert!(before.contains(&"--version=--devel".into()));
    }
}
