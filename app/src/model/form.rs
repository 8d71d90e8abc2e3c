//! The form of a chart's values: what its schema and its `values.yaml` say of each of them. Every text in it comes from the
//! chart and is untrusted. What a value is, is kept as YAML text, so that none is changed by being shown.

use serde::{Deserialize, Serialize};

use super::chart::ChartSource;

/// What a field holds, and so how it is edited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum FieldKind {
    /// A mapping: [`FormField::fields`] by name, and [`FormField::other`] for names that are not among them.
    Object,
    /// A list of [`FormField::item`].
    Array,
    /// A text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// One of [`FormField::choices`].
    Choice,
    /// One of several things: [`FormField::variants`].
    Variants,
    /// The same as [`Form::definitions`] at [`FormField::definition`], because it can hold itself.
    Defined,
    /// Any YAML; [`FormField::reason`] says why nothing better is offered.
    #[default]
    Raw,
}

/// One value that a chart has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(no_recursion))]
#[serde(rename_all = "camelCase")]
pub struct FormField {
    /// Its name in the mapping that it is a field of; empty for the root, an item or a variant.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// What the chart calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the chart says of it, as plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it holds.
    pub kind: FieldKind,
    /// The mapping that it belongs to must have it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub required: bool,
    /// It may be null.
    #[serde(default, skip_serializing_if = "is_false")]
    pub nullable: bool,
    /// The chart advises against it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deprecated: bool,
    /// The chart does not expect it to be given.
    #[serde(default, skip_serializing_if = "is_false")]
    pub read_only: bool,
    /// A mapping may have no other names than its fields'.
    #[serde(default, skip_serializing_if = "is_false")]
    pub closed: bool,
    /// What applies when nothing is given, from `values.yaml`, as YAML. Of a mapping with fields, they have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// What the schema calls the default where `values.yaml` has none, as YAML. Helm does not fill it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// The names of a mapping: those of `values.yaml` in its order, then the schema's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FormField>,
    /// What a mapping's other names hold, if anything is said of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<Box<FormField>>,
    /// What a list's items are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Box<FormField>>,
    /// What can be chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<FormChoice>,
    /// What it can be, each whole in itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<FormField>,
    /// Which of [`Form::definitions`] it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<u32>,
    /// What its value must keep to.
    #[serde(default, skip_serializing_if = "FormLimits::is_none")]
    pub limits: FormLimits,
    /// What of it the form cannot show, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One of several values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FormChoice {
    /// The value, as YAML.
    pub value: String,
    /// What the chart calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// What a value must keep to. Numbers are texts as the schema writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FormLimits {
    /// At least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<String>,
    /// At most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<String>,
    /// More than.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<String>,
    /// Less than.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<String>,
    /// A multiple of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiple_of: Option<String>,
    /// At least so many characters, items or names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<u32>,
    /// At most so many characters, items or names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<u32>,
    /// A regular expression that a text matches somewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// `email`, `uri`, `date` and the like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// No two items are the same.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unique: bool,
}

impl FormLimits {
    /// Whether anything goes.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The form of a chart's values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Form {
    /// All values.
    pub root: FormField,
    /// What fields are that can hold themselves.
    pub definitions: Vec<FormField>,
    /// Whether a schema says anything; if none does, the form is made of `values.yaml` alone.
    pub has_schema: bool,
    /// What of the chart could not be understood, in words.
    pub notes: Vec<String>,
}

/// Which chart's form is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FormOf {
    /// Where the chart is to be installed; from elsewhere than a repository it is fetched for those alone who may do so there.
    pub namespace: String,
    /// The chart.
    pub chart: ChartSource,
}

/// Values to check against a chart's schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckValues {
    /// As in [`FormOf`].
    pub namespace: String,
    /// Which chart.
    pub chart: ChartSource,
    /// What the user gives, as YAML.
    pub values: String,
    /// What lies below that and above the chart's own values, as YAML: those of the revision before, where they are reused.
    #[serde(default)]
    pub base: String,
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ValuesProblem {
    /// The names and the places in lists (from 0) on the way to it; empty for the whole.
    pub path: Vec<String>,
    /// The line of the user's text that it is about, from 1; none if the user did not write what it is about.
    pub line: Option<u32>,
    /// The column there, from 1.
    pub column: Option<u32>,
    /// What is wrong, in words.
    pub message: String,
}

/// What a check of values says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ValuesCheck {
    /// What is wrong, in the order of the user's text.
    pub problems: Vec<ValuesProblem>,
    /// What could not be checked, and why, in words.
    pub notes: Vec<String>,
}

fn is_false(on: &bool) -> bool {
    !on
}
