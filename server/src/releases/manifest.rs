//! Which objects a release is made of: its manifest and hooks, taken apart as helm does it.

mod texts;

use app::model::{ObjectRef, Timestamp};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::decode::{FullRecord, Hook, HookRun};
pub use texts::{ManifestText, hooks, of_record, texts};

/// The most objects that are followed for one release. The largest charts known have a few hundred.
pub const MAX_OBJECTS: usize = 5_000;
/// The largest document that is parsed, in bytes: etcd takes no larger object.
const MAX_DOCUMENT: usize = 4 * 1024 * 1024;
/// Lists inside lists; deeper ones are not followed.
const MAX_LIST_DEPTH: u8 = 4;

/// One object of a manifest, as the manifest names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestObject {
    /// The object. Its namespace is the manifest's own word: none can still mean the release's namespace.
    pub object: ObjectRef,
    /// The sub-chart that it comes from, as in [`app::model::Resource::source`].
    pub source: String,
    /// The hook that it is, if it is one.
    pub hook: Option<HookState>,
}

/// What a record tells of a hook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookState {
    /// When it runs.
    pub events: Vec<String>,
    /// helm's word for its last run: `Running`, `Succeeded`, `Failed`, `Unknown`; empty before the first.
    pub phase: String,
    /// When that began.
    pub started: Option<Timestamp>,
    /// When it had ended.
    pub ended: Option<Timestamp>,
}

impl HookState {
    fn of(hook: &Hook) -> Self {
        let HookRun { started_at, completed_at, phase } = hook.last_run.clone();
        Self { events: hook.events.clone(), phase, started: started_at, ended: completed_at }
    }
}

/// The objects of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// In the manifest's order, hooks last.
    pub objects: Vec<ManifestObject>,
    /// How many documents could not be read, or were one too many.
    pub skipped: usize,
}

/// Takes apart the manifest and the hooks of `record`.
pub fn objects(record: &FullRecord) -> Manifest {
    let mut found = Manifest::default();
    for document in documents(&record.manifest) {
        found.read(&document, &document.source(), None);
    }
    for hook in &record.hooks {
        for document in documents(&hook.manifest) {
            found.read(&document, &sub_chart(&hook.path), Some(hook));
        }
    }
    found
}

/// The names of the custom resource definitions that helm installs before the manifest of `record`.
pub fn definitions(record: &FullRecord) -> Vec<String> {
    let texts = record.definitions.iter().flat_map(|file| texts(file, ""));
    texts.map(|text| text.object.name).filter(|name| !name.is_empty()).take(MAX_OBJECTS).collect()
}

/// One document: its lines, without the separator.
struct Document<'a>(Vec<&'a str>);

impl Document<'_> {
    /// The sub-chart that helm's comment names; empty if there is none.
    fn source(&self) -> String {
        self.0
            .iter()
            .take_while(|line| line.is_empty() || line.starts_with('#'))
            .find_map(|line| line.strip_prefix("# Source:"))
            .map_or_else(String::new, |path| sub_chart(path.trim()))
    }

    fn is_empty(&self) -> bool {
        self.0.iter().map(|line| line.trim_start()).all(|line| line.is_empty() || line.starts_with('#'))
    }
}

/// Splits like helm: at each line that begins with `---`; what follows on that line belongs to the document
/// (`releaseutil.SplitManifests`). Documents of nothing but comments are left out.
fn documents(manifest: &str) -> impl Iterator<Item = Document<'_>> {
    let mut documents = vec![Document(Vec::new())];
    for line in manifest.lines() {
        let (starts, line) = match line.strip_prefix("---") {
            Some(rest) => (true, rest.trim_start_matches([' ', '\t'])),
            None => (false, line),
        };
        if starts {
            documents.push(Document(Vec::new()));
        }
        if let Some(document) = documents.last_mut() {
            document.0.push(line);
        }
    }
    documents.into_iter().filter(|document| !document.is_empty())
}

/// `platform/charts/auth/templates/x.yaml` comes from `platform/auth`.
pub fn sub_chart(path: &str) -> String {
    let mut parts = path.split('/');
    let mut chart = parts.next().unwrap_or_default().to_owned();
    while let (Some("charts"), Some(name)) = (parts.next(), parts.next()) {
        chart.push('/');
        chart.push_str(name);
    }
    chart
}

/// What tells an object; the rest is passed over. `metadata` can be missing, or null.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    api_version: Option<String>,
    kind: Option<String>,
    metadata: Option<Metadata>,
    items: Option<Items>,
}

#[derive(Deserialize)]
struct Metadata {
    name: Option<String>,
    namespace: Option<String>,
}

/// The items of a list, or whatever an object of another kind has under that name.
#[derive(Deserialize)]
#[serde(untagged)]
enum Items {
    Objects(Vec<Head>),
    Other(IgnoredAny),
}

impl Manifest {
    fn read(&mut self, document: &Document<'_>, source: &str, hook: Option<&Hook>) {
        let text = document.0.join("\n");
        if text.len() > MAX_DOCUMENT {
            self.skipped += 1;
            return;
        }
        match head(&text) {
            Some(head) => self.add(head, source, hook, 0),
            None => self.skipped += 1,
        }
    }

    fn add(&mut self, head: Head, source: &str, hook: Option<&Hook>, depth: u8) {
        let kind = head.kind.unwrap_or_default();
        if let (true, Some(Items::Objects(items))) = (kind.ends_with("List"), head.items) {
            if depth < MAX_LIST_DEPTH {
                for item in items {
                    self.add(item, source, hook, depth + 1);
                }
            }
            return;
        }
        let filled = |text: Option<String>| text.filter(|text| !text.is_empty());
        let (name, namespace) = head.metadata.map_or((None, None), |meta| (meta.name, meta.namespace));
        let (Some(name), false) = (filled(name), kind.is_empty() || self.objects.len() >= MAX_OBJECTS) else {
            self.skipped += 1;
            return;
        };
        let api_version = head.api_version.unwrap_or_default();
        self.objects.push(ManifestObject {
            object: ObjectRef { api_version, kind, namespace: filled(namespace), name },
            source: source.to_owned(),
            hook: hook.map(HookState::of),
        });
    }
}

/// Parses as much of a document as tells its object. Only lists are parsed further: the fields of a large object, and a
/// custom resource's own `items`, are passed over unbuilt.
fn head(document: &str) -> Option<Head> {
    let options = serde_saphyr::options! {
        // helm's parser takes the last one too.
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
    };
    serde_saphyr::from_str_with_options(document, options).ok().flatten()
}

#[cfg(test)]
mod tests;
