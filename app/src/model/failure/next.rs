//! What a person can do after a failure.

use serde::{Deserialize, Serialize};

/// What a button does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum NextAction {
    /// Submit the same again; which verb that takes, the server knows.
    TryAgain,
    /// Upgrade the release.
    Upgrade,
    /// Go back to the revision that was deployed last.
    Rollback,
    /// Uninstall the release.
    Uninstall,
    /// Open the release's page.
    OpenRelease,
    /// Open the release that owns the object in the way.
    OpenOwner,
    /// Submit again and take over the fields that others manage.
    ForceConflicts,
    /// Back to the form, at the field or line where the text names one.
    EditValues,
    /// Back to the form, with the namespace to be created as well.
    CreateNamespace,
    /// Back to the form, for another release name.
    ChooseAnotherName,
    /// Back to the form, for another version of the chart or another source.
    ChooseAnotherVersion,
    /// Install over the release that failed and was never deployed.
    ReplaceFailed,
    /// Write into helm's record that it failed, as nobody works on it any more.
    MarkFailed,
    /// Read what the hook's pods wrote.
    SeeHookLog,
    /// Look at the release's resources.
    SeeResources,
    /// Look at what came of the release's tests.
    SeeTests,
}

impl NextAction {
    /// The words on the button.
    pub fn label(self) -> &'static str {
        match self {
            Self::TryAgain => "Try again",
            Self::Upgrade => "Upgrade",
            Self::Rollback => "Roll back",
            Self::Uninstall => "Uninstall",
            Self::OpenRelease => "Open the release",
            Self::OpenOwner => "Open the owner",
            Self::ForceConflicts => "Force conflicts",
            Self::EditValues => "Edit the values",
            Self::CreateNamespace => "Let the install create the namespace",
            Self::ChooseAnotherName => "Choose another name",
            Self::ChooseAnotherVersion => "Choose another version",
            Self::ReplaceFailed => "Replace the failed release",
            Self::MarkFailed => "Mark as failed",
            Self::SeeHookLog => "See the hook's log",
            Self::SeeResources => "See the resources",
            Self::SeeTests => "See the tests",
        }
    }
}

/// One thing to do next. One flat record for all actions, as the browser loads the code that reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct NextStep {
    /// What it does.
    pub action: NextAction,
    /// The owner's name, for [`NextAction::OpenOwner`]; none when it is the same as the release's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The owner's namespace, for [`NextAction::OpenOwner`]; none when it is the same as the release's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The path of the value, for [`NextAction::EditValues`], as in `image.tag`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The chart whose schema refuses the value, for [`NextAction::EditValues`]; a sub-chart's values are below its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart: Option<String>,
    /// The line of the values, for [`NextAction::EditValues`], from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl From<NextAction> for NextStep {
    fn from(action: NextAction) -> Self {
        Self { action, name: None, namespace: None, field: None, chart: None, line: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_says_only_what_there_is_to_say() {
        let step = NextStep { field: Some("image.tag".into()), ..NextAction::EditValues.into() };
        let text = serde_json::to_string(&step).unwrap();
        assert_eq!(text, r#"{"action":"editValues","field":"image.tag"}"#);
        assert_eq!(serde_json::from_str::<NextStep>(&text).unwrap(), step);
    }

    #[test]
    fn a_failure_recorded_before_there_were_steps_is_read_still() {
        let text = r#"{"class":"unknown","cause":"c","advice":null,"object":null,"text":"t"}"#;
        assert_eq!(serde_json::from_str::<crate::model::Failure>(text).unwrap().next, []);
    }
}
