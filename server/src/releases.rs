//! Follows the releases and shows them.

pub mod decode;
pub mod feed;
pub mod index;
pub mod inventory;
pub mod live;
pub mod manifest;
pub mod readiness;
pub mod values;
