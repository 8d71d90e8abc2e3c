use super::*;

fn parse(arguments: &[&str]) -> Result<Arguments, String> {
    let arguments = std::iter::once("slipway").chain(arguments.iter().copied());
    Arguments::read(arguments).map_err(|error| error.to_string())
}

#[test]
fn the_command_line_is_consistent() {
    Arguments::command().debug_assert();
}

#[test]
fn it_refuses_to_listen_where_others_can_reach_it_and_says_what_to_do() {
    for address in ["0.0.0.0:8080", "[::]:80", "192.168.1.5:8080"] {
        let error = parse(&["serve", "--listen", address]).unwrap_err();
        assert!(error.contains("ssh -L"), "{address}: {error}");
    }
    assert!(parse(&["serve", "--listen", "[::1]:0"]).is_ok());
}

#[test]
fn a_bad_repository_is_refused_with_the_reason() {
    for (text, reason) in [
        ("https://charts.example.org", "NAME=URL"),
        ("a b=https://x", "the NAME"),
        ("x=ftp://host", "must start with"),
        ("x=file:///etc", "must start with"),
        ("x=not a url", "cannot be read"),
    ] {
        let error = parse(&["serve", "--repository", text]).unwrap_err();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn a_password_in_a_repositorys_address_is_not_printed() {
    let address = repository("x=https://me:secret@host/charts").unwrap();
    assert!(!format!("{address:?}").contains("secret"));
}

#[test]
fn two_repositories_of_one_name_are_refused() {
    let error = parse(&["serve", "--repository", "x=https://a", "--repository", "x=https://b"]).unwrap_err();
    assert!(error.contains("two repositories are called x"), "{error}");
}

#[test]
fn a_log_filter_that_makes_no_sense_is_refused_with_one_that_does() {
    let error = parse(&["serve", "--log", "server=loud"]).unwrap_err();
    assert!(error.contains("server::http=debug"), "{error}");
}

#[test]
fn the_limits_have_defaults_and_are_checked() {
    let limits = |more: &[&str]| match parse(&[&["serve"], more].concat())?.command {
        Command::Serve(serve) => Ok::<_, String>(operations::Limits::from(&serve.limits)),
        _ => unreachable!(),
    };
    assert_eq!(limits(&[]).unwrap(), operations::Limits::default());
    let set = ["--max-runners=1", "--keep-operations=3", "--keep-operations-for=1w 12h"];
    let set = limits(&set).unwrap();
    assert_eq!((set.runners, set.kept, set.kept_for.as_secs()), (1, 3, (7 * 24 + 12) * 3600));
    for (wrong, reason) in [
        ("--max-runners=0", "from 1 to"),
        ("--keep-operations=many", "from 1 to"),
        ("--keep-operations-for=-1d", "not a length of time"),
        ("--keep-operations-for=1 month", "not a length of time"),
        ("--keep-operations-for=0s", "not a length of time"),
    ] {
        let error = limits(&[wrong]).unwrap_err();
        assert!(error.contains(reason), "{wrong}: {error}");
    }
}

#[test]
fn an_id_that_is_not_one_is_refused() {
    assert!(parse(&["run-operation", "../../etc"]).is_err());
}
