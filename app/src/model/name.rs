//! Names that helm and Kubernetes accept.

/// helm's limit on a release name (`pkg/chartutil/validate_name.go`): the record's Secret needs the rest.
pub const RELEASE_NAME_MAX: usize = 53;
/// Kubernetes' limit on a namespace (an RFC 1123 label).
pub const NAMESPACE_MAX: usize = 63;

/// Checks a release name by helm's rule; the error says what is wrong and where.
pub fn check_release_name(name: &str) -> Result<(), String> {
    check(name, "release name", RELEASE_NAME_MAX, true)
}

/// Checks a namespace's name by Kubernetes' rule; the error says what is wrong and where.
pub fn check_namespace(name: &str) -> Result<(), String> {
    check(name, "namespace", NAMESPACE_MAX, false)
}

/// A name that satisfies [`check_release_name`], made of a chart's name; empty if nothing of it can be used.
pub fn suggest_release_name(chart: &str) -> String {
    let mut name: String = chart
        .chars()
        .map(|c| c.to_ascii_lowercase())
        .map(|c| if c.is_ascii_lowercase() || c.is_ascii_digit() { c } else { '-' })
        .take(RELEASE_NAME_MAX)
        .collect();
    while name.contains("--") {
        name = name.replace("--", "-");
    }
    name.trim_matches('-').to_owned()
}

fn check(name: &str, what: &str, max: usize, dots: bool) -> Result<(), String> {
    let allowed =
        if dots { "lower-case letters, digits, '-' and '.'" } else { "lower-case letters, digits and '-'" };
    if name.is_empty() {
        return Err(format!("A {what} is required."));
    }
    let length = name.chars().count();
    if length > max {
        return Err(format!("A {what} has at most {max} characters; this one has {length}."));
    }
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if let Some((at, bad)) =
        name.chars().enumerate().find(|&(_, c)| !(plain(c) || c == '-' || dots && c == '.'))
    {
        return Err(format!("A {what} has only {allowed}; character {} is {bad:?}.", at + 1));
    }
    for part in name.split('.') {
        if !part.starts_with(plain) || !part.ends_with(plain) {
            return Err(if dots {
                format!(
                    "A {what}, and each part of it between dots, starts and ends with a letter or a digit."
                )
            } else {
                format!("A {what} starts and ends with a letter or a digit.")
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_helm_takes_pass() {
        for name in ["a", "web", "my-release.v2", "1st", &"x".repeat(53)] {
            assert_eq!(check_release_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn names_that_helm_refuses_are_refused_with_the_reason() {
        for (name, reason) in [
            ("", "required"),
            ("Web", "character 1 is 'W'"),
            ("a_b", "character 2 is '_'"),
            ("-a", "starts and ends"),
            ("a-", "starts and ends"),
            ("a..b", "between dots"),
            ("é", "character 1 is 'é'"),
            (&"x".repeat(54), "at most 53"),
        ] {
            let error = check_release_name(name).unwrap_err();
            assert!(error.contains(reason), "{name:?}: {error}");
        }
    }

    #[test]
    fn a_namespace_has_no_dots() {
        assert!(check_namespace("a.b").is_err());
        assert_eq!(check_namespace("team-a"), Ok(()));
    }

    #[test]
    fn a_suggested_name_passes_the_check() {
        for (chart, name) in
            [("platform", "platform"), ("My Chart_2", "my-chart-2"), ("--x--", "x"), ("日本", "")]
        {
            assert_eq!(suggest_release_name(chart), name);
        }
        assert_eq!(check_release_name(&suggest_release_name(&"long-".repeat(20))), Ok(()));
    }
}
