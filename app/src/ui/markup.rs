//! Views from their markup, written out, with what changes put into it. The macro makes code of each element and each
//! attribute, which every browser loads; a text compresses to next to nothing.
//!
//! In the markup `<!>` is a place for a text or a view, and an element with the attribute `x` takes attributes and
//! listeners: those of the parts that stand before the next place's, or before [`Part::Mark`]. Parts come in the order of their places. The markup is
//! always a literal of the program's; whatever comes from elsewhere is a part, which is a text and never markup.

use leptos::prelude::*;
use leptos::reactive::effect::RenderEffect;
use leptos::tachys::html::attribute::Attribute;
use leptos::tachys::html::attribute::any_attribute::AnyAttribute;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::renderer::dom::Dom;
use leptos::tachys::view::any_view::AnyViewState;
use leptos::tachys::view::{Mountable, Position, PositionState, Render, RenderHtml};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, Node};

/// What is put into a place of a markup.
pub enum Part {
    /// A text of the program's own.
    Word(&'static str),
    /// A text.
    Text(String),
    /// A view.
    View(AnyView),
    /// An attribute.
    Set(&'static str, String),
    /// An attribute that follows signals; while there is no value, it is not there.
    Follow(&'static str, Box<dyn Fn() -> Option<String> + Send>),
    /// A property of the element's that is a text, and follows signals.
    Value(&'static str, Box<dyn Fn() -> String + Send>),
    /// A property that is a switch, and follows signals.
    Switch(&'static str, Box<dyn Fn() -> bool + Send>),
    /// What comes next is another element's.
    Mark,
    /// A listener.
    On(&'static str, Box<dyn FnMut(Event) + Send>),
}

impl Part {
    fn is_content(&self) -> bool {
        matches!(self, Self::Word(_) | Self::Text(_) | Self::View(_))
    }
}

/// The view of a markup.
pub fn markup(html: &'static str, parts: Vec<Part>) -> AnyView {
    Markup { html, parts }.into_any()
}

/// A text that follows signals.
pub fn live(text: impl Fn() -> String + Send + 'static) -> Part {
    Part::View(crate::signals::dynamic(text))
}

/// A class that follows signals.
pub fn class(name: impl Fn() -> &'static str + Send + 'static) -> Part {
    Part::Follow("class", Box::new(move || Some(name().to_owned())))
}

/// A press.
pub fn press(act: impl Fn() + Send + 'static) -> Part {
    Part::On("click", Box::new(move |_| act()))
}

struct Markup {
    html: &'static str,
    parts: Vec<Part>,
}

/// A markup in the page, and what keeps it alive.
struct Filled {
    element: Element,
    views: Vec<AnyViewState>,
    effects: Vec<RenderEffect<()>>,
    listeners: Vec<Closure<dyn FnMut(Event)>>,
}

type Parts = std::iter::Peekable<std::vec::IntoIter<Part>>;

impl Filled {
    fn fill(&mut self, element: &Element, parts: &mut Parts) {
        if element.has_attribute("x") {
            let _ = element.remove_attribute("x");
            while let Some(part) = parts.next_if(|part| !part.is_content()) {
                if matches!(part, Part::Mark) {
                    break;
                }
                self.set(element, part);
            }
        }
        let mut next = element.first_child();
        while let Some(node) = next {
            next = node.next_sibling();
            if node.node_type() == Node::COMMENT_NODE {
                self.put(element, &node, parts.next());
            } else if let Some(child) = node.dyn_ref::<Element>() {
                self.fill(child, parts);
            }
        }
    }

    /// Puts a part where the comment is.
    fn put(&mut self, parent: &Element, place: &Node, part: Option<Part>) {
        let text = match part {
            Some(Part::Word(word)) => document().create_text_node(word),
            Some(Part::Text(text)) => document().create_text_node(&text),
            Some(Part::View(view)) => {
                let mut view = view.build();
                view.mount(parent, Some(place));
                self.views.push(view);
                let _ = parent.remove_child(place);
                return;
            }
            _ => return,
        };
        let _ = parent.replace_child(&text, place);
    }

    fn set(&mut self, element: &Element, part: Part) {
        let of = element.clone();
        match part {
            Part::Set(name, value) => {
                let _ = of.set_attribute(name, &value);
            }
            Part::Follow(name, value) => self.follow(Box::new(move || {
                let _ = match value() {
                    Some(value) => of.set_attribute(name, &value),
                    None => of.remove_attribute(name),
                };
            })),
            Part::Value(name, value) => self.follow(Box::new(move || property(&of, name, &value().into()))),
            Part::Switch(name, value) => self.follow(Box::new(move || property(&of, name, &value().into()))),
            Part::On(name, act) => {
                let listener = Closure::wrap(act as Box<dyn FnMut(Event)>);
                let _ = of.add_event_listener_with_callback(name, listener.as_ref().unchecked_ref());
                self.listeners.push(listener);
            }
            Part::Mark | Part::Word(_) | Part::Text(_) | Part::View(_) => {}
        }
    }

    fn follow(&mut self, act: Box<dyn Fn()>) {
        self.effects.push(RenderEffect::new(move |_: Option<()>| act()));
    }
}

fn property(of: &Element, name: &str, value: &JsValue) {
    // An element's property can be set.
    let _ = js_sys::Reflect::set(of, &name.into(), value);
}

impl Mountable for Filled {
    fn unmount(&mut self) {
        self.element.remove();
    }

    fn mount(&mut self, parent: &Element, marker: Option<&Node>) {
        let _ = parent.insert_before(&self.element, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        let Some(parent) = self.element.parent_element() else { return false };
        child.mount(&parent, Some(&self.element));
        true
    }

    fn elements(&self) -> Vec<Element> {
        vec![self.element.clone()]
    }
}

impl Render for Markup {
    type State = Filled;

    fn build(self) -> Filled {
        let element = Dom::create_element_from_html(self.html.into());
        let (views, effects, listeners) = (Vec::new(), Vec::new(), Vec::new());
        let mut filled = Filled { element: element.clone(), views, effects, listeners };
        filled.fill(&element, &mut self.parts.into_iter().peekable());
        filled
    }

    fn rebuild(self, state: &mut Filled) {
        let mut new = self.build();
        state.insert_before_this(&mut new);
        state.unmount();
        *state = new;
    }
}

impl AddAnyAttr for Markup {
    type Output<SomeNewAttr: Attribute> = Self;

    fn add_any_attr<NewAttr: Attribute>(self, _: NewAttr) -> Self
    where
        Self: RenderHtml,
    {
        self
    }
}

/// There is no server that writes pages.
impl RenderHtml for Markup {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(self, _: &mut String, _: &mut Position, _: bool, _: bool, _: Vec<AnyAttribute>) {}

    fn hydrate<const FROM_SERVER: bool>(self, _: &Cursor, _: &PositionState) -> Filled {
        self.build()
    }

    fn into_owned(self) -> Self {
        self
    }
}
