//! The part of a page's state that is in the query of its address: filters, sorting, the page of a list.

use leptos::prelude::*;

use crate::signals::Memo;
use crate::ui::address::{Address, encode, pairs};

/// The value of `name` in the query; empty if there is none.
pub fn query_value(name: &'static str) -> Memo<String> {
    let address = Address::get();
    Memo::new(move || address.query.with(|query| value_in(query, name)))
}

/// The value of `name` in a query; empty if there is none.
pub fn value_in(query: &str, name: &str) -> String {
    pairs(query).into_iter().find(|(there, _)| there == name).map(|(_, value)| value).unwrap_or_default()
}

/// A path with the query that the page has now, so that its filters stay.
pub fn with_query(path: &str) -> String {
    let address = Address::get();
    address.query.with(|query| if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") })
}

/// The same without the values of these names: what belongs to a part of the page that is not shown there.
pub fn with_query_without(path: &str, names: &[&str]) -> String {
    let address = Address::get();
    let mut all = address.query.with(|query| pairs(query));
    all.retain(|(there, _)| !names.contains(&there.as_str()));
    written(path.to_owned(), &all)
}

/// A path with a query of these values.
fn written(mut to: String, all: &[(String, String)]) -> String {
    for (at, (name, value)) in all.iter().enumerate() {
        to.push(if at == 0 { '?' } else { '&' });
        to.push_str(&encode(name));
        to.push('=');
        to.push_str(&encode(value));
    }
    to
}

/// Changes some values in the query, in place: typing into a filter makes no history. An empty value takes the name away.
pub fn query_setter() -> Callback<Vec<(&'static str, String)>> {
    let address = Address::get();
    Callback::new(move |changes: Vec<(&'static str, String)>| {
        let to = address.query.with_untracked(|query| changed(&address.path.get_untracked(), query, changes));
        address.replace(&to);
    })
}

/// Changes one value in the query, in place.
pub fn query_word(name: &'static str) -> Callback<String> {
    let set = query_setter();
    Callback::new(move |value| set.run(vec![(name, value)]))
}

/// An address with some values in its query changed. An empty value takes the name away.
pub fn changed(path: &str, query: &str, changes: Vec<(&'static str, String)>) -> String {
    let mut all = pairs(query);
    for (name, value) in changes {
        all.retain(|(there, _)| there != name);
        if !value.is_empty() {
            all.push((name.to_owned(), value));
        }
    }
    written(path.to_owned(), &all)
}
