//! The picture, moved and made larger and smaller: by pointer, by fingers, by keyboard.

use leptos::html;
use leptos::prelude::*;
use leptos::svg;
use wasm_bindgen::JsCast;
use web_sys::{KeyboardEvent, PointerEvent, WheelEvent};

use super::super::object::key_of;
use super::neighbour::{Direction, neighbour};
use super::node::{id_of, node_view};
use super::shapes::{boxes, edges};
use super::sight::{Choice, Sight, Size};
use crate::model::Picture;
use crate::model::picture::{NODE_HEIGHT, NODE_WIDTH};
use crate::signals::{Memo, Views, dynamic, effect, keyed};
use crate::ui::icon::icon;
use crate::ui::size::on_resize;
use crate::words::t;

/// How much larger at a step.
const STEP: f64 = 1.25;
/// How far the arrows move the picture.
const STRIDE: f64 = 60.0;
/// How far a pointer must go before it moves the picture: less is a click.
const SLACK: f64 = 4.0;

/// The fingers, or the mouse, that are on the picture.
#[derive(Default)]
struct Hold {
    pointers: Vec<(i32, Size)>,
    start: Size,
    is_moving: bool,
}

/// The picture in its frame.
pub fn canvas(picture: Memo<Picture>) -> AnyView {
    let frame = NodeRef::<html::Div>::new();
    let sight = RwSignal::new(None::<(Choice, Sight)>);
    let size = Memo::new(move || picture.with(|it| (f64::from(it.width), f64::from(it.height))));
    let room = move || {
        frame
            .get_untracked()
            .map_or((1.0, 1.0), |it| (f64::from(it.client_width()), f64::from(it.client_height())))
    };
    // What the user has not moved is shown anew when the window is made narrower, or the picture grows.
    let place = move || {
        let (size, room) = (size.get_untracked(), room());
        // A frame that is not drawn has no room.
        if room.0 <= 1.0 || room.1 <= 1.0 {
            return;
        }
        let now = match sight.get_untracked() {
            Some((choice, sight)) => (choice, sight.anew(choice, size, room)),
            None => (Choice::First, Sight::first(size, room)),
        };
        if sight.get_untracked() != Some(now) {
            sight.set(Some(now));
        }
    };
    effect(move || {
        if let Some(frame) = frame.get() {
            on_resize(&frame, place);
        }
    });
    effect(move || {
        size.track();
        place();
    });
    let change = move |change: &dyn Fn(Sight) -> Sight| {
        if let Some((choice, before)) = sight.get_untracked() {
            let after = change(before);
            sight.set(Some((if after == before { choice } else { Choice::Own }, after)));
        }
    };
    let zoom = move |by: f64| {
        let room = room();
        change(&|sight| sight.zoomed(by, (room.0 / 2.0, room.1 / 2.0)));
    };
    let pan = move |by: Size| change(&|sight| sight.moved(by, size.get_untracked(), room()));
    let fit = move || sight.set(Some((Choice::All, Sight::fit(size.get_untracked(), room()))));

    let keys = Memo::new(move || {
        picture.with(|it| it.nodes.iter().map(|node| key_of(&node.object)).collect::<Vec<_>>())
    });
    // The node that was gone to last; the first one, while there was none or it is gone.
    let last = RwSignal::new(String::new());
    let here = Memo::new(move || {
        let last = last.get();
        keys.with(|keys| keys.iter().find(|key| **key == last).or(keys.first()).cloned().unwrap_or_default())
    });
    let on_focus = move |key: String| {
        let place = picture.with_untracked(|it| {
            let node = it.nodes.iter().find(|node| key_of(&node.object) == key);
            node.map(|node| (f64::from(node.x), f64::from(node.y)))
        });
        last.set(key);
        if let Some(place) = place {
            let node = (f64::from(NODE_WIDTH), f64::from(NODE_HEIGHT));
            change(&|sight| sight.showing(place, node, room()));
        }
    };
    let go = move |direction: Direction| {
        let to = picture.with_untracked(|it| {
            let here = here.get_untracked();
            let at = it.nodes.iter().position(|node| key_of(&node.object) == here)?;
            neighbour(&it.nodes, at, direction).map(|to| key_of(&it.nodes[to].object))
        });
        let element = to.and_then(|to| document().get_element_by_id(&id_of(&to)));
        if let Some(element) = element.and_then(|it| it.dyn_into::<web_sys::SvgElement>().ok()) {
            let _ = element.focus();
        }
    };
    let on_key = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let key = event.key();
        let is_on_frame = event.target() == event.current_target();
        match (key.as_str(), Direction::of(&key)) {
            ("+" | "=", _) => zoom(STEP),
            ("-" | "_", _) => zoom(1.0 / STEP),
            ("0", _) => fit(),
            (_, Some(direction)) if is_on_frame || event.shift_key() => pan(match direction {
                Direction::Left => (STRIDE, 0.0),
                Direction::Right => (-STRIDE, 0.0),
                Direction::Up => (0.0, STRIDE),
                Direction::Down => (0.0, -STRIDE),
            }),
            (_, Some(direction)) => go(direction),
            _ => return,
        }
        event.prevent_default();
    };
    let at = move |x: i32, y: i32| {
        let corner = frame.get_untracked().map(|frame| frame.get_bounding_client_rect());
        corner.map_or((0.0, 0.0), |corner| (f64::from(x) - corner.left(), f64::from(y) - corner.top()))
    };
    let on_wheel = move |event: WheelEvent| {
        event.prevent_default();
        let by = if event.delta_y() < 0.0 { 1.1 } else { 1.0 / 1.1 };
        change(&|sight| sight.zoomed(by, at(event.client_x(), event.client_y())));
    };

    let hold = StoredValue::new(Hold::default());
    let on_down = move |event: PointerEvent| {
        if event.button() != 0 {
            return;
        }
        let place = at(event.client_x(), event.client_y());
        hold.update_value(|hold| {
            if hold.pointers.is_empty() {
                (hold.start, hold.is_moving) = (place, false);
            }
            hold.pointers.push((event.pointer_id(), place));
        });
    };
    let on_move = move |event: PointerEvent| {
        let to = at(event.client_x(), event.client_y());
        let mut moved = None;
        hold.update_value(|hold| {
            let Some(held) = hold.pointers.iter().position(|(id, _)| *id == event.pointer_id()) else {
                return;
            };
            let far = (to.0 - hold.start.0).hypot(to.1 - hold.start.1) > SLACK;
            if !hold.is_moving && !far && hold.pointers.len() == 1 {
                return;
            }
            hold.is_moving = true;
            let from = std::mem::replace(&mut hold.pointers[held].1, to);
            let other = hold.pointers.iter().find(|(id, _)| *id != event.pointer_id()).map(|(_, at)| *at);
            moved = Some((from, other));
        });
        let Some((from, other)) = moved else { return };
        // Whatever is below it from now on gets none of it: no click on a node, no end outside of the frame.
        if let Some(frame) = frame.get_untracked() {
            let _ = frame.set_pointer_capture(event.pointer_id());
        }
        match other {
            None => pan((to.0 - from.0, to.1 - from.1)),
            Some(other) => {
                let distance = |at: Size| (at.0 - other.0).hypot(at.1 - other.1).max(1.0);
                let middle = |at: Size| (f64::midpoint(at.0, other.0), f64::midpoint(at.1, other.1));
                let (before, after) = (middle(from), middle(to));
                change(&|sight| sight.zoomed(distance(to) / distance(from), before));
                pan((after.0 - before.0, after.1 - before.1));
            }
        }
    };
    let on_up = move |event: PointerEvent| {
        hold.update_value(|hold| hold.pointers.retain(|(id, _)| *id != event.pointer_id()));
    };

    let transform = Signal::derive(move || {
        let Sight { scale, x, y } =
            sight.get().map_or(Sight { scale: 1.0, x: 0.0, y: 0.0 }, |(_, sight)| sight);
        let [scale, x, y] = [scale, x, y]
            .map(|it| js_sys::Number::from(it).to_fixed(3).map(String::from).unwrap_or_default());
        ["translate(", &x, "px,", &y, "px) scale(", &scale, ")"].concat()
    });
    let one = move |key: String| {
        let of = key.clone();
        let node = Memo::new(move || {
            picture.with(|it| it.nodes.iter().find(|node| key_of(&node.object) == of).cloned())
        });
        node_view(key, node, here, on_focus)
    };
    let shapes = Memo::new(move || picture.with(|it| (boxes(it), edges(it))));
    let names = Memo::new(move || picture.with(|it| it.groups.clone()));
    let name = |group: crate::model::PictureGroup| {
        let name = group.source.rsplit('/').next().unwrap_or_default().to_owned();
        view! {
            <text class="group-name" x=group.x + 16 y=group.y + 24>
                {svg::title().child(group.source).into_any()} {name}
            </text>
        }
    };
    view! {
        <div
            class="topology-frame"
            node_ref=frame
            role="group"
            tabindex="0"
            aria-label=t("Picture of the resources")
            aria-describedby="topology-keys"
            on:keydown=on_key
            on:wheel=on_wheel
            on:pointerdown=on_down
            on:pointermove=on_move
            on:pointerup=on_up
            on:pointercancel=on_up
            on:dragstart=move |event| event.prevent_default()
        >
            <svg class="topology" class:topology-hidden=move || sight.with(Option::is_none)>
                <defs>
                    <marker
                        id="arrow"
                        viewBox="0 0 8 8"
                        refX="2"
                        refY="4"
                        markerWidth="7"
                        markerHeight="7"
                        orient="auto"
                    >
                        <path class="arrow" d="M0,0 L8,4 L0,8 z" />
                    </marker>
                </defs>
                <g style:transform=transform>
                    <g inner_html=Signal::derive(move || shapes.with(|shapes| shapes.0.clone()))></g>
                    <g aria-hidden="true">{dynamic(move || names.get().into_iter().map(name).views())}</g>
                    <g inner_html=Signal::derive(move || shapes.with(|shapes| shapes.1.clone()))></g>
                    <g>{keyed(move || keys.get(), one)}</g>
                </g>
            </svg>
        </div>
        <div class="topology-tools">
            <div class="topology-buttons" role="group" aria-label=t("View")>
                {tool(t("Zoom in"), "zoom-in", move || zoom(STEP))}
                {tool(t("Zoom out"), "zoom-out", move || zoom(1.0 / STEP))}
                {tool(t("Fit to screen"), "fit", fit)}
            </div>
            <p class="note" id="topology-keys">
                {t("Arrow keys go from one resource to the next, Enter opens it. Plus and minus zoom, 0 shows all of it.")}
            </p>
        </div>
    }
    .into_any()
}

fn tool(label: &'static str, name: &'static str, act: impl Fn() + 'static) -> AnyView {
    let act: Box<dyn Fn()> = Box::new(act);
    view! {
        <button
            type="button"
            class="pf-v6-c-button pf-m-secondary pf-m-small"
            aria-label=label
            title=label
            on:click=move |_| act()
        >
            <span class="pf-v6-c-button__icon">{icon(name)}</span>
        </button>
    }
    .into_any()
}
