//! What carries operations out.

use std::collections::BTreeMap;

use app::model::RunnerKind;
use clap::{Args, ValueEnum};

use crate::kube::jobs::{RunnerPod, Toleration};

/// What carries operations out.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Runners")]
pub struct Runners {
    /// What carries an operation out that does not say so itself
    #[arg(long, env = "SLIPWAY_RUNNER", value_enum, default_value_t = Runner::Process)]
    pub runner: Runner,
    /// The image of Jobs, with slipway and helm in it; without one no Jobs are launched
    #[arg(long, env = "SLIPWAY_RUNNER_IMAGE", value_name = "IMAGE", required_if_eq("runner", "job"))]
    pub runner_image: Option<String>,
    /// The ServiceAccount of Jobs, in the operations namespace; helm has its rights
    #[arg(
        long,
        env = "SLIPWAY_RUNNER_SERVICE_ACCOUNT",
        value_name = "NAME",
        default_value = "slipway-runner"
    )]
    pub runner_service_account: String,
    /// The most processor time that a Job gets
    #[arg(long, env = "SLIPWAY_RUNNER_CPU", value_name = "QUANTITY", default_value = "1", value_parser = quantity)]
    pub runner_cpu: String,
    /// The most memory that a Job gets
    #[arg(long, env = "SLIPWAY_RUNNER_MEMORY", value_name = "QUANTITY", default_value = "1Gi", value_parser = quantity)]
    pub runner_memory: String,
    /// A label of the nodes that Jobs run on; can be given several times
    #[arg(long = "runner-node-selector", env = "SLIPWAY_RUNNER_NODE_SELECTOR", value_name = "LABEL=VALUE", value_delimiter = ',', value_parser = label)]
    pub runner_nodes: Vec<(String, String)>,
    /// A taint that Jobs tolerate; can be given several times
    #[arg(long = "runner-toleration", env = "SLIPWAY_RUNNER_TOLERATIONS", value_name = "KEY[=VALUE][:EFFECT]", value_delimiter = ',', value_parser = toleration)]
    pub runner_tolerations: Vec<Toleration>,
}

/// The runners as the command line has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Runner {
    /// A process on this machine, which outlives the server
    Process,
    /// A Kubernetes Job
    Job,
}

impl Runners {
    /// What carries an operation out that does not say so itself.
    pub fn chosen(&self) -> RunnerKind {
        match self.runner {
            Runner::Process => RunnerKind::Process,
            Runner::Job => RunnerKind::Job,
        }
    }

    /// What Jobs are made of; none if there are to be none.
    pub fn pod(&self, arguments: Vec<String>) -> Option<RunnerPod> {
        Some(RunnerPod {
            image: self.runner_image.clone()?,
            service_account: self.runner_service_account.clone(),
            cpu: self.runner_cpu.clone(),
            memory: self.runner_memory.clone(),
            nodes: self.runner_nodes.iter().cloned().collect::<BTreeMap<_, _>>(),
            tolerations: self.runner_tolerations.clone(),
            arguments,
        })
    }
}

#[cfg(feature = "demo")]
impl Default for Runners {
    fn default() -> Self {
        Self {
            runner: Runner::Process,
            runner_image: None,
            runner_service_account: "slipway-runner".into(),
            runner_cpu: "1".into(),
            runner_memory: "1Gi".into(),
            runner_nodes: Vec::new(),
            runner_tolerations: Vec::new(),
        }
    }
}

fn quantity(text: &str) -> Result<String, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_number = digits.parse::<f64>().is_ok_and(|number| number.is_finite() && number > 0.0);
    match &text[digits.len()..] {
        "" | "m" | "k" | "M" | "G" | "T" | "Ki" | "Mi" | "Gi" | "Ti" if is_number => Ok(text.to_owned()),
        _ => Err("not a quantity, such as 500m, 2 or 512Mi".into()),
    }
}

fn label(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("not of the form LABEL=VALUE".into()),
    }
}

fn toleration(text: &str) -> Result<Toleration, String> {
    let (taint, effect) = match text.split_once(':') {
        Some((taint, effect)) => (taint, Some(effect)),
        None => (text, None),
    };
    let (key, value) = match taint.split_once('=') {
        Some((key, value)) => (key, Some(value.to_owned())),
        None => (taint, None),
    };
    if key.is_empty() || effect.is_some_and(|effect| !EFFECTS.contains(&effect)) {
        return Err(format!(
            "not of the form KEY[=VALUE][:EFFECT], where EFFECT is one of {}",
            EFFECTS.join(", ")
        ));
    }
    Ok(Toleration { key: key.to_owned(), value, effect: effect.map(str::to_owned) })
}

const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Arguments, Command};

    fn runners(more: &[&str]) -> Result<Runners, String> {
        match Arguments::read([&["slipway", "serve"], more].concat())
            .map_err(|error| error.to_string())?
            .command
        {
            Command::Serve(serve) => Ok(serve.runners.clone()),
            _ => unreachable!(),
        }
    }

    #[test]
    fn runners_are_processes_unless_there_is_an_image_for_jobs() {
        let plain = runners(&[]).unwrap();
        assert_eq!((plain.chosen(), plain.pod(vec![])), (RunnerKind::Process, None));
        let both = runners(&["--runner-image=slipway:1"]).unwrap();
        assert_eq!(both.chosen(), RunnerKind::Process);
        let pod = both.pod(vec!["--log".into()]).unwrap();
        assert_eq!(
            (pod.service_account.as_str(), pod.cpu.as_str(), pod.memory.as_str()),
            ("slipway-runner", "1", "1Gi")
        );
        let jobs = runners(&["--runner=job", "--runner-image=slipway:1"]).unwrap();
        assert_eq!(jobs.chosen(), RunnerKind::Job);
        let error = runners(&["--runner=job"]).unwrap_err();
        assert!(error.contains("--runner-image"), "{error}");
    }

    #[test]
    fn where_jobs_run_can_be_said() {
        let more = [
            "--runner-image=x",
            "--runner-node-selector=pool=a,zone=",
            "--runner-toleration=for=b:NoExecute",
            "--runner-toleration=any",
        ];
        let pod = runners(&more).unwrap().pod(vec![]).unwrap();
        assert_eq!(
            pod.nodes,
            [("pool", "a"), ("zone", "")].map(|(k, v)| (k.to_owned(), v.to_owned())).into()
        );
        let [one, other] = &pod.tolerations[..] else { panic!("{:?}", pod.tolerations) };
        assert_eq!(
            (one.key.as_str(), one.value.as_deref(), one.effect.as_deref()),
            ("for", Some("b"), Some("NoExecute"))
        );
        assert_eq!((other.key.as_str(), &other.value, &other.effect), ("any", &None, &None));
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_what_does() {
        for (wrong, reason) in [
            ("--runner=pod", "possible values: process, job"),
            ("--runner-cpu=half", "such as 500m"),
            ("--runner-memory=-1Gi", "such as 500m"),
            ("--runner-memory=1GB", "such as 500m"),
            ("--runner-node-selector=pool", "LABEL=VALUE"),
            ("--runner-toleration=a:Never", "NoSchedule"),
            ("--runner-toleration=:NoSchedule", "KEY"),
        ] {
            let error = runners(&[wrong]).unwrap_err();
            assert!(error.contains(reason), "{wrong}: {error}");
        }
    }
}
