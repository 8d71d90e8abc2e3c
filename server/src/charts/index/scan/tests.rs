use proptest::prelude::*;

use super::super::parse_any;
use super::*;

/// As helm writes it: `helm repo index`.
const HELMS: &str = r#"apiVersion: v1
entries:
  cache:
  - apiVersion: v2
    appVersion: "7"
    created: "2026-01-02T03:04:05.678901234-06:00"
    dependencies:
    - name: common
      repository: oci://registry.example.org/charts
      version: 2.x.x
    description: A cache that is
      told of in two lines
    digest: 8c5bcb2b8d7e2b4a5d51f6c9e9d1f5c7a1b0a2c3d4e5f60718293a4b5c6d7e8f
    home: https://example.org
    icon: https://example.org/cache.svg
    keywords:
    - cache
    - "true"
    maintainers:
    - email: ada@example.org
      name: Ada
    name: cache
    type: application
    urls:
    - https://example.org/cache-1.2.0.tgz
    - mirror/cache-1.2.0.tgz
    version: 1.2.0
  - annotations:
      artifacthub.io/changes: |
        - kind: added
          description: 'x: y'

        # not a comment
      category: Database
    apiVersion: v2
    created: "2026-01-02T03:04:05Z"
    deprecated: true
    description: 'It''s the newest: stable'
    icon: https://example.org/other.svg
    keywords: []
    name: cache
    urls:
    - cache-1.10.0.tgz
    version: 1.10.0
  web:
  - created: "2026-01-02T03:04:05Z"
    description: |-
      In several
      lines
    urls:
    - web-2.tgz
    version: "2"
generated: "2026-01-01T00:00:00Z"
"#;

#[test]
fn what_helm_writes_is_read_as_the_general_reader_reads_it() {
    let scanned = scan(HELMS).unwrap();
    assert_eq!(scanned.index, parse_any(HELMS).unwrap());
    let cache = &scanned.index.charts["cache"];
    assert_eq!((cache.versions.len(), cache.description.as_str()), (2, "It's the newest: stable"));
    assert_eq!(cache.category.as_deref(), Some("Database"));
    assert_eq!(scanned.index.charts["web"].description, "In several\nlines");
}

#[test]
fn the_end_of_lines_and_the_depth_of_indents_do_not_matter() {
    let deeper = "entries:\n    web:\n      -   urls:\n            - x\n          version: 1.0.0\n      -   version: 2.0.0\n          \
                  urls:\n          - y\n          description: |\n            a\n\n            b\n\n    db:\n    - version: 1.0.0\n      \
                  urls:\n      - z\n";
    let crlf = HELMS.replace('\n', "\r\n");
    for text in [crlf, format!("---\n# made by hand\n{HELMS}"), deeper.into(), HELMS.trim_end().into()] {
        let general = parse_any(&text).unwrap();
        assert!(!general.charts.is_empty());
        match scan(&text) {
            Ok(scanned) => assert_eq!(scanned.index, general, "{text}"),
            Err(Unsure) => panic!("unsure of {text}"),
        }
    }
}

#[test]
fn it_gives_up_at_what_it_is_not_sure_of() {
    for text in [
        "",
        "<html><body>Sign in</body></html>",
        "entries: {}",
        "entries:\n",
        "apiVersion: v1",
        "entries:\n  web:\n  - {version: 1.0.0, urls: [x]}\n",
        "entries:\n  web: &all\n  - version: 1.0.0\n    urls: [x]\n",
        "entries:\n  web:\n  - &first\n    version: 1.0.0\n",
        "entries:\n  web:\n  - version: &v 1.0.0\n    urls:\n    - x\n",
        "entries:\n  web:\n  - <<: *base\n    version: 1.0.0\n",
        "entries:\n  web:\n  - version: 1.0.0\n    version: 2.0.0\n",
        "entries:\n  web:\n  - version: 1.0.0\n  web:\n  - version: 2.0.0\n    urls:\n    - x\n",
        "entries:\n\tweb:\n",
        "entries:\n  web:\n  - version: 1.0.0\n   urls: [x]\n",
        "entries:\n  web:\n  - just text\n",
        "entries:\n  true:\n  - version: 1.0.0\n",
        "entries:\n  1.10:\n  - version: 1.0.0\n",
        "entries:\n  web:\n  - version: 1.0.0\n    home: {a:\n    b}\n",
        "entries:\n  web:\n  - version: 1.0.0\n---\nentries:\n  web: []\n",
        "{\"entries\": {}}",
    ] {
        assert_eq!(scan(text).err(), Some(Unsure), "{text:?}");
    }
}

#[test]
fn numbers_and_switches_are_what_the_general_reader_makes_of_them() {
    for value in [
        "1.10",
        "1.2.3",
        "0x10",
        "010",
        "1e3",
        "12e456",
        "true",
        "True",
        "no",
        "null",
        "~",
        "\"1.10\"",
        "'a''b'",
        "\"a\\nb\"",
        "a #b",
        "a#b",
        "a: b",
        "[x]",
        "{}",
        "-1",
        ".5",
        ".inf",
        "1_000",
        "2026-01-01",
        "v1",
        "!!str 1",
        "| x",
        "> x",
        "é",
        "\"never closed",
        "1:30",
        "0o7",
        "+1",
        "",
        "deadbeef",
        "1234567890",
        "00e1",
        "Yes",
        "y",
    ] {
        let text = format!(
            "entries:\n  web:\n  - appVersion: {value}\n    description: {value}\n    urls:\n    - {value}\n    - x\n    version: 1.0.0\n"
        );
        if let Ok(scanned) = scan(&text) {
            assert_eq!(Ok(scanned.index), parse_any(&text), "{value:?}");
        }
    }
}

/// Most of a large index is stepped over, and what is read of it is read without the general reader: its cost, not the
/// time it takes, is what this holds.
#[test]
fn next_to_nothing_of_a_large_index_is_spelled_out() {
    let mut text = String::from("apiVersion: v1\nentries:\n");
    for chart in 0..20 {
        text.push_str(&format!("  chart-{chart}:\n"));
        for version in 0..75 {
            text.push_str(&crate::charts::index::sample::entry(chart, version));
        }
    }
    let scanned = scan(&text).unwrap();
    assert_eq!(scanned.index.charts.values().map(|chart| chart.versions.len()).sum::<usize>(), 20 * 75);
    assert!(scanned.spelled_out * 100 < text.len(), "{} of {}", scanned.spelled_out, text.len());
    assert_eq!(scanned.index, parse_any(&text).unwrap());
}

/// A value as somebody might write it, on one line or more.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9.:#' \"\\[\\]{}&*|>~-]{0,12}",
        "[0-9]{1,3}(\\.[0-9]{1,3}){0,3}(-[a-z0-9.]{1,5})?",
        "[a-z]{1,8} [a-z]{1,8}\n      [a-z]{1,8}",
        "\"[a-z :#\\\\]{0,10}\"",
        "'[a-z :#']{0,10}'",
        "\\|\n      [a-z:# -]{1,10}\n\n      [a-z]{1,5}",
    ]
}

proptest! {
    #[test]
    fn it_never_differs_from_the_general_reader(odd in value(), place in 0..6usize, second in any::<bool>()) {
        let plain = ["1.0.0", "2", "Some words", "https://example.org", "x", "1.20"];
        let mut text = String::from("entries:\n  web:\n");
        for version in 0..=usize::from(second) {
            let value = |at: usize| match (at == place, version) {
                (true, _) => odd.clone(),
                (false, 1) if at == 0 => "3.0.0".to_owned(),
                _ => plain[at].to_owned(),
            };
            text.push_str(&format!(
                "  - appVersion: {}\n    description: {}\n    home: {}\n    urls:\n    - {}\n    kubeVersion: {}\n    version: {}\n",
                value(1), value(2), value(3), value(4), value(5), value(0),
            ));
        }
        if let (Ok(scanned), Ok(general)) = (scan(&text), parse_any(&text)) {
            prop_assert_eq!(scanned.index, general, "{}", text);
        }
    }
}
