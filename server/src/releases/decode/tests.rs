use std::io::Write;
use std::path::{Path, PathBuf};

use app::model::Timestamp;
use base64::Engine;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use serde_json::json;

use super::*;

/// The records that real helms wrote, as (file name, payload, namespace).
fn fixtures() -> Vec<(String, Vec<u8>, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/releases/decode/fixtures");
    let files = |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found: Vec<_> = files(root)
        .flat_map(files)
        .map(|path| {
            let secret: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let payload = STANDARD.decode(secret["data"]["release"].as_str().unwrap()).unwrap();
            let version = path.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
            let name = format!("{version}/{}", path.file_name().unwrap().to_str().unwrap());
            (name, payload, secret["metadata"]["namespace"].as_str().unwrap().to_owned())
        })
        .collect();
    assert_eq!(found.len(), 29);
    found
}

fn fixture(name: &str) -> FullRecord {
    let (_, payload, namespace) = fixtures().into_iter().find(|(file, ..)| file == name).unwrap();
    full(&payload, &namespace).unwrap()
}

fn encode(bytes: &[u8]) -> Vec<u8> {
    STANDARD.encode(bytes).into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn record(json: &Value) -> Vec<u8> {
    encode(&gzip(json.to_string().as_bytes()))
}

#[test]
fn every_record_of_a_real_helm_is_read_at_both_depths_alike() {
    for (name, payload, namespace) in fixtures() {
        let short = summary(&payload, &namespace).unwrap_or_else(|error| panic!("{name}: {error}"));
        let long = full(&payload, &namespace).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(short, long.summary, "{name}");
        assert!(short.chart.is_some() && short.chart_version.is_some(), "{name}");
        assert!(short.first_deployed.is_some() && short.first_deployed <= short.last_deployed, "{name}");
        assert_eq!(short.deleted.is_some(), name.contains("uninstalled"), "{name}");
        assert_eq!(short.target_namespace, None, "{name}");
        assert!(long.manifest.contains("# Source:"), "{name}");
        assert!(long.notes.starts_with("Visit"), "{name}");
    }
}

#[test]
fn a_failed_record_tells_its_cause() {
    let record = fixture("helm3/wait-failed.v1.failed.json");
    let description = record.summary.description.unwrap();
    assert_eq!(description, r#"Release "wait-failed" failed: context deadline exceeded"#);
}

#[test]
fn hooks_come_with_their_events_and_last_runs() {
    for helm in ["helm3", "helm4"] {
        let record = fixture(&format!("{helm}/hooked.v1.deployed.json"));
        let migrate = record.hooks.iter().find(|hook| hook.path.contains("hook")).unwrap();
        assert!(!migrate.manifest.is_empty());
        let runs: Vec<_> = record
            .hooks
            .iter()
            .map(|hook| {
                (hook.events.join(","), hook.last_run.phase.as_str(), hook.last_run.completed_at.is_some())
            })
            .collect();
        assert_eq!(
            runs,
            [("test".into(), "Failed", true), ("pre-install,pre-upgrade".into(), "Succeeded", true)],
            "{helm}"
        );
    }
}

#[test]
fn a_hook_that_never_ran_has_no_times() {
    let record = fixture("helm4/hook-failed.v1.failed.json");
    assert_eq!(record.hooks[0].last_run, json::HookRun::default());
}

#[test]
fn times_are_read_to_the_millisecond_and_every_zero_time_is_none() {
    for (text, expected) in [
        (json!("2026-11-30T03:42:01.963888382Z"), Some(Timestamp(1_796_010_121_963))),
        (json!("2026-11-30T05:42:01+02:00"), Some(Timestamp(1_796_010_121_000))),
        (json!(""), None),
        (json!("0001-01-01T00:00:00Z"), None),
        (json!(null), None),
        (json!("yesterday"), None),
    ] {
        let json = json!({"info": {"last_deployed": text, "deleted": text}});
        let short = summary(&record(&json), "ns").unwrap();
        assert_eq!(
            (short.last_deployed, short.deleted, short.first_deployed),
            (expected, expected, None),
            "{text}"
        );
        assert_eq!(full(&record(&json), "ns").unwrap().summary, short, "{text}");
    }
}

#[test]
fn a_record_with_parts_null_or_absent_is_still_a_record() {
    for json in [
        json!({}),
        json!({"info": null, "chart": null, "hooks": null, "config": null, "manifest": null, "namespace": null}),
        json!({"chart": {"metadata": null, "values": null}, "info": {"notes": null}}),
        json!({"hooks": [null, {"events": null, "manifest": null, "last_run": null}]}),
    ] {
        assert_eq!(summary(&record(&json), "ns"), Ok(RecordSummary::default()), "{json}");
        let record = full(&record(&json), "ns").unwrap();
        assert_eq!((record.notes.as_str(), record.manifest.as_str()), ("", ""), "{json}");
    }
}

#[test]
fn a_target_namespace_is_told_where_it_differs_from_the_records() {
    let payload = record(&json!({"namespace": "elsewhere"}));
    assert_eq!(summary(&payload, "here").unwrap().target_namespace.as_deref(), Some("elsewhere"));
    assert_eq!(summary(&payload, "elsewhere").unwrap().target_namespace, None);
}

#[test]
fn plain_json_without_gzip_is_read() {
    let payload = encode(json!({"info": {"description": "early"}}).to_string().as_bytes());
    assert_eq!(summary(&payload, "ns").unwrap().description.as_deref(), Some("early"));
}

#[test]
fn whole_numbers_stay_whole() {
    let payload = record(&json!({"config": {"replicas": 3, "big": 9_007_199_254_740_993_i64, "half": 0.5}}));
    assert_eq!(
        full(&payload, "ns").unwrap().config.to_string(),
        r#"{"big":9007199254740993,"half":0.5,"replicas":3}"#
    );
}

#[test]
fn what_is_broken_is_told_in_words() {
    let good = gzip(br#"{"info":{"description":"hello, this is long enough to be cut"}}"#);
    let mut flipped = good.clone();
    let end = flipped.len() - 6;
    flipped[end] ^= 0xff;
    let deep = |depth: usize| format!(r#"{{"config":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
    for (case, payload, expected) in [
        ("empty", vec![], DecodeError::Empty),
        ("white space", b" \n".to_vec(), DecodeError::Empty),
        ("not base64", b"{\"info\":{}}".to_vec(), DecodeError::NotBase64),
        ("half of gzip", encode(&good[..good.len() / 2]), DecodeError::BrokenGzip),
        ("a wrong checksum", encode(&flipped), DecodeError::BrokenGzip),
        ("gzip's magic alone", encode(&GZIP_MAGIC), DecodeError::BrokenGzip),
        ("not JSON", encode(&gzip(b"release: web")), DecodeError::NotJson { line: 1, column: 1 }),
        ("half of JSON", encode(&gzip(b"{\"info\":")), DecodeError::NotJson { line: 1, column: 8 }),
        ("a number", encode(&gzip(b"5")), DecodeError::NotRelease { line: 1, column: 1 }),
        ("deep nesting", encode(&gzip(deep(1000).as_bytes())), DecodeError::TooDeep),
        ("more than the limit", vec![b'A'; MAX_ENCODED + 1], DecodeError::TooLarge),
    ] {
        assert_eq!(full(&payload, "ns"), Err(expected), "{case}");
    }
}

#[test]
fn a_summary_passes_over_deep_nesting() {
    let payload =
        format!(r#"{{"config":{}{},"info":{{"description":"d"}}}}"#, "[".repeat(9999), "]".repeat(9999));
    let payload = encode(&gzip(payload.as_bytes()));
    assert_eq!(summary(&payload, "ns").unwrap().description.as_deref(), Some("d"));
}

#[test]
fn a_zip_bomb_is_cut_off_at_the_limit() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(b"{\"manifest\":\"").unwrap();
    let spaces = vec![b' '; 1024 * 1024];
    for _ in 0..=MAX_DECODED / (1024 * 1024) {
        encoder.write_all(&spaces).unwrap();
    }
    encoder.write_all(b"\"}").unwrap();
    let payload = encode(&encoder.finish().unwrap());
    assert!(payload.len() < MAX_ENCODED);
    assert_eq!(summary(&payload, "ns"), Err(DecodeError::TooLarge));
}

#[test]
fn an_error_holds_nothing_of_the_content() {
    let error = summary(&record(&json!({"info": "hunter2"})), "ns").unwrap_err();
    assert!(!error.to_string().contains("hunter2"), "{error}");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>) {
        let _ = full(&bytes, "ns");
        let _ = full(&encode(&bytes), "ns");
        let _ = full(&encode(&gzip(&bytes)), "ns");
        let mut behind_magic = GZIP_MAGIC.to_vec();
        behind_magic.extend(&bytes);
        prop_assert!(full(&encode(&behind_magic), "ns").is_err());
    }
}

#[test]
fn of_a_charts_files_only_its_definitions_are_kept() {
    let file = |name: &str, text: &str| json!({"name": name, "data": STANDARD.encode(text)});
    for (files, definitions) in [
        (
            json!([file("README.md", "x"), file("crds/a.yaml", "kind: A"), null, file("crds/notes.txt", "x"), file("crds/b/c.yml", "c"),
                   {"name": "crds/broken.yaml", "data": "!"}, {"name": null}]),
            vec!["kind: A", "c"],
        ),
        (json!(null), vec![]),
        (json!([]), vec![]),
        (json!({"not": "a list"}), vec![]),
        (json!([{"name": 5}, "x", ["y"]]), vec![]),
    ] {
        let payload = STANDARD.encode(json!({"chart": {"files": files}}).to_string());
        assert_eq!(full(payload.as_bytes(), "ns").unwrap().definitions, definitions);
    }
    let payload = STANDARD.encode(json!({"chart": {}}).to_string());
    assert!(full(payload.as_bytes(), "ns").unwrap().definitions.is_empty());
}
