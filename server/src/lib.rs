//! Slipway's server: follows Helm releases and carries out operations on them in the background.
//!
//! The rooms: [`kube`] alone names the Kubernetes client, [`helm`] alone starts helm, [`operations`] accepts and carries
//! out, [`releases`] follows and shows, [`charts`] knows the repositories, [`clusters`] puts the rooms together for each cluster, [`http`] speaks to browsers and programs.

pub mod backend;
pub mod charts;
pub mod clock;
pub mod clusters;
pub mod credentials;
#[cfg(feature = "demo")]
pub mod demo;
pub mod helm;
pub mod http;
pub mod identity;
pub mod kube;
pub mod logging;
pub mod operations;
pub mod releases;
pub mod serve;
pub mod settings;
