//! A manifest object by object, as text.

use app::model::{ObjectRef, ReleaseHook};

use super::{Head, MAX_OBJECTS, documents, head, sub_chart};
use crate::releases::decode::{FullRecord, Hook};

/// One document of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestText {
    /// The object, or the list of objects; empty where the document does not tell. Its namespace is the manifest's own word.
    pub object: ObjectRef,
    /// The sub-chart that it comes from, as in [`app::model::Resource::source`].
    pub source: String,
    /// It is a hook.
    pub is_hook: bool,
    /// Its lines, without the comments above it; each with its end.
    pub text: String,
}

/// The documents of `manifest` and of `hooks`, a manifest of hooks alone.
pub fn texts(manifest: &str, hooks: &str) -> Vec<ManifestText> {
    let of = |manifest: &str, is_hook| documents(manifest).map(|it| text(&it, is_hook)).collect::<Vec<_>>();
    let mut all = of(manifest, false);
    all.extend(of(hooks, true));
    all.truncate(MAX_OBJECTS);
    all
}

/// The documents of a record, hooks last.
pub fn of_record(record: &FullRecord) -> Vec<ManifestText> {
    let mut all = texts(&record.manifest, "");
    for hook in &record.hooks {
        all.extend(
            documents(&hook.manifest)
                .map(|document| ManifestText { source: sub_chart(&hook.path), ..text(&document, true) }),
        );
    }
    all.truncate(MAX_OBJECTS);
    all
}

/// The hooks of a record, each with its text.
pub fn hooks(record: &FullRecord) -> Vec<ReleaseHook> {
    let of = |hook: &Hook| {
        let (source, events) = (sub_chart(&hook.path), hook.events.clone());
        let read = move |document| {
            let ManifestText { object, text, .. } = text(&document, true);
            ReleaseHook { object, source: source.clone(), events: events.clone(), text }
        };
        documents(&hook.manifest).map(read).collect::<Vec<_>>()
    };
    record.hooks.iter().flat_map(of).take(MAX_OBJECTS).collect()
}

fn text(document: &super::Document<'_>, is_hook: bool) -> ManifestText {
    let is_above = |line: &str| line.trim_start().is_empty() || line.trim_start().starts_with('#');
    let lines: Vec<&str> = document.0.iter().copied().skip_while(|line| is_above(line)).collect();
    let text: String = lines.join("\n");
    let text = format!("{}\n", text.trim_end());
    let Head { api_version, kind, metadata, .. } = head(&text).unwrap_or_default();
    let (name, namespace) = metadata.map_or((None, None), |meta| (meta.name, meta.namespace));
    let object = ObjectRef {
        api_version: api_version.unwrap_or_default(),
        kind: kind.unwrap_or_default(),
        namespace: namespace.filter(|namespace| !namespace.is_empty()),
        name: name.unwrap_or_default(),
    };
    ManifestText { object, source: document.source(), is_hook, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hook_is_told_with_when_it_runs_and_as_its_author_wrote_it() {
        let hook = |path: &str, events: &[&str], manifest: &str| serde_json::json!({"path": path, "events": events, "manifest": manifest});
        let payload = serde_json::json!({"manifest": "kind: A\nmetadata: {name: a}", "hooks": [
            hook("p/charts/db/templates/m.yaml", &["pre-install", "pre-upgrade"],
                "# why\nkind: Job\napiVersion: batch/v1\nmetadata:\n  name: migrate # it\n"),
            hook("p/templates/two.yaml", &["test"], "kind: Pod\nmetadata: {name: x}\n---\nkind: [\n"),
        ]});
        let payload = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, payload.to_string());
        let record = crate::releases::decode::full(payload.as_bytes(), "ns").unwrap();
        let hooks = hooks(&record);
        let told: Vec<_> = hooks
            .iter()
            .map(|it| (&*it.object.kind, &*it.object.name, &*it.source, it.events.join(" ")))
            .collect();
        let first = ("Job", "migrate", "p/db", "pre-install pre-upgrade".to_owned());
        assert_eq!(told, [first, ("Pod", "x", "p", "test".to_owned()), ("", "", "p", "test".to_owned())]);
        assert_eq!(hooks[0].text, "kind: Job\napiVersion: batch/v1\nmetadata:\n  name: migrate # it\n");
    }

    #[test]
    fn each_document_is_told_with_its_object_and_without_what_is_above_it() {
        let manifest = "---\n# Source: p/charts/a/templates/x.yaml\n\n# of the author\nkind: Service\napiVersion: v1\n\
                        metadata:\n  name: web # why\n\n---\n# nothing\n---\n[broken\n";
        let hooks = "---\n# Source: p/templates/h.yaml\nkind: Job\napiVersion: batch/v1\nmetadata: {name: h, namespace: n}\n";
        let all = texts(manifest, hooks);
        let told: Vec<_> = all
            .iter()
            .map(|it| (it.object.kind.as_str(), it.object.name.as_str(), it.source.as_str(), it.is_hook))
            .collect();
        assert_eq!(told, [("Service", "web", "p/a", false), ("", "", "", false), ("Job", "h", "p", true)]);
        assert_eq!(all[0].text, "kind: Service\napiVersion: v1\nmetadata:\n  name: web # why\n");
        assert_eq!(all[2].object.namespace.as_deref(), Some("n"));
    }
}
