//! Follows the releases and shows them.

pub mod decode;
pub mod manifest;
pub mod readiness;
