//! The part of a page's state that is in the query of its address: filters, sorting, the page of a list.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate, use_query_map};

use super::route::encode;

/// The value of `name` in the query; empty if there is none.
pub fn query_value(name: &'static str) -> Memo<String> {
    let query = use_query_map();
    Memo::new(move |_| query.with(|query| query.get_str(name).unwrap_or_default().to_owned()))
}

/// Changes some values in the query, in place: typing into a filter makes no history. An empty value takes the name away.
pub fn query_setter() -> Callback<Vec<(&'static str, String)>> {
    let query = use_query_map();
    let path = use_location().pathname;
    let navigate = use_navigate();
    Callback::new(move |changes: Vec<(&'static str, String)>| {
        let mut pairs: Vec<(String, String)> = query.with_untracked(|query| {
            query.latest_values().map(|(name, value)| (name.to_string(), value.to_owned())).collect()
        });
        for (name, value) in changes {
            pairs.retain(|(there, _)| there != name);
            if !value.is_empty() {
                pairs.push((name.to_owned(), value));
            }
        }
        let mut address = path.get_untracked();
        for (at, (name, value)) in pairs.iter().enumerate() {
            address.push(if at == 0 { '?' } else { '&' });
            address.push_str(&encode(name));
            address.push('=');
            address.push_str(&encode(value));
        }
        navigate(&address, NavigateOptions { replace: true, scroll: false, ..Default::default() });
    })
}
