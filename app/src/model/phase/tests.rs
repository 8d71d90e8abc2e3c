//! The phase table.
