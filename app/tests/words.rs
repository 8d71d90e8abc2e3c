//! Every text that a person reads is in the message catalogue, and each other language has all of them.

#![allow(clippy::expect_used, reason = "a test fails by a panic")]

#[path = "words/source.rs"]
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use app::model::{OperationKind, OperationState, Phase, RecordStatus, Step};
use source::{Said, files, sources};

/// Where words are said that no page shows: the command line, helm's own texts as they are matched, a document, samples, logs.
const NOT_FOR_PAGES: [&str; 22] = [
    "server/src/clusters/wiring.rs",
    "app/src/model/failure/told/document.rs",
    "app/src/model/failure/told/objects.rs",
    "app/src/model/failure/told/parts.rs",
    "app/src/model/failure/told/steps.rs",
    "app/src/model/phase/calm.rs",
    "app/src/model/wire.rs",
    "server/src/charts/index/sample.rs",
    "server/src/charts/pull.rs",
    "server/src/charts/readme.rs",
    "server/src/demo.rs",
    "server/src/helm/guard.rs",
    "server/src/helm/output.rs",
    "server/src/helm/process.rs",
    "server/src/helm/watchdog.rs",
    "server/src/http/headers.rs",
    "server/src/kube/jobs/manifest.rs",
    "server/src/logging.rs",
    "server/src/main.rs",
    "server/src/operations/fakes",
    "server/src/serve.rs",
    "server/src/settings",
];
/// The same, one by one: what is matched, what a log or the API alone has, and what a sentence is made of.
const NO_SENTENCES: [&str; 32] = [
    "A cluster by its name",
    "The default cluster",
    ", set ",
    "\nAttempt {attempt} of {}\n",
    "# What was rendered is too large to be shown.\n",
    "API group \"",
    "Basic {basic}",
    "Bearer {token}",
    "Follows Helm releases and carries out operations on them in the background.",
    "No such file.\n",
    "POD LOGS: ",
    "Rollback \"{}\" failed: ",
    "Rollback to ",
    "Slipway marked revision {revision} as failed\n",
    "The console's page is not built. Run `make web` in Slipway's folder, then reload. The API for programs works without it: /api/v1/openapi.json\n",
    "What a chart or a policy says in its own words",
    "What depends on the circumstances",
    "What lasts",
    "What passes",
    "a list of files",
    "an object",
    "any value",
    "charts by name",
    "exceeded quota",
    "exceeded quota: ",
    "no answer within",
    "not found",
    "preferred addresses",
    "recursion limit",
    "release: not found",
    "unable to get logs for pod ",
    "unable to get pod logs for ",
];
/// Words that stand in the code of the pages and are no texts: names of keys, kinds and headers.
const NO_TEXTS: [&str; 45] = [
    "Deutsch",
    "English",
    "A readable revision of {}",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "Attempt ",
    "ConfigMap",
    "Control+K Meta+K",
    "CronJob",
    "Ctrl",
    "DaemonSet",
    "Deployment",
    "DeploymentConfig",
    "End",
    "Enter",
    "Esc",
    "Escape",
    "Gateway",
    "Helm",
    "Helm release",
    "Home",
    "Ingress",
    "Job",
    "Mac",
    "Namespace",
    "NetworkPolicy",
    "Notification",
    "PageDown",
    "PageUp",
    "PersistentVolumeClaim",
    "Pod",
    "ReplicaSet",
    "ReplicationController",
    "Route",
    "Secret",
    "Service",
    "Slipway",
    "StatefulSet",
    "Tab",
    "The release {}",
    "access is refused",
    "asks for a client certificate",
    "is not signed by an authority",
];

/// Each language: what the pages say, and what the server does.
fn parts() -> Vec<(String, [BTreeMap<String, String>; 2])> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/words");
    let files = std::fs::read_dir(folder).expect("the languages").flatten();
    files
        .map(|file| {
            let text = std::fs::read_to_string(file.path()).expect("a language");
            let mut words: BTreeMap<String, BTreeMap<String, String>> =
                serde_json::from_str(&text).expect("texts by their English ones");
            let parts = ["pages", "server"].map(|part| words.remove(part).expect("a part"));
            assert!(words.is_empty(), "there are other parts");
            (file.file_name().to_string_lossy().into_owned(), parts)
        })
        .collect()
}

/// Each language.
fn languages() -> Vec<(String, BTreeMap<String, String>)> {
    let whole = |(language, [pages, server]): (String, [BTreeMap<_, _>; 2])| {
        (language, pages.into_iter().chain(server).collect())
    };
    parts().into_iter().map(whole).collect()
}

/// The places of a text, without their names where `by_name` is not asked for.
fn places(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name)).collect()
}

/// A sentence with all its places alike, without the space that would join it to another.
fn shape(sentence: &str) -> String {
    let mut shape = String::new();
    for (at, part) in sentence.split('{').enumerate() {
        let rest = part.split_once('}').filter(|_| at > 0).map(|(_, rest)| rest);
        shape += if at > 0 { "{}" } else { "" };
        shape += rest.unwrap_or(part);
    }
    shape.trim().to_owned()
}

#[test]
fn every_text_of_the_pages_is_in_every_language() {
    let said =
        sources(&["app/src/pages.rs", "app/src/pages", "app/src/ui", "app/src/client", "app/src/words"]);
    let is_kept = |one: &&Said| one.is_kept && one.reads_as_text() && !NO_TEXTS.contains(&one.text.as_str());
    let keys: BTreeSet<&str> =
        said.iter().filter(|one| one.is_translated || is_kept(one)).map(|one| one.text.as_str()).collect();
    assert!(keys.len() > 100, "few texts were found: {keys:?}");
    for (language, words) in languages() {
        let missing: Vec<&&str> = keys.iter().filter(|key| !words.contains_key(**key)).collect();
        assert!(missing.is_empty(), "{language} lacks {} texts:\n{}", missing.len(), lines(&missing));
    }
}

/// What a script asks the catalogue for: `say('…')`.
#[test]
fn every_text_of_the_scripts_is_in_every_language() {
    let scripts = scripts();
    for (language, words) in languages() {
        let known: BTreeSet<String> = words.keys().map(|english| shape(english)).collect();
        let missing: Vec<&String> = scripts
            .windows(2)
            .filter(|pair| pair[0].ends_with(".say("))
            .map(|pair| &pair[1])
            .filter(|text| !known.contains(*text))
            .collect();
        assert!(missing.is_empty(), "{language} lacks {} texts:\n{}", missing.len(), lines(&missing));
    }
}

#[test]
fn no_text_of_the_pages_is_outside_the_catalogue() {
    let said = sources(&["app/src/pages.rs", "app/src/pages", "app/src/ui"]);
    // The badge of a kind goes by the English word.
    let bare: Vec<String> = said
        .iter()
        .filter(|one| !one.is_translated && !one.is_kept && one.reads_as_text())
        .map(|one| (one, one.text.as_str()))
        .filter(|(_, text)| !NO_TEXTS.contains(text))
        .map(|(one, text)| format!("{}: {text:?}", one.file))
        .collect();
    assert!(bare.is_empty(), "{} texts are not translated:\n{}", bare.len(), lines(&bare));
}

/// What an answer says when it is a refusal is the server's, in English.
#[test]
fn a_refusal_is_told_in_the_language_of_the_page() {
    let mut bare = Vec::new();
    for (file, text) in files(&["app/src/pages", "app/src/ui"]) {
        for name in ["error", "refusal", "why"] {
            let said = format!("{name}.to_string()");
            let before = text.match_indices(&said).map(|(at, _)| &text[..at]);
            bare.extend(
                before.filter(|before| !before.ends_with("told(&")).map(|_| format!("{file}: {said}")),
            );
        }
    }
    assert!(bare.is_empty(), "{} refusals are not told:\n{}", bare.len(), bare.join("\n"));
}

#[test]
fn every_sentence_of_the_server_is_in_every_language() {
    let sentences = server_sentences();
    for (language, words) in languages() {
        let known: BTreeSet<String> = words.keys().map(|english| shape(english)).collect();
        let missing: Vec<String> = sentences
            .iter()
            .filter(|(shape, _)| !known.contains(*shape))
            .map(|(_, one)| format!("{}: {:?}", one.file, one.text))
            .collect();
        assert!(missing.is_empty(), "{language} lacks {} sentences:\n{}", missing.len(), lines(&missing));
    }
}

/// What stands on labels and is filled in: verbs, states, what is going on.
#[test]
fn every_word_of_the_model_is_in_every_language() {
    use OperationKind::{Install, MarkFailed, Rollback, Test, Uninstall, Upgrade};
    use OperationState::{Cancelled, Failed, Interrupted, Queued, Retrying, Running, Succeeded};
    let mut all: Vec<&str> = RecordStatus::ALL.map(RecordStatus::as_str).to_vec();
    for kind in [Install, Upgrade, Rollback, Uninstall, Test, MarkFailed] {
        all.extend([kind.as_str(), kind.noun(), kind.progressive()]);
    }
    all.extend(
        [Queued, Running, Retrying, Succeeded, Failed, Cancelled, Interrupted].map(OperationState::as_str),
    );
    all.extend(
        [
            Phase::NotFound.words(),
            Phase::Queued { kind: Install }.words(),
            Phase::Deployed.words(),
            Phase::Failed { kind: None }.words(),
            Phase::Cancelled { kind: Install }.words(),
            Phase::Interrupted { kind: Install }.words(),
            Phase::Stuck { status: RecordStatus::PendingInstall }.words(),
            Phase::Uninstalled.words(),
            Phase::Superseded.words(),
            Phase::Unknown.words(),
        ]
        .iter()
        .map(|words| &*words.clone().leak()),
    );
    all.extend(RecordStatus::ALL.map(|status| &*Phase::Pending { status }.words().leak()));
    all.extend(
        [
            Step::Preparing,
            Step::RunningHooks,
            Step::Applying,
            Step::Waiting,
            Step::Finishing,
            Step::Removing,
            Step::Testing,
            Step::Recording,
        ]
        .map(Step::words),
    );
    for (language, words) in languages() {
        let missing: Vec<&&str> = all.iter().filter(|word| !words.contains_key(**word)).collect();
        assert!(missing.is_empty(), "{language} lacks {} words:\n{}", missing.len(), lines(&missing));
    }
}

#[test]
fn no_language_has_what_nobody_says() {
    let said: BTreeSet<String> =
        sources(&["app/src", "server/src"]).iter().map(|one| shape(&one.text)).chain(scripts()).collect();
    for (language, words) in languages() {
        let dead: Vec<&String> = words.keys().filter(|english| !said.contains(&shape(english))).collect();
        assert!(dead.is_empty(), "{language} has {} texts that nobody says:\n{}", dead.len(), lines(&dead));
    }
}

#[test]
fn a_text_keeps_its_places_in_every_language() {
    for (language, words) in languages() {
        for (english, other) in words {
            assert_eq!(places(&english), places(&other), "{language}: {english:?}");
            assert!(!other.is_empty(), "{language}: {english:?}");
        }
    }
}

/// What the server says is looked for among its sentences alone. One that is hardly more than its places would be found in
/// whatever helm says.
#[test]
fn a_sentence_of_the_server_stands_with_its_own() {
    let shapes = |folders: &[&str]| -> BTreeSet<String> {
        sources(folders).iter().map(|one| shape(&one.text)).collect()
    };
    let (said, all) =
        (shapes(&["app/src/model", "app/src/client", "server/src"]), shapes(&["app/src", "server/src"]));
    let is_strong = |english: &str| {
        let own = shape(english).chars().filter(|c| c.is_alphabetic()).count();
        own >= 4 || english.split('{').next().unwrap_or_default().len() >= 3
    };
    for (language, [pages, server]) in parts() {
        for english in pages.keys().filter(|english| english.contains('{') && is_strong(english)) {
            let is_known = server.keys().any(|one| shape(one) == shape(english));
            assert!(is_known || !said.contains(&shape(english)), "{language}: {english:?} is the server's");
        }
        for english in server.keys().filter(|english| english.contains('{')) {
            assert!(all.contains(&shape(english)), "{language}: {english:?} is said by nobody");
            assert!(is_strong(english), "{language}: {english:?} would be found anywhere");
        }
    }
}

/// The sentences that the server says, or the browser in its place where it cannot be reached, by their shapes.
fn server_sentences() -> BTreeMap<String, Said> {
    let said = sources(&["app/src/model", "app/src/client", "server/src"]);
    said.into_iter()
        .filter(|one| !NOT_FOR_PAGES.iter().any(|path| one.file.starts_with(path)))
        // What is looked for in helm's text is no sentence of ours.
        .filter(|one| !one.file.contains("failure/told/") || one.reads_as_text() || one.text.ends_with('.'))
        .filter(|one| one.reads_as_sentence() && !NO_SENTENCES.contains(&one.text.as_str()))
        .map(|one| (shape(&one.text), one))
        .collect()
}

/// The texts in the scripts of the editor, which are given the catalogue by the page; what they say by themselves is in a table
/// of their own.
fn scripts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../style");
    let files = std::fs::read_dir(folder).expect("the scripts").flatten().map(|file| file.path());
    let is_script = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "js");
    // The editor's own table is no catalogue of ours.
    let files = files.filter(|path| is_script(path) && !path.ends_with("words.js"));
    let files = files.map(|path| std::fs::read_to_string(path).expect("a script"));
    files.flat_map(|text| text.split('\'').map(shape).collect::<Vec<_>>()).collect()
}

fn lines<T: std::fmt::Display>(all: &[T]) -> String {
    all.iter().map(|one| format!("  {one}\n")).collect()
}
