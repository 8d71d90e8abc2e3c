//! Elements made of what is told at run time. `view!` makes code of each element that it is given; a page whose elements are
//! many and plain is a fraction of that, made so.

use leptos::ev;
use leptos::prelude::*;
use leptos::tachys::html::attribute::any_attribute::{AnyAttribute, IntoAnyAttribute};
use leptos::tachys::html::attribute::custom::custom_attribute;
use leptos::tachys::html::element::custom;
use leptos::tachys::html::event::on;
use leptos::tachys::html::property::prop;

use crate::signals::{Part, dynamic};

/// An element that is being made, with what is in it.
pub struct Element {
    path: &'static str,
    attributes: Vec<AnyAttribute>,
    children: Vec<AnyView>,
}

/// An element by its tag and its classes, `li.a.b`; with elements in each other, `li.a>span.b`, what is in it goes to the
/// innermost, and its attributes to the outermost.
pub fn el(path: &'static str) -> Element {
    Element { path, attributes: Vec::new(), children: Vec::new() }
}

impl Element {
    /// An attribute that stays.
    pub fn attr(self, name: &'static str, value: &str) -> Self {
        self.with(custom_attribute(name, value.to_owned()).into_any_attr())
    }

    /// An attribute that follows the signals that `value` reads, and is not there where that is none.
    pub fn follow(self, name: &'static str, value: impl Fn() -> Option<String> + Send + 'static) -> Self {
        self.follow_boxed(name, Box::new(value))
    }

    fn follow_boxed(self, name: &'static str, value: Box<dyn Fn() -> Option<String> + Send>) -> Self {
        self.with(custom_attribute(name, value).into_any_attr())
    }

    /// A property of the element's (`checked`, `disabled`) that follows the signals that `value` reads.
    pub fn prop(self, name: &'static str, value: impl Fn() -> bool + Send + 'static) -> Self {
        self.prop_boxed(name, Box::new(value))
    }

    fn prop_boxed(self, name: &'static str, value: Box<dyn Fn() -> bool + Send>) -> Self {
        self.with(prop(name, value).into_any_attr())
    }

    /// What happens at an event of that name.
    pub fn on(self, event: &'static str, act: impl Fn(web_sys::Event) + 'static) -> Self {
        self.on_boxed(event, Box::new(act))
    }

    fn on_boxed(self, event: &'static str, act: Box<dyn Fn(web_sys::Event)>) -> Self {
        let event = ev::Custom::<web_sys::Event>::new(event);
        self.with(on(event, move |event: web_sys::Event| act(event)).into_any_attr())
    }

    /// A part: a view, an element, a text, none or several of them.
    pub fn child(self, part: impl Part) -> Self {
        self.child_view(part.into_part())
    }

    /// Several parts.
    pub fn children(mut self, parts: Vec<AnyView>) -> Self {
        self.children.extend(parts);
        self
    }

    fn child_view(mut self, part: AnyView) -> Self {
        self.children.push(part);
        self
    }

    /// A text that follows the signals that it reads; none is nothing.
    pub fn telling(self, text: impl Fn() -> Option<String> + Send + 'static) -> Self {
        self.child(dynamic(text))
    }

    fn with(mut self, attribute: AnyAttribute) -> Self {
        self.attributes.push(attribute);
        self
    }

    /// The element.
    pub fn done(self) -> AnyView {
        let Self { path, mut attributes, children } = self;
        let mut inside = children.into_any();
        let mut steps = path.split('>').rev().peekable();
        while let Some(step) = steps.next() {
            let (tag, classes) = step.split_once('.').unwrap_or((step, ""));
            let mut own = if steps.peek().is_none() { std::mem::take(&mut attributes) } else { Vec::new() };
            if !classes.is_empty() {
                own.push(custom_attribute("class", classes.replace('.', " ")).into_any_attr());
            }
            inside = node(tag, own, inside);
        }
        inside
    }
}

fn node(tag: &'static str, attributes: Vec<AnyAttribute>, children: AnyView) -> AnyView {
    custom(tag).add_any_attr(attributes).child(children).into_any()
}

impl Part for Element {
    fn into_part(self) -> AnyView {
        self.done()
    }
}

/// A text as a part among others.
pub fn text(text: impl Into<String>) -> AnyView {
    let text: String = text.into();
    text.into_any()
}
