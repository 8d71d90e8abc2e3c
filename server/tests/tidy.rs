//! The invariants of docs/ARCHITECTURE.md that the compiler does not hold.

#![allow(clippy::expect_used, reason = "a test fails by a panic")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// The Rust sources below `folder`, with their paths from the root.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a source folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root()).expect("below the root").display().to_string();
                found.push((name, std::fs::read_to_string(&path).expect("a source file")));
            }
        }
    }
    assert!(!found.is_empty(), "no source below {folder}");
    found
}

/// Fails with every line of `sources` outside comments that `is_bad`, unless its file's path starts with one of `rooms`.
fn only_in(sources: &[(String, String)], rooms: &[&str], rule: &str, is_bad: impl Fn(&str) -> bool) {
    let lines: Vec<String> = sources
        .iter()
        .filter(|(path, _)| !rooms.iter().any(|room| path.starts_with(room)))
        .flat_map(|(path, text)| text.lines().enumerate().map(move |(at, line)| (path, at + 1, line.trim())))
        .filter(|(_, _, line)| !line.starts_with("//") && is_bad(line))
        .map(|(path, at, line)| format!("{path}:{at}: {line}"))
        .collect();
    assert!(lines.is_empty(), "{rule}:\n{}", lines.join("\n"));
}

#[test]
fn the_app_has_no_kubernetes_in_its_graph() {
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "-p",
            "app",
            "--all-features",
            "-e",
            "normal",
            "--prefix",
            "none",
            "--offline",
            "--locked",
        ])
        .current_dir(root())
        .output()
        .expect("cargo tree");
    let tree = String::from_utf8_lossy(&tree.stdout).into_owned();
    assert!(tree.contains("leptos"), "cargo tree says nothing: {tree}");
    let kube: Vec<&str> =
        tree.lines().filter(|line| line.starts_with("kube") || line.starts_with("k8s")).collect();
    assert!(kube.is_empty(), "{kube:?}");
}

#[test]
fn only_the_kube_room_names_the_kubernetes_client() {
    only_in(&sources("server/src"), &["server/src/kube"], "Kubernetes' client outside its room", |line| {
        line.contains("k8s_openapi")
            || line.contains("::kube::") && !line.contains("crate::kube::")
            || line.starts_with("use kube::")
    });
}

#[test]
fn only_the_helm_room_and_the_launcher_start_programs() {
    let rooms = ["server/src/helm", "server/src/operations/launcher"];
    only_in(&sources("server/src"), &rooms, "A program is started outside its room", |line| {
        line.contains("Command::new")
    });
}

#[test]
fn pages_reach_the_server_through_the_client_alone() {
    let mut pages = sources("app/src/pages");
    pages.extend(sources("app/src/ui"));
    only_in(&pages, &[], "A page names a server function", |line| {
        line.contains("crate::api") || line.contains("api::")
    });
}

#[test]
fn each_address_of_the_page_is_below_its_cluster() {
    let all = sources("app/src");
    // Routes and calls pass through these, which put the cluster before them. Tests name addresses as they like.
    let rooms = ["app/src/api", "app/src/cluster.rs", "app/src/pages/route.rs", "app/src/ui/address.rs"];
    let untested = all.into_iter().map(|(path, text)| {
        let end = text.find("#[cfg(test)]").unwrap_or(text.len());
        (path, text[..end].to_owned())
    });
    let untested: Vec<_> = untested.filter(|(path, _)| !path.ends_with("tests.rs")).collect();
    only_in(&untested, &rooms, "An address without its cluster (see app/src/cluster.rs)", |line| {
        let is_named = ["\"/helm", "\"/api/", "\"/c/"].iter().any(|start| line.contains(start));
        is_named && !line.contains("cluster::address(")
    });
}

#[test]
fn what_the_browser_keeps_of_a_cluster_is_kept_under_its_name() {
    // Theme and language are the user's, in all clusters.
    let everywhere = ["app/src/ui/theme.rs", "app/src/words/"];
    let keepers: Vec<_> =
        sources("app/src").into_iter().filter(|(_, text)| !text.contains("cluster::key(")).collect();
    only_in(&keepers, &everywhere, "Kept without its cluster (see app/src/cluster.rs)", |line| {
        line.contains("local_storage()") || line.contains("session_storage()")
    });
}

#[test]
fn no_clusters_world_is_another_ones() {
    // What one process has once is there for all clusters: it can be no client, clock, cache or queue.
    only_in(&sources("server/src"), &[], "Something that all clusters would share", |line| {
        let is_static =
            line.starts_with("static ") || line.starts_with("pub static ") || line.contains("thread_local!");
        is_static
            && ["Mutex", "OnceLock", "LazyLock", "OnceCell", "RwLock", "RefCell"]
                .iter()
                .any(|it| line.contains(it))
    });
}

#[test]
fn the_model_does_no_input_or_output_and_reads_no_clock() {
    let outside =
        ["std::fs", "std::net", "std::process", "SystemTime", "Instant::now", "tokio", "web_sys", "js_sys"];
    only_in(&sources("app/src/model"), &[], "The model reaches outside", |line| {
        outside.iter().any(|word| line.contains(word))
    });
}

#[test]
fn all_times_are_by_the_clock_of_the_api_server() {
    let clocks = ["server/src/clock/", "server/src/http/request.rs"];
    only_in(&sources("server/src"), &clocks, "A machine's own clock is read", |line| {
        ["Timestamp::now", "SystemTime", "now_v7", "Zoned::now"].iter().any(|word| line.contains(word))
    });
}

#[test]
fn nothing_is_decompressed_without_a_bound() {
    only_in(&sources("server/src"), &[], "Decompresses without Read::take", |line| {
        line.contains("Decoder::new(")
            && !line.contains("base64")
            && !line.contains("DecoderReader")
            && !line.contains(".take(")
    });
}

#[test]
fn main_decides_nothing() {
    let main = std::fs::read_to_string(root().join("server/src/main.rs")).expect("main.rs");
    let code: Vec<&str> = main.lines().filter(|line| !line.trim().starts_with("//")).collect();
    assert!(code.len() <= 60, "main.rs has {} lines: it is to be read in a minute", code.len());
    let decisions: Vec<&&str> = code.iter().filter(|line| line.trim_start().starts_with("if ")).collect();
    assert!(decisions.is_empty(), "main.rs decides: {decisions:?}");
}

#[test]
fn every_browser_test_listens_to_the_console() {
    let folder = std::fs::read_dir(root().join("end2end/tests")).expect("the browser tests").flatten();
    let specs = folder.map(|entry| entry.path()).filter(|path| path.to_string_lossy().ends_with(".spec.ts"));
    let is_deaf = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a spec");
        !text.contains("from './fixture'") || text.contains("from '@playwright/test'")
    };
    let deaf: Vec<PathBuf> = specs.filter(is_deaf).collect();
    assert!(deaf.is_empty(), "the `test` of a spec is that of end2end/tests/fixture.ts: {deaf:?}");
}

#[test]
fn files_are_named_for_what_is_in_them_and_can_be_read_at_one_sitting() {
    for folder in ["app/src", "server/src", "testbed/src"] {
        for (path, text) in sources(folder) {
            let name = path.rsplit('/').next().unwrap_or_default();
            let vague = ["mod.rs", "utils.rs", "util.rs", "common.rs", "helpers.rs", "manager.rs", "misc.rs"];
            assert!(!vague.contains(&name), "{path}: a name that says nothing");
            let lines = text.lines().count();
            assert!(lines <= 700, "{path} has {lines} lines: it is two files");
        }
    }
}
