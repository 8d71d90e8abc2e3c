//! Light, dark, or as the system has it. Kept in the browser; `public/boot.js` applies it before the first paint.

use leptos::prelude::*;

use crate::signals::Views;
use crate::words::t;

use super::dropdown::{Dropdown, Look, MenuChoice, MenuList};
use super::icon::icon;

/// Where the choice is kept.
const KEY: &str = "slipway.theme";
const DARK: &str = "(prefers-color-scheme: dark)";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Theme {
    Light,
    Dark,
    System,
}

impl Theme {
    const ALL: [Self; 3] = [Self::Light, Self::Dark, Self::System];

    fn word(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::System => "system",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Light => t("Light"),
            Self::Dark => t("Dark"),
            Self::System => t("As the system"),
        }
    }
}

/// The menu that chooses the theme.
#[component]
pub fn ThemeMenu() -> impl IntoView {
    let storage = window().local_storage().ok().flatten();
    let kept = storage.as_ref().and_then(|storage| storage.get_item(KEY).ok().flatten());
    let kept = Theme::ALL.into_iter().find(|theme| kept.as_deref() == Some(theme.word()));
    let theme = RwSignal::new(kept.unwrap_or(Theme::System));
    let choose = move |chosen: Theme| {
        theme.set(chosen);
        if let Some(storage) = window().local_storage().ok().flatten() {
            // A browser that keeps nothing still changes the theme for this visit.
            let _ = storage.set_item(KEY, chosen.word());
        }
        let dark = match chosen {
            Theme::Light => false,
            Theme::Dark => true,
            Theme::System => window().match_media(DARK).ok().flatten().is_some_and(|query| query.matches()),
        };
        if let Some(root) = document().document_element() {
            let _ = root.class_list().toggle_with_force("pf-v6-theme-dark", dark);
        }
    };
    let face = move || match theme.get() {
        Theme::Light => icon("light"),
        Theme::Dark => icon("dark"),
        Theme::System => icon("system"),
    };
    view! {
        <Dropdown look=Look::Icon label=t("Theme") align_end=true toggle=face>
            <MenuList>
                {Theme::ALL
                    .into_iter()
                    .map(|one| {
                        view! {
                            <MenuChoice
                                text=one.title()
                                selected=theme.get_untracked() == one
                                on_choose=move || choose(one)
                            />
                        }
                    })
                    .views()}
            </MenuList>
        </Dropdown>
    }
}
