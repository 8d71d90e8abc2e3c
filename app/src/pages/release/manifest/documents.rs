//! A manifest as its documents: where each begins and ends, what it is of, and which chart it comes from. Pure, and enough of
//! YAML for that alone: Helm's own output is what is read.

use crate::model::ReleaseManifest;

/// One document of a manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The sub-chart that it comes from: `platform/auth`; empty where no comment tells.
    pub source: String,
    /// `Deployment`; empty where there is none.
    pub kind: String,
    /// The object's name.
    pub name: String,
    /// Where it begins in the manifest.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// When it runs, if it is a hook: `pre-install, pre-upgrade`.
    pub hook: Option<String>,
}

impl Document {
    /// What it is called in an address: unlike the place, it is the same in another revision.
    pub fn key(&self) -> String {
        let sign = if self.hook.is_some() { "hook:" } else { "" };
        [sign, &self.source, "/", &self.kind, "/", &self.name].concat()
    }
}

/// A manifest and the hooks after it, as one text with an outline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlined {
    /// The manifest, then the hooks.
    pub text: String,
    /// Where the hooks begin.
    pub hooks: usize,
    /// The documents of both.
    pub documents: Vec<Document>,
}

/// Puts a revision's hooks behind its manifest.
pub fn outlined(found: ReleaseManifest) -> Outlined {
    let ReleaseManifest { manifest: mut text, hooks } = found;
    let mut documents = documents(&text);
    let end = text.len();
    for hook in hooks {
        let start = text.len();
        text.push_str("---\n");
        text.push_str(&hook.text);
        documents.push(Document {
            source: hook.source,
            kind: hook.object.kind,
            name: hook.object.name,
            start,
            end: text.len(),
            hook: Some(hook.events.join(", ")),
        });
    }
    Outlined { text, hooks: end, documents }
}

/// The documents of `manifest` that are more than comments.
pub fn documents(manifest: &str) -> Vec<Document> {
    let mut all = Vec::new();
    let mut at = 0;
    let mut open = Reading::default();
    for line in manifest.split_inclusive('\n') {
        if line.starts_with("---") {
            open.close(at, &mut all);
            open = Reading { document: Document { start: at, ..Document::default() }, ..Reading::default() };
        } else {
            open.read(line.trim_end());
        }
        at += line.len();
    }
    open.close(at, &mut all);
    all
}

#[derive(Default)]
struct Reading {
    document: Document,
    /// Something of it is no comment.
    has_content: bool,
    is_in_metadata: bool,
}

impl Reading {
    fn read(&mut self, line: &str) {
        if let Some(path) = line.strip_prefix("# Source:") {
            if self.document.source.is_empty() {
                self.document.source = sub_chart(path.trim());
            }
            return;
        }
        if line.trim_start().starts_with('#') || line.trim().is_empty() {
            return;
        }
        self.has_content = true;
        if !line.starts_with([' ', '\t', '-']) {
            self.is_in_metadata = line == "metadata:";
            if let Some(kind) = line.strip_prefix("kind:") {
                self.document.kind = scalar(kind);
            }
        } else if self.is_in_metadata
            && self.document.name.is_empty()
            // Deeper names are of something else: of labels, of owners.
            && let Some(name) = line.strip_prefix("  name:").or_else(|| line.strip_prefix("    name:"))
        {
            self.document.name = scalar(name);
        }
    }

    fn close(&mut self, end: usize, all: &mut Vec<Document>) {
        if self.has_content {
            all.push(Document { end, ..std::mem::take(&mut self.document) });
        }
    }
}

/// A plain or a quoted scalar; what follows as a comment is none of it.
fn scalar(text: &str) -> String {
    let text = text.split(" #").next().unwrap_or_default().trim();
    text.trim_matches(['"', '\'']).to_owned()
}

/// `platform/charts/auth/templates/x.yaml` is of `platform/auth`.
fn sub_chart(path: &str) -> String {
    let mut parts = path.split('/');
    let mut chart = parts.next().unwrap_or_default().to_owned();
    while let (Some("charts"), Some(name)) = (parts.next(), parts.next()) {
        chart.push('/');
        chart.push_str(name);
    }
    chart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_document_is_told_by_its_kind_name_and_chart() {
        let manifest = "---\n# Source: web/templates/a.yaml\napiVersion: v1\nkind: Service\nmetadata:\n  labels:\n    \
                        app: x\n  name: web\nspec:\n  name: other\n---\n# Source: web/charts/db/templates/b.yaml\n\
                        kind: \"StatefulSet\" # of the data\nmetadata:\n  name: 'db'\n---\n# nothing\n";
        let told: Vec<_> = documents(manifest).into_iter().map(|it| (it.key(), it.start, it.end)).collect();
        let second = manifest.find("---\n# Source: web/charts").unwrap();
        let third = manifest.find("---\n# nothing").unwrap();
        assert_eq!(
            told,
            [("web/Service/web".into(), 0, second), ("web/db/StatefulSet/db".into(), second, third)]
        );
    }

    #[test]
    fn hooks_come_after_the_manifest_and_keep_their_events() {
        use crate::model::{ObjectRef, ReleaseHook};
        let object = ObjectRef {
            api_version: "batch/v1".into(),
            kind: "Job".into(),
            namespace: None,
            name: "migrate".into(),
        };
        let hook = ReleaseHook {
            object,
            source: "web/db".into(),
            events: vec!["pre-install".into(), "pre-upgrade".into()],
            text: "kind: Job\n".into(),
        };
        let manifest = "---\nkind: A\nmetadata:\n  name: b\n".to_owned();
        let end = manifest.len();
        let found = outlined(ReleaseManifest { manifest, hooks: vec![hook] });
        assert_eq!((found.hooks, found.documents.len()), (end, 2));
        let last = &found.documents[1];
        assert_eq!(
            (last.key().as_str(), last.hook.as_deref()),
            ("hook:web/db/Job/migrate", Some("pre-install, pre-upgrade"))
        );
        assert_eq!(&found.text[last.start..last.end], "---\nkind: Job\n");
    }

    #[test]
    fn what_is_odd_is_still_a_document() {
        for (manifest, expected) in [
            ("", vec![]),
            ("\n---\n---\n", vec![]),
            ("kind: List", vec!["/List/"]),
            ("metadata: {name: x}\nkind: A", vec!["/A/"]),
            ("--- # Source: a/b.yaml\nkind: A\r\nmetadata:\r\n  name: b\r\n", vec!["/A/b"]),
            ("no yaml: [", vec!["//"]),
        ] {
            let keys: Vec<_> = documents(manifest).iter().map(Document::key).collect();
            assert_eq!(keys, expected, "{manifest:?}");
        }
    }
}
