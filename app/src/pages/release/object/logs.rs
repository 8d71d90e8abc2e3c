//! What the pods of an object say: which pod, which container, which of its runs.

use leptos::prelude::*;

use super::stream::{Which, follow_log};
use super::{CONTAINER, FIND, POD, PREVIOUS, TIMES};
use crate::client::fetch::Fetched;
use crate::client::pod_log::PodLog;
use crate::model::{ContainerRole, ObjectRef, PodContainer, PodList, ReleaseKey, ReleasePod, Tone};
use crate::pages::query::{query_setter, query_value, query_word};
use crate::signals::{Memo, dynamic, effect};
use crate::ui::alert::Alert;
use crate::ui::button::button;
use crate::ui::field::{CheckBox, Select};
use crate::ui::logview::{LogLines, LogSearch, log_view};
use crate::ui::state::{EmptyState, shown, skeleton_lines};
use crate::words::{say, t};

/// What stands in the address for a choice that is made.
const ON: &str = "true";

/// Whether objects of this kind are pods, or have some.
pub fn has_pods(kind: &str) -> bool {
    matches!(
        kind,
        "Pod"
            | "Deployment"
            | "StatefulSet"
            | "DaemonSet"
            | "ReplicaSet"
            | "ReplicationController"
            | "Job"
            | "CronJob"
            | "DeploymentConfig"
    )
}

/// The pods that `object` has, or the one that it is. What a workload of the manifest has made is known by its name.
pub fn pods_of(pods: &[ReleasePod], object: &ObjectRef) -> Vec<ReleasePod> {
    let is_made = matches!(object.kind.as_str(), "ReplicaSet" | "Job");
    let is_own = |pod: &&ReleasePod| {
        let is_below = || {
            let rest = pod.object.name.strip_prefix(&*object.name);
            is_made && pod.object.namespace == object.namespace && rest.is_some_and(|it| it.starts_with('-'))
        };
        pod.object == *object || pod.root == *object || is_below()
    };
    pods.iter().filter(is_own).cloned().collect()
}

/// The container that is shown first: the first one that does the work and has something to say.
fn first_container(containers: &[PodContainer]) -> Option<&PodContainer> {
    let mains = || containers.iter().filter(|one| one.role == ContainerRole::Main);
    // While one that starts before the others is at it, that is the one.
    let busy = containers.iter().find(|one| one.role == ContainerRole::Init && one.state == "running");
    busy.or_else(|| mains().find(|one| one.has_log)).or_else(|| mains().next()).or(containers.first())
}

/// The log of one container of one pod of the object.
pub fn logs(release: &ReleaseKey, object: &ObjectRef, pods: Fetched<PodList>) -> AnyView {
    let (release, object) = (release.clone(), object.clone());
    shown(
        pods,
        || skeleton_lines(8),
        move || {
            let object = object.clone();
            let own = Memo::new(move || {
                pods.data.with(|list| list.map(|list| pods_of(&list.pods, &object)).unwrap_or_default())
            });
            let has_any = Memo::new(move || own.with(|own| !own.is_empty()));
            // A log that is being read stays when its pod goes.
            let had_any = RwSignal::new(false);
            effect(move || {
                if has_any.get() {
                    had_any.set(true);
                }
            });
            let release = release.clone();
            dynamic(move || if had_any.get() { log_of(release.clone(), own) } else { no_pods() })
        },
    )
}

fn no_pods() -> AnyView {
    view! {
        <EmptyState title=t("No pods") name="cubes">
            <p>{t("There is no pod of this object whose log could be shown. They appear here when they are created.")}</p>
        </EmptyState>
    }
    .into_any()
}

fn log_of(release: ReleaseKey, own: Memo<Vec<ReleasePod>>) -> AnyView {
    let (asked_pod, asked_container, set) = (query_value(POD), query_value(CONTAINER), query_setter());
    let is_on = |name| {
        let value = query_value(name);
        Memo::new(move || value.with(|value| value == ON))
    };
    let (is_previous, has_times, again) = (is_on(PREVIOUS), is_on(TIMES), RwSignal::new(0_u32));
    let switch = move |name: &'static str, on: bool| {
        set.run(vec![(name, if on { ON.to_owned() } else { String::new() })]);
    };
    // The pod that was shown first stays the one, whatever comes and goes.
    let first = own.with_untracked(|own| own.first().map(|pod| pod.object.name.clone())).unwrap_or_default();
    let pod_name = Memo::new(move || {
        asked_pod.with(|asked| if asked.is_empty() { first.clone() } else { asked.clone() })
    });
    let pod = Memo::new(move || {
        pod_name.with(|name| own.with(|own| own.iter().find(|pod| pod.object.name == *name).cloned()))
    });
    let container_name = Memo::new(move || {
        let chosen = asked_container.get();
        pod.with(|pod| {
            let containers = pod.as_ref().map(|pod| pod.containers.as_slice()).unwrap_or_default();
            let named = containers.iter().find(|one| one.name == chosen);
            named.or_else(|| first_container(containers)).map_or(chosen, |one| one.name.clone())
        })
    });
    let container = Memo::new(move || {
        container_name.with(|name| {
            pod.with(|pod| pod.as_ref()?.containers.iter().find(|one| one.name == *name).cloned())
        })
    });
    let has_log = Memo::new(move || container.with(|it| it.as_ref().is_some_and(|it| it.has_log)));
    let has_previous = Memo::new(move || container.with(|it| it.as_ref().is_some_and(|it| it.has_previous)));
    let lines = LogLines::new("");
    let search = LogSearch { wanted: query_value(FIND), on_wanted: query_word(FIND) };
    let error = RwSignal::new(None::<String>);
    // What is followed. It stays when the pod goes: its end says so.
    let mut before: Option<Which> = None;
    let which = RwSignal::new(None::<Which>);
    effect(move || {
        let namespace = pod.with(|pod| pod.as_ref().and_then(|pod| pod.object.namespace.clone()));
        let Some(namespace) = namespace else { return };
        let previous = is_previous.get() && has_previous.get();
        let now = Which {
            log: PodLog {
                namespace,
                pod: pod_name.get(),
                container: container_name.get(),
                previous,
                timestamps: has_times.get(),
            },
            is_there: has_log.get() || previous,
            again: again.get(),
        };
        if before.as_ref() != Some(&now) {
            before = Some(now.clone());
            which.set(Some(now));
        }
    });
    follow_log(release, which, lines, error);
    let pods = Signal::derive(move || {
        let name = pod_name.get();
        let mut options: Vec<(String, String)> = own
            .with(|own| own.iter().map(|pod| (pod.object.name.clone(), pod.object.name.clone())).collect());
        if !options.iter().any(|(one, _)| *one == name) {
            options.insert(0, (name.clone(), say("{name} (gone)", &[("name", &name)])));
        }
        options
    });
    let containers = Signal::derive(move || {
        let all = pod.with(|pod| pod.as_ref().map(|pod| pod.containers.clone()).unwrap_or_default());
        all.into_iter().map(|one| (one.name.clone(), one.name)).collect::<Vec<_>>()
    });
    // A list that is made anew closes under the pointer: only what has changed does that.
    let (pods, containers) = (Memo::new(move || pods.get()), Memo::new(move || containers.get()));
    let choose = move |id: &'static str,
                       label: &'static str,
                       value: Memo<String>,
                       options: Memo<Vec<(String, String)>>,
                       name| {
        view! {
            <span class="log-choice">
                <label for=id>{label}</label>
                <Select
                    id
                    value
                    options
                    on_change=move |chosen| {
                        let other = if name == POD { vec![(CONTAINER, String::new())] } else { Vec::new() };
                        set.run([vec![(name, chosen), (PREVIOUS, String::new())], other].concat());
                    }
                />
            </span>
        }
        .into_any()
    };
    let tools = view! {
        {dynamic(move || {
            has_previous
                .get()
                .then(|| {
                    view! {
                        <CheckBox
                            id="log-previous"
                            label=t("Previous run")
                            checked=is_previous
                            on_change=move |on| switch(PREVIOUS, on)
                        />
                    }
                })
        })}
        <CheckBox
            id="log-times"
            label=t("Timestamps")
            checked=has_times
            on_change=move |on| switch(TIMES, on)
        />
    }
    .into_any();
    view! {
        <div class="log-choices">
            {choose("log-pod", t("Pod"), pod_name, pods, POD)}
            {choose("log-container", t("Container"), container_name, containers, CONTAINER)}
        </div>
        {dynamic(move || {
            error
                .get()
                .map(|text| {
                    view! {
                        <Alert tone=Tone::Warning title=t("The log cannot be read")>
                            <p>{text}</p>
                            <div class="ways">
                                {button(
                                    "pf-v6-c-button pf-m-secondary pf-m-small",
                                    t("Try again"),
                                    move || again.update(|times| *times += 1),
                                )}
                            </div>
                        </Alert>
                    }
                })
        })}
        {log_view(lines, search, tools)}
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Health;

    fn object(kind: &str, name: &str) -> ObjectRef {
        ObjectRef {
            api_version: "v1".into(),
            kind: kind.into(),
            namespace: Some("ns".into()),
            name: name.into(),
        }
    }

    fn pod(name: &str, root: ObjectRef) -> ReleasePod {
        ReleasePod {
            object: object("Pod", name),
            root,
            source: String::new(),
            health: Health::Ready,
            message: String::new(),
            created: None,
            node: None,
            containers: vec![],
        }
    }

    #[test]
    fn the_pods_of_an_object_are_its_own() {
        let web = object("Deployment", "web");
        let pods = [
            pod("web-7d9-a", web.clone()),
            pod("web-8c4-b", web.clone()),
            pod("web-7d91-c", web.clone()),
            pod("other", object("Pod", "other")),
        ];
        let names = |of: &ObjectRef| -> Vec<String> {
            pods_of(&pods, of).into_iter().map(|pod| pod.object.name).collect()
        };
        assert_eq!(names(&web), ["web-7d9-a", "web-8c4-b", "web-7d91-c"]);
        assert_eq!(names(&object("ReplicaSet", "web-7d9")), ["web-7d9-a"]);
        assert_eq!(names(&object("Pod", "other")), ["other"]);
        assert!(names(&object("Service", "web")).is_empty());
    }

    #[test]
    fn the_container_that_has_something_to_say_is_shown_first() {
        let container = |name: &str, role, state: &str, has_log| PodContainer {
            name: name.into(),
            role,
            state: state.into(),
            is_ready: false,
            has_log,
            has_previous: false,
            restarts: 0,
        };
        use ContainerRole::{Init, Main, Sidecar};
        let first = |all: &[PodContainer]| first_container(all).map(|one| one.name.clone());
        let done = container("prepare", Init, "exited with 0", true);
        let side = container("proxy", Sidecar, "running", true);
        let main = container("main", Main, "running", true);
        let late = container("late", Main, "waiting: PodInitializing", false);
        assert_eq!(first(&[done.clone(), side.clone(), late.clone(), main]).as_deref(), Some("main"));
        assert_eq!(first(&[done.clone(), side.clone(), late.clone()]).as_deref(), Some("late"));
        let busy = container("prepare", Init, "running", true);
        assert_eq!(first(&[busy, late]).as_deref(), Some("prepare"));
        assert_eq!(first(&[done]).as_deref(), Some("prepare"));
        assert_eq!(first(&[]), None);
    }
}
