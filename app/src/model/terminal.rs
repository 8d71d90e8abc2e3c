//! The same in a terminal.

use serde::{Deserialize, Serialize};

/// The command line that does in a terminal what an operation does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CommandLine {
    /// The line, to be pasted into a shell; empty where helm has no such command.
    pub text: String,
    /// What to do or to know before: that values are to be saved as a file, that credentials were left out.
    pub remarks: Vec<String>,
}
