//! Leptos' signals, effects and views, in boxes: one compiled copy for all types and closures, in the place of one for each.
//! The browser loads every copy, and most of the program's size would be copies.

use std::any::Any;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

use leptos::prelude as lp;
use leptos::prelude::{AnyView, Get, GetUntracked, IntoAny, Set, Signal, Track, View, WithUntracked};
use leptos::task::spawn_local_scoped_with_cancellation;

type Stored = Arc<dyn Any + Send + Sync>;

/// A value that is computed from signals and computed anew when they change; whoever follows it is told only when it came
/// out different.
pub struct Memo<T> {
    inner: lp::Memo<Computed>,
    of: PhantomData<fn() -> T>,
}

#[derive(Clone)]
struct Computed {
    value: Stored,
    same: fn(&dyn Any, &dyn Any) -> bool,
}

impl PartialEq for Computed {
    fn eq(&self, other: &Self) -> bool {
        (self.same)(&*self.value, &*other.value)
    }
}

impl<T> Clone for Memo<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Memo<T> {}

impl<T: PartialEq + Send + Sync + 'static> Memo<T> {
    /// Follows what `compute` reads.
    pub fn new(compute: impl Fn() -> T + Send + Sync + 'static) -> Self {
        let compute = move || Computed {
            value: Arc::new(compute()),
            same: |one, other| one.downcast_ref::<T>() == other.downcast_ref::<T>(),
        };
        Self { inner: boxed_memo(Box::new(compute)), of: PhantomData }
    }

    /// Looks at the value, and follows it.
    pub fn with<R>(self, look: impl FnOnce(&T) -> R) -> R {
        look(cast(&*self.inner.get().value))
    }

    /// Looks at the value once.
    pub fn with_untracked<R>(self, look: impl FnOnce(&T) -> R) -> R {
        look(cast(&*self.inner.get_untracked().value))
    }

    /// Follows the value without looking at it.
    pub fn track(self) {
        // Read, too: a memo that nobody has read has not been computed, and follows nothing itself.
        drop(self.inner.get());
    }
}

impl<T: Clone + PartialEq + Send + Sync + 'static> Memo<T> {
    /// The value; it is followed.
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// The value now.
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }
}

impl<T: Clone + PartialEq + Send + Sync + 'static> From<Memo<T>> for Signal<T> {
    fn from(memo: Memo<T>) -> Self {
        Signal::derive(move || memo.get())
    }
}

fn boxed_memo(compute: Box<dyn Fn() -> Computed + Send + Sync>) -> lp::Memo<Computed> {
    lp::Memo::new(move |_| compute())
}

/// A place for a value that is not there at first.
pub struct Slot<T> {
    inner: lp::RwSignal<Option<Stored>>,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Slot<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Slot<T> {}

impl<T: Send + Sync + 'static> Slot<T> {
    /// An empty place.
    pub fn new() -> Self {
        Self { inner: lp::RwSignal::new(None), of: PhantomData }
    }

    /// Puts a value there, or takes it away.
    pub fn set(self, value: Option<T>) {
        self.inner.set(value.map(|value| -> Stored { Arc::new(value) }));
    }

    /// Looks at the value, and follows it.
    pub fn with<R>(self, look: impl FnOnce(Option<&T>) -> R) -> R {
        look(self.inner.get().as_deref().map(|value| cast(value)))
    }

    /// Looks at the value once.
    pub fn with_untracked<R>(self, look: impl FnOnce(Option<&T>) -> R) -> R {
        look(self.inner.get_untracked().as_deref().map(|value| cast(value)))
    }

    /// Whether there is one; it is followed.
    pub fn is_some(self) -> bool {
        self.inner.track();
        self.inner.with_untracked(Option::is_some)
    }
}

impl<T: Clone + Send + Sync + 'static> Slot<T> {
    /// The value; it is followed.
    pub fn get(self) -> Option<T> {
        self.with(|value| value.cloned())
    }

    /// The value now.
    pub fn get_untracked(self) -> Option<T> {
        self.with_untracked(|value| value.cloned())
    }
}

/// What a [`Memo`] or a [`Slot`] of `T` holds: put there by itself, as a `T`.
fn cast<T: 'static>(value: &(dyn Any + Send + Sync)) -> &T {
    match value.downcast_ref() {
        Some(value) => value,
        None => unreachable!("a value of another type"),
    }
}

/// Runs `act` after the page is drawn, and again whenever a signal that it reads has changed.
pub fn effect(act: impl FnMut() + 'static) {
    fn boxed(mut act: Box<dyn FnMut()>) {
        lp::Effect::new(move |_: Option<()>| act());
    }
    boxed(Box::new(act));
}

/// Runs a future for as long as the component, or the effect, lives that this is called in.
pub fn task(future: impl Future<Output = ()> + 'static) {
    let future: Pin<Box<dyn Future<Output = ()>>> = Box::pin(future);
    spawn_local_scoped_with_cancellation(future);
}

/// A part of a page that follows the signals it reads.
pub fn dynamic<P: Part>(mut part: impl FnMut() -> P + Send + 'static) -> AnyView {
    let part: Box<dyn FnMut() -> AnyView + Send> = Box::new(move || part().into_part());
    part.into_any()
}

/// What can be a part of a page that changes: a view, a text, none or several of them.
pub trait Part {
    /// The part, its type forgotten.
    fn into_part(self) -> AnyView;
}

impl Part for AnyView {
    fn into_part(self) -> AnyView {
        self
    }
}

impl<V> Part for View<V>
where
    View<V>: IntoAny,
{
    fn into_part(self) -> AnyView {
        self.into_any()
    }
}

impl Part for String {
    fn into_part(self) -> AnyView {
        self.into_any()
    }
}

impl Part for &'static str {
    fn into_part(self) -> AnyView {
        self.to_owned().into_any()
    }
}

impl<P: Part> Part for Option<P> {
    fn into_part(self) -> AnyView {
        self.map_or_else(|| ().into_any(), Part::into_part)
    }
}

impl<P: Part> Part for Vec<P> {
    fn into_part(self) -> AnyView {
        self.into_iter().views().into_any()
    }
}

/// Several parts, one after the other.
pub trait Views {
    /// The parts, their types forgotten.
    fn views(self) -> Vec<AnyView>;
}

impl<P: Part, I: Iterator<Item = P>> Views for I {
    fn views(self) -> Vec<AnyView> {
        self.map(Part::into_part).collect()
    }
}

/// One part a key, in the order of the keys. A part whose key stays is not drawn again, wherever it moves.
pub fn keyed(
    keys: impl Fn() -> Vec<String> + Send + Sync + 'static,
    part: impl Fn(String) -> AnyView + Send + Sync + 'static,
) -> AnyView {
    let keys: Box<dyn Fn() -> Vec<String> + Send + Sync> = Box::new(keys);
    let part: Arc<dyn Fn(String) -> AnyView + Send + Sync> = Arc::new(part);
    leptos::view! { <lp::For each=keys key=|key| key.clone() children=move |key| part(key) /> }.into_any()
}
