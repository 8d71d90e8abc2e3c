//! Which value is refused, and why: by a chart's schema, or by the cluster, which sees what became of the values.

use super::words::{between, sentence};

/// How many complaints a sentence has; the text has them all.
const TOLD: usize = 3;

/// One complaint of a schema.
struct Complaint<'a> {
    /// The chart whose schema it is.
    chart: &'a str,
    /// Where, as in `image.tag`; empty for the values as a whole.
    field: String,
    /// What is wrong, in the validator's words.
    said: &'a str,
}

/// The first value that a schema refuses, and whose schema it is.
pub(super) fn first_field(text: &str) -> Option<(Option<String>, String)> {
    let complaint = complaints(text).into_iter().find(|it| !it.field.is_empty())?;
    let chart = (!complaint.chart.is_empty()).then(|| complaint.chart.to_owned());
    Some((chart, complaint.field))
}

/// What the schemas complain of: `replicas must be at most 9, not 99.`
pub(super) fn by_schema(text: &str) -> Option<String> {
    let all = complaints(text);
    let Some(first) = all.first() else {
        // The complaints of a helm that words them in another way.
        return sentence(text.split_once("schema")?.1.split_once(':')?.1.trim_start());
    };
    // Of a chart alone, its name says nothing.
    let is_one = all.iter().all(|it| it.chart == first.chart);
    let mut words: Vec<String> = all
        .iter()
        .take(TOLD)
        .map(|it| if is_one { it.words() } else { format!("{}: {}", it.chart, it.words()) })
        .collect();
    if let Some(more) = all.len().checked_sub(TOLD).filter(|more| *more > 0) {
        words.push(format!("and {more} more"));
    }
    // What does not fit a sentence is cut, not left out.
    sentence(&words.join("; "))
}

fn complaints(text: &str) -> Vec<Complaint<'_>> {
    let Some((_, list)) = text.split_once("the schema(s) in the following chart(s):") else {
        return Vec::new();
    };
    let mut chart = "";
    let mut found = Vec::new();
    for line in list.lines().map(str::trim) {
        match line.strip_suffix(':').filter(|name| !name.contains(' ')) {
            Some(name) => chart = name,
            None => found.extend(complaint(line).map(|(field, said)| Complaint { chart, field, said })),
        }
    }
    found
}

/// `- at '/image/tag': got number, want string`, or, as older helms say it, `- image.tag: Invalid type. …`.
fn complaint(line: &str) -> Option<(String, &str)> {
    let complaint = line.strip_prefix("- ")?;
    if let Some((pointer, said)) = complaint.strip_prefix("at '").and_then(|rest| rest.split_once("': ")) {
        let keys = pointer.split('/').skip(1).map(|key| key.replace("~1", "/").replace("~0", "~"));
        return Some((keys.collect::<Vec<_>>().join("."), said));
    }
    let (path, said) = complaint.split_once(": ")?;
    let is_path = !path.is_empty() && !path.contains(char::is_whitespace);
    is_path.then(|| (if path == "(root)" { String::new() } else { path.to_owned() }, said))
}

impl Complaint<'_> {
    /// The complaint in plain words, where it is one that most charts' schemas make.
    fn words(&self) -> String {
        let Self { field, said, .. } = self;
        let below = |name: &str| if field.is_empty() { name.to_owned() } else { format!("{field}.{name}") };
        let measure = |what: &str| {
            let (is, limit) = said.strip_prefix(what)?.strip_prefix(": got ")?.split_once(", want ")?;
            Some((is, limit))
        };
        if let Some((is, limit)) = measure("maximum") {
            return format!("{field} must be at most {limit}, not {is}");
        }
        if let Some((is, limit)) = measure("minimum") {
            return format!("{field} must be at least {limit}, not {is}");
        }
        if let Some((is, wanted)) = said.strip_prefix("got ").and_then(|rest| rest.split_once(", want ")) {
            return format!("{field} must be of the type {wanted}, not {is}");
        }
        if let Some(name) = said.strip_prefix("missing property ") {
            return format!("{} is missing", below(name.trim_matches('\'')));
        }
        let unknown = between(said, "additional properties '", "' not allowed");
        if let Some(name) = unknown.filter(|name| !name.contains('\'')) {
            return format!("{} is no value of the chart", below(name));
        }
        if let Some(choices) = said.strip_prefix("value must be one of ") {
            return format!("{field} must be one of {choices}");
        }
        let said = said.trim_end_matches('.');
        if field.is_empty() { said.to_owned() } else { format!("{field}: {said}") }
    }
}

/// Which field of an object is wrong, and how: `.spec.replicas: expected numeric (int or float), got string.`
pub(super) fn by_cluster(text: &str) -> Option<String> {
    // helm 4: `… typed patch object (NS/N; G/V, Kind=K): PATH: MISTAKE`, or `errors:` and a path on each line.
    if let Some((_, rest)) = text.split_once("typed patch object (") {
        let said = rest.split_once("): ").map_or(rest, |(_, said)| said);
        let said = said.trim_start().strip_prefix("errors:").unwrap_or(said);
        return sentence(said.trim_start());
    }
    // The API server: `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`.
    if let Some((_, rest)) = text.split_once("cannot unmarshal ") {
        let (is, rest) = rest.split_once(" into Go struct field ")?;
        let (field, wanted) = first_word(rest)?;
        let path = field.split_once('.').map_or(field, |(_, path)| path);
        return Some(format!(".{path}: expected {wanted}, got {is}."));
    }
    // helm 3: `ValidationError(Deployment.spec.replicas): invalid type for …: got "string", expected "integer"`.
    if let Some((_, rest)) = text.split_once("ValidationError(") {
        let (field, said) = rest.split_once("): ")?;
        let path = field.split_once('.').map_or("", |(_, path)| path);
        let said = match said.split_once(": got ") {
            Some((_, kinds)) => format!("got {kinds}"),
            None => said.split(" in io.k8s").next().unwrap_or(said).to_owned(),
        };
        return sentence(&format!(".{path}: {said}"));
    }
    // The API server on an object that it can read: `Service "N" is invalid: [spec.…, spec.…]`.
    let said = text
        .split_once(" is invalid: ")
        .map(|(_, said)| said)
        .or_else(|| text.rsplit_once("validating data: ").map(|it| it.1))?;
    let said = said.split("; if you choose to ignore").next().unwrap_or(said).trim();
    sentence(said.strip_prefix('[').map_or(said, |list| list.trim_end_matches(']')))
}

/// `F` and `T` of `F of type T`.
fn first_word(text: &str) -> Option<(&str, &str)> {
    let (field, rest) = text.split_once(" of type ")?;
    Some((field, rest.split([' ', '\n', ';', ',']).next().unwrap_or(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(complaints: &str) -> String {
        let head = "values don't meet the specifications of the schema(s) in the following chart(s):";
        by_schema(&format!("{head}\n{complaints}")).unwrap_or_default()
    }

    #[test]
    fn a_schema_s_complaint_names_the_field_and_the_limit() {
        for (complaints, expected) in [
            ("queue:\n- at '/replicas': maximum: got 99, want 9\n", "replicas must be at most 9, not 99."),
            ("queue:\n- at '/replicas': minimum: got 0, want 1\n", "replicas must be at least 1, not 0."),
            (
                "web:\n- at '/image/tag': got number, want string\n",
                "image.tag must be of the type string, not number.",
            ),
            ("web:\n- at '': missing property 'host'\n", "host is missing."),
            ("web:\n- at '/a': additional properties 'b' not allowed\n", "a.b is no value of the chart."),
            ("web:\n- at '/a': value must be one of 'x', 'y'\n", "a must be one of 'x', 'y'."),
            (
                "web:\n- at '/a': 'B' does not match pattern '^[a-z]+$'\n",
                "a: 'B' does not match pattern '^[a-z]+$'.",
            ),
            (
                "web:\n- replicas: Must be less than or equal to 9\n",
                "replicas: Must be less than or equal to 9.",
            ),
            ("web:\n- (root): host is required\n", "host is required."),
            (
                "db:\n- at '/a': got number, want string\nweb:\n- at '/b': got null, want object\n",
                "db: a must be of the type string, not number; web: b must be of the type object, not null.",
            ),
            (
                "web:\n- at '': missing property 'a'\n- at '': missing property 'b'\n- at '': missing property 'c'\n- at '': missing property 'd'\n- at '': missing property 'e'\n",
                "a is missing; b is missing; c is missing; and 2 more.",
            ),
        ] {
            assert_eq!(schema(complaints), expected);
        }
    }

    #[test]
    fn the_cluster_s_complaint_names_the_field_and_what_is_wrong_with_it() {
        for (text, expected) in [
            (
                "server-side apply failed for object team-a/shopfront apps/v1, Kind=Deployment: failed to create typed patch object (team-a/shopfront; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string",
                ".spec.replicas: expected numeric (int or float), got string.",
            ),
            (
                "failed to create typed patch object (a/b; /v1, Kind=Service): errors:\n  .spec.foo: field not declared in schema\n  .spec.bar: field not declared in schema",
                ".spec.foo: field not declared in schema.",
            ),
            (
                "Deployment in version \"v1\" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
                ".spec.replicas: expected int32, got string.",
            ),
            (
                "error validating \"\": error validating data: ValidationError(Deployment.spec.replicas): invalid type for io.k8s.api.apps.v1.DeploymentSpec.replicas: got \"string\", expected \"integer\"",
                ".spec.replicas: got \"string\", expected \"integer\".",
            ),
            (
                "error validating data: ValidationError(Deployment.spec): unknown field \"foo\" in io.k8s.api.apps.v1.DeploymentSpec",
                ".spec: unknown field \"foo\".",
            ),
            (
                "Service \"web\" is invalid: [spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive]",
                "spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive.",
            ),
        ] {
            assert_eq!(by_cluster(text).as_deref(), Some(expected));
        }
    }
}
