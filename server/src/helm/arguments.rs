//! helm's arguments for a task. Each value is joined to its flag by `=`, and names come after `--`: nothing that a user
//! or a repository says can be taken for a flag.

use std::ffi::OsString;
use std::path::Path;

use app::model::OperationKind;

use super::Generation;
use crate::kube::Target;
use crate::kube::records::OPERATION_LABEL;
use crate::operations::{ResolvedChart, Task};

/// The arguments of the helm that carries out `task`; `values` is the file with the user's values, if there are any.
pub fn of(task: &Task, generation: Generation, target: &Target, values: Option<&Path>) -> Vec<OsString> {
    let options = &task.options;
    let mut arguments: Vec<OsString> = vec![task.kind.as_str().into()];
    let mut flag = |name: &str, value: OsString| {
        let mut argument = OsString::from(format!("--{name}="));
        argument.push(value);
        arguments.push(argument);
    };
    flag("namespace", task.release.namespace.clone().into());
    if let Some(path) = &target.kubeconfig {
        flag("kubeconfig", path.into());
    }
    if let Some(context) = &target.context {
        flag("kube-context", context.into());
    }
    flag("timeout", format!("{}s", options.timeout).into());
    if task.kind != OperationKind::Uninstall {
        flag("labels", format!("{OPERATION_LABEL}={}", task.id).into());
        if let Some(values) = values {
            flag("values", values.into());
        }
    }
    if let Some(ResolvedChart::Repository { url, version, .. }) = &task.chart {
        flag("repo", url.into());
        flag("version", version.into());
    }
    if task.kind == OperationKind::Upgrade {
        flag("history-max", options.history_max.to_string().into());
    }
    let mut switch = |on: bool, name: &str| {
        if on {
            arguments.push(name.into());
        }
    };
    switch(options.wait, "--wait");
    switch(options.create_namespace && task.kind == OperationKind::Install, "--create-namespace");
    switch(task.kind == OperationKind::Upgrade, "--reset-values");
    let rollback = match generation {
        Generation::Three => "--atomic",
        Generation::Four => "--rollback-on-failure",
    };
    switch(options.rollback_on_failure && task.kind != OperationKind::Uninstall, rollback);
    arguments.push("--".into());
    arguments.push(task.release.name.clone().into());
    match &task.chart {
        Some(ResolvedChart::Repository { name, .. }) => arguments.push(name.into()),
        Some(ResolvedChart::Url { url }) => arguments.push(url.into()),
        None => {}
    }
    arguments
}

#[cfg(test)]
mod tests {
    use app::model::{OperationId, OperationOptions, ReleaseKey};

    use super::*;

    fn task(kind: OperationKind, options: OperationOptions) -> Task {
        let chart = ResolvedChart::Repository {
            url: "http://charts".into(),
            name: "web".into(),
            version: "1.2.3".into(),
        };
        Task {
            id: OperationId("id-1".into()),
            kind,
            release: ReleaseKey::new("shop", "front"),
            chart: (kind != OperationKind::Uninstall).then_some(chart),
            options,
            values: String::new(),
        }
    }

    fn line(task: &Task, generation: Generation, target: &Target, values: Option<&Path>) -> String {
        of(task, generation, target, values)
            .iter()
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn each_verb_has_the_arguments_of_its_generation() {
        let all = OperationOptions {
            wait: true,
            timeout: 60,
            rollback_on_failure: true,
            create_namespace: true,
            history_max: 3,
        };
        let none = OperationOptions {
            wait: false,
            rollback_on_failure: false,
            create_namespace: false,
            ..all.clone()
        };
        let (three, four) = (Generation::Three, Generation::Four);
        let label = "--labels=slipway.dev/operation=id-1";
        let chart = "--repo=http://charts --version=1.2.3";
        for (kind, options, generation, expected) in [
            (
                OperationKind::Install,
                &all,
                three,
                format!(
                    "install --namespace=shop --timeout=60s {label} {chart} --wait --create-namespace --atomic -- front web"
                ),
            ),
            (
                OperationKind::Install,
                &all,
                four,
                format!(
                    "install --namespace=shop --timeout=60s {label} {chart} --wait --create-namespace --rollback-on-failure -- front web"
                ),
            ),
            (
                OperationKind::Install,
                &none,
                four,
                format!("install --namespace=shop --timeout=60s {label} {chart} -- front web"),
            ),
            (
                OperationKind::Upgrade,
                &all,
                three,
                format!(
                    "upgrade --namespace=shop --timeout=60s {label} {chart} --history-max=3 --wait --reset-values --atomic -- front web"
                ),
            ),
            (
                OperationKind::Upgrade,
                &none,
                four,
                format!(
                    "upgrade --namespace=shop --timeout=60s {label} {chart} --history-max=3 --reset-values -- front web"
                ),
            ),
            (
                OperationKind::Uninstall,
                &all,
                three,
                "uninstall --namespace=shop --timeout=60s --wait -- front".to_owned(),
            ),
            (
                OperationKind::Uninstall,
                &none,
                four,
                "uninstall --namespace=shop --timeout=60s -- front".to_owned(),
            ),
        ] {
            assert_eq!(line(&task(kind, options.clone()), generation, &Target::default(), None), expected);
        }
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
        let mut task = task(OperationKind::Install, OperationOptions::default());
        task.chart = Some(ResolvedChart::Url { url: "https://example.com/web.tgz".into() });
        let line = line(&task, Generation::Three, &Target::default(), None);
        assert!(
            line.ends_with(" -- front https://example.com/web.tgz") && !line.contains("--repo"),
            "{line}"
        );
    }

    #[test]
    fn nothing_from_outside_can_be_taken_for_a_flag() {
        let mut task = task(OperationKind::Install, OperationOptions::default());
        task.chart = Some(ResolvedChart::Repository {
            url: "--post-renderer=evil".into(),
            name: "--debug".into(),
            version: "--devel".into(),
        });
        let arguments = of(&task, Generation::Four, &Target::default(), None);
        let end = arguments.iter().position(|argument| argument == "--").unwrap();
        assert_eq!(arguments[end + 1..], ["front", "--debug"]);
        let before = &arguments[..end];
        assert!(before.contains(&"--repo=--post-renderer=evil".into()));
        assert!(before.contains(&"--version=--devel".into()));
    }
}
