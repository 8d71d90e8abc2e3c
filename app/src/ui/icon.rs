//! Icons, from the sprite that `style/icons.mjs` puts into the page.

use leptos::prelude::*;

/// The icon of that name; decoration only, so a text must say the same.
pub fn icon(name: &'static str) -> AnyView {
    let href = format!("#i-{name}");
    view! { <svg class="pf-v6-svg" aria-hidden="true"><use_ href=href /></svg> }.into_any()
}

/// The icon that turns while something is under way.
pub fn spinning_icon() -> AnyView {
    view! { <svg class="pf-v6-svg spinning" aria-hidden="true"><use_ href="#i-progress" /></svg> }.into_any()
}
