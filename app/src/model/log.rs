//! What helm says, piece by piece.

use serde::{Deserialize, Serialize};

/// What was said since an earlier piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LogPart {
    /// The text, ANSI colours and all.
    pub text: String,
    /// It follows what was told up to `since`; else it takes the place of all that was.
    pub continues: bool,
    /// Something older was left out before it.
    pub is_cut: bool,
    /// What to ask with for what comes next.
    pub next: String,
    /// The operation is over: nothing comes after this.
    pub is_over: bool,
}
