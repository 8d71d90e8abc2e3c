//! Which resources the end waits for: named on the first screen, so that nobody has to look for the one that is stuck.

use leptos::prelude::*;

use super::{Live, health};
use crate::model::{Health, Resource};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::label::kind_badge;
use crate::words::{t, told};

/// How many are named. While more than these are on their way, only failed ones are: a list that changes each second
/// tells nobody anything.
const NAMED: usize = 5;

/// The list; nothing while there is nothing to name.
#[component]
pub fn Waiting(live: Live) -> impl IntoView {
    let named = Memo::new(move || live.resources.with(|all| to_name(all)));
    dynamic(move || {
        let named = named.get();
        (!named.is_empty()).then(|| {
            view! {
                <ul class="waiting" aria-label=t("Not ready")>
                    {named.into_iter().map(item).views()}
                </ul>
            }
        })
    })
}

fn item(resource: Resource) -> AnyView {
    let object = resource.object;
    view! {
        <li>
            {health::health_view(resource.health)}
            <span class="named">{kind_badge(&object.kind)} <span class="wrap">{object.name}</span></span>
            <span class="note wrap">{told(&resource.message)}</span>
        </li>
    }
    .into_any()
}

/// The failed ones; with them those that are not ready yet, if all of these can be named.
fn to_name(all: &[Resource]) -> Vec<Resource> {
    let of =
        |wanted: fn(Health) -> bool| all.iter().filter(move |one| one.hooks.is_empty() && wanted(one.health));
    let failed = of(|health| health == Health::Failed);
    let late = || of(|health| matches!(health, Health::Progressing | Health::Terminating | Health::Unknown));
    // What is missing is about to be created; who waits for that is not waiting for a resource.
    let is_made = of(|health| matches!(health, Health::Missing | Health::NotYet)).count() == 0;
    let is_near_the_end = late().count() <= NAMED && is_made;
    failed.chain(late().filter(|_| is_near_the_end)).take(NAMED).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ObjectRef;

    fn resources(states: &[Health]) -> Vec<Resource> {
        let resource = |(at, health): (usize, &Health)| Resource {
            object: ObjectRef {
                api_version: "v1".into(),
                kind: "Pod".into(),
                namespace: None,
                name: at.to_string(),
            },
            source: String::new(),
            hooks: vec![],
            health: *health,
            message: String::new(),
            created: None,
        };
        states.iter().enumerate().map(resource).collect()
    }

    fn named(states: &[Health]) -> Vec<String> {
        to_name(&resources(states)).into_iter().map(|one| one.object.name).collect()
    }

    #[test]
    fn the_last_ones_are_named() {
        assert_eq!(named(&[Health::Ready, Health::Progressing]), ["1"]);
        assert!(named(&[Health::Ready; 3]).is_empty());
    }

    #[test]
    fn while_many_are_on_their_way_only_failed_ones_are_named() {
        let mut states = vec![Health::Progressing; 9];
        assert!(named(&states).is_empty());
        states.push(Health::Failed);
        assert_eq!(named(&states), ["9"]);
    }

    #[test]
    fn a_failed_one_comes_first() {
        assert_eq!(named(&[Health::Progressing, Health::Failed]), ["1", "0"]);
    }

    #[test]
    fn while_things_are_created_nothing_is_late() {
        assert!(named(&[Health::Progressing, Health::Missing]).is_empty());
    }
}
