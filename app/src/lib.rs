//! What the server and the browser share: the domain, the server functions and the pages.
//!
//! `cluster` is which cluster a page is about. `model` is pure, `api` is the table of server functions, `port` is what they ask of the world, `client` is what the
//! pages call.

pub mod api;
#[cfg(feature = "csr")]
mod client;
#[cfg(feature = "csr")]
mod cluster;
pub mod model;
#[cfg(feature = "csr")]
pub mod pages;
#[cfg(feature = "ssr")]
pub mod port;
#[cfg(feature = "csr")]
mod signals;
#[cfg(feature = "csr")]
mod ui;
pub mod words;
