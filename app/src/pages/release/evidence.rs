//! What was seen in the cluster of an object that failed: its pods, how their containers are, and the end of their logs.

use leptos::prelude::*;

use crate::model::{ContainerEvidence, Evidence, PodEvidence};
use crate::signals::Views;
use crate::ui::label::kind_badge;
use crate::words::{count, say, told};

/// One object. Where its `name` is given, that stands in the place of what is wrong with it, which was said before.
pub fn evidence_view(evidence: &Evidence, name: Option<AnyView>) -> AnyView {
    let Evidence { object, reason, pods, events } = evidence;
    let bare = pods.iter().filter(|pod| pod.containers.is_empty());
    let bare =
        bare.map(|pod| view! { <li class="wrap">{say("Pod {name} ({phase})", &[("name", &pod.name), ("phase", &pod.phase)])}</li> }).views();
    let pods = pods
        .iter()
        .flat_map(|pod| pod.containers.iter().map(|container| container_view(pod, container)))
        .views();
    let events = events.iter().map(|event| view! { <li class="note wrap">{event.clone()}</li> }).views();
    let head = name.unwrap_or_else(|| {
        view! { <p class="named">{kind_badge(&object.kind)} <span class="wrap">{told(reason)}</span></p> }
            .into_any()
    });
    view! {
        <section class="evidence" aria-label=format!("{} {}", object.kind, object.name)>
            {head}
            <ul>{pods} {bare} {events}</ul>
        </section>
    }
    .into_any()
}

fn container_view(pod: &PodEvidence, container: &ContainerEvidence) -> AnyView {
    let with = [("name", pod.name.as_str()), ("phase", &pod.phase), ("container", &container.name)];
    let name = say("Pod {name} ({phase}), {container}:", &with) + " ";
    // What it said itself weighs more than what is said about it.
    let message = (!container.message.is_empty())
        .then(|| view! { <pre class="text said">{container.message.clone()}</pre> }.into_any());
    let missing = || {
        let text = told(container.log_missing.as_deref()?);
        Some(view! { <p class="note wrap">{text}</p> }.into_any())
    };
    let message = message.or_else(missing);
    let log = (!container.log.is_empty()).then(|| {
        let label = say("The end of the log of {name}", &[("name", &container.name)]);
        view! { <pre class="text" tabindex="0" aria-label=label role="region">{container.log.clone()}</pre> }
    });
    view! { <li><p class="wrap">{name} <b>{state_words(container)}</b></p> {message} {log}</li> }.into_any()
}

/// `exited with 3, Error, 2 restarts`; what the state says already is not said twice.
fn state_words(container: &ContainerEvidence) -> String {
    let ContainerEvidence { state, exit_code, signal, reason, restarts, .. } = container;
    let mut words = told(state);
    let number = |words: &'static str, number: i32| say(words, &[("n", &number.to_string())]);
    let more = [
        exit_code.map(|code| (number("exit code {n}", code), code.to_string())),
        signal.map(|signal| (number("signal {n}", signal), signal.to_string())),
        Some((reason.clone(), reason.clone())),
        (*restarts > 0).then(|| {
            let restarts = usize::try_from(*restarts).unwrap_or(usize::MAX);
            (count(restarts, "{n} restart", "{n} restarts"), "restart".to_owned())
        }),
    ];
    for (text, sign) in more.into_iter().flatten() {
        if !state.contains(&sign) {
            words = format!("{words}, {text}");
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_not_told_twice() {
        let container = |state: &str, exit_code, reason: &str, restarts| ContainerEvidence {
            state: state.into(),
            exit_code,
            reason: reason.into(),
            restarts,
            ..ContainerEvidence::default()
        };
        for (container, words) in [
            (container("exited with 3", Some(3), "Error", 0), "exited with 3, Error"),
            (
                container("waiting: CrashLoopBackOff", Some(1), "CrashLoopBackOff", 4),
                "waiting: CrashLoopBackOff, exit code 1, 4 restarts",
            ),
            (container("running, not ready", None, "", 0), "running, not ready"),
        ] {
            assert_eq!(state_words(&container), words);
        }
    }
}
