//! A pod's containers, from its JSON.

use app::model::{ContainerRole, PodContainer, Timestamp};
use serde_json::Value;

/// How many containers of a pod are told of.
const CONTAINERS_MAX: usize = 100;

/// The containers of a pod in the order in which they start: those of its specification, with what its status tells.
pub(super) fn read(pod: &Value) -> Vec<PodContainer> {
    let list = |part: &str, field: &str| pod[part][field].as_array().map_or(&[][..], Vec::as_slice);
    let init = list("spec", "initContainers").iter().map(|container| {
        let role = match container["restartPolicy"].as_str() {
            Some("Always") => ContainerRole::Sidecar,
            _ => ContainerRole::Init,
        };
        (container, role)
    });
    let main = list("spec", "containers").iter().map(|container| (container, ContainerRole::Main));
    let debug = list("spec", "ephemeralContainers").iter().map(|container| (container, ContainerRole::Debug));
    let statuses: Vec<&Value> = ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"]
        .iter()
        .flat_map(|field| list("status", field))
        .collect();
    init.chain(main)
        .chain(debug)
        .take(CONTAINERS_MAX)
        .filter_map(|(container, role)| {
            let name = container["name"].as_str()?;
            let status = statuses.iter().find(|status| status["name"] == name);
            Some(told(name, role, status.copied().unwrap_or(&Value::Null)))
        })
        .collect()
}

fn told(name: &str, role: ContainerRole, status: &Value) -> PodContainer {
    let state = &status["state"];
    let has_ended = state["terminated"].is_object();
    let has_previous = status["lastState"]["terminated"].is_object();
    PodContainer {
        name: name.to_owned(),
        role,
        state: words(state, status["ready"] == true, role),
        is_ready: status["ready"] == true && state["running"].is_object(),
        has_log: has_ended || has_previous || state["running"].is_object(),
        has_previous,
        restarts: status["restartCount"].as_u64().and_then(|count| count.try_into().ok()).unwrap_or(0),
    }
}

fn words(state: &Value, is_ready: bool, role: ContainerRole) -> String {
    let text = |path: &str| state.pointer(path).and_then(Value::as_str).unwrap_or_default();
    if let Some(ended) = state["terminated"].as_object() {
        let code = ended.get("exitCode").and_then(Value::as_i64).unwrap_or_default();
        return match text("/terminated/reason") {
            "" | "Error" | "Completed" => format!("exited with {code}"),
            reason => format!("exited with {code} ({reason})"),
        };
    }
    if state["running"].is_object() {
        let has_probes = matches!(role, ContainerRole::Main | ContainerRole::Sidecar);
        return if has_probes && !is_ready { "running, not ready" } else { "running" }.to_owned();
    }
    match text("/waiting/reason") {
        "" => "not started".to_owned(),
        reason => format!("waiting: {reason}"),
    }
}

/// The instant that `text` names.
pub(in crate::releases) fn time(text: &Value) -> Option<Timestamp> {
    let at: jiff::Timestamp = text.as_str()?.parse().ok()?;
    Some(Timestamp(at.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn containers_are_told_in_the_order_in_which_they_start() {
        let pod = json!({"spec": {
            "containers": [{"name": "web"}, {"name": "log"}],
            "initContainers": [{"name": "wait"}, {"name": "proxy", "restartPolicy": "Always"}],
            "ephemeralContainers": [{"name": "look"}],
        }});
        let told: Vec<_> = read(&pod).into_iter().map(|it| (it.name, it.role, it.has_log)).collect();
        use ContainerRole::{Debug, Init, Main, Sidecar};
        let expected = [("wait", Init), ("proxy", Sidecar), ("web", Main), ("log", Main), ("look", Debug)];
        assert_eq!(told, expected.map(|(name, role)| (name.to_owned(), role, false)));
    }

    #[test]
    fn a_containers_state_is_told_in_words_and_so_is_whether_it_has_logs() {
        let ended = json!({"terminated": {"exitCode": 1, "reason": "Error"}});
        for (status, state, is_ready, has_log, has_previous) in [
            (json!(null), "not started", false, false, false),
            (
                json!({"state": {"waiting": {"reason": "PodInitializing"}}}),
                "waiting: PodInitializing",
                false,
                false,
                false,
            ),
            (json!({"state": {"running": {}}, "ready": true}), "running", true, true, false),
            (json!({"state": {"running": {}}, "ready": false}), "running, not ready", false, true, false),
            (json!({"state": ended}), "exited with 1", false, true, false),
            (
                json!({"state": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}}),
                "exited with 137 (OOMKilled)",
                false,
                true,
                false,
            ),
            (
                json!({"state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": ended, "restartCount": 3}),
                "waiting: CrashLoopBackOff",
                false,
                true,
                true,
            ),
        ] {
            let mut status = status;
            if status.is_object() {
                status["name"] = json!("a");
            }
            let pod =
                json!({"spec": {"containers": [{"name": "a"}]}, "status": {"containerStatuses": [status]}});
            let told = read(&pod).remove(0);
            assert_eq!(
                (told.state.as_str(), told.is_ready, told.has_log, told.has_previous),
                (state, is_ready, has_log, has_previous),
                "{pod}"
            );
        }
    }
}
