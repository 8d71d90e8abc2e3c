//! Icons, from the sprite that `style/icons.mjs` puts into the page.

use leptos::prelude::*;

/// The icon of that name; decoration only, so a text must say the same.
pub fn icon(name: &'static str) -> AnyView {
    drawing("pf-v6-svg", "0 0 32 32", format!("#i-{name}"))
}

/// The icon that turns while something is under way.
pub fn spinning_icon() -> AnyView {
    drawing("pf-v6-svg spinning", "0 0 32 32", "#i-progress".to_owned())
}

/// A symbol of the page's, by the address of its id.
pub fn drawing(class: &'static str, view_box: &'static str, href: String) -> AnyView {
    view! { <svg class=class viewBox=view_box aria-hidden="true"><use_ href=href /></svg> }.into_any()
}
