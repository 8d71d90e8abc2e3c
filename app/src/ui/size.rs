//! The size of an element, followed.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, ResizeObserver};

use crate::signals::task;

struct Watch {
    observer: ResizeObserver,
    _listener: Closure<dyn FnMut()>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Runs `act` when `element` is drawn and whenever it has got another size, for as long as the component, or the effect, lives
/// that this is called in.
pub fn on_resize(element: &Element, act: impl FnMut() + 'static) {
    let listener: Box<dyn FnMut()> = Box::new(act);
    let listener = Closure::wrap(listener);
    // Without an observer the element is as it was at first.
    let Ok(observer) = ResizeObserver::new(listener.as_ref().unchecked_ref()) else { return };
    observer.observe(element);
    let watch = Watch { observer, _listener: listener };
    task(async move {
        // It is disconnected when this future is dropped.
        let _watch = watch;
        std::future::pending::<()>().await;
    });
}
