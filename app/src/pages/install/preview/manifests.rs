//! What a dry run rendered, object by object: grouped by kind, and searched.

use leptos::prelude::*;

use crate::model::Preview;
use crate::signals::{Views, dynamic};
use crate::ui::label::{kind_badge, plain_label};
use crate::ui::text::CopyButton;
use crate::ui::toolbar::SearchInput;
use crate::words::{count, t};

/// As many objects are listed; a search finds the others.
const LISTED_MAX: usize = 200;

/// One object that was rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rendered {
    kind: String,
    name: String,
    is_hook: bool,
    text: String,
}

/// The objects, with a search over all of their texts.
pub fn manifests_view(Preview { manifest, hooks, .. }: &Preview) -> AnyView {
    let whole = if hooks.is_empty() { manifest.clone() } else { format!("{manifest}---\n{hooks}") };
    let mut objects = objects(manifest, false);
    objects.extend(self::objects(hooks, true));
    let (search, all) = (RwSignal::new(String::new()), StoredValue::new(objects));
    let list = move || {
        let wanted = search.get().to_lowercase();
        let found: Vec<Rendered> = all.with_value(|all| {
            all.iter().filter(|one| one.text.to_lowercase().contains(&wanted)).cloned().collect()
        });
        if found.is_empty() {
            let words =
                if wanted.is_empty() { t("The chart renders nothing.") } else { t("No manifest matches.") };
            return view! { <p class="note">{words}</p> }.into_any();
        }
        let number = count(found.len(), "{n} object", "{n} objects");
        let rest = (found.len() > LISTED_MAX).then(|| view! { <p class="note">{t("There are more.")}</p> });
        let is_open = !wanted.is_empty() && found.len() <= 5;
        view! {
            <p class="note" role="status">{number}</p>
            {groups(found.into_iter().take(LISTED_MAX).collect(), is_open)}
            {rest}
        }
        .into_any()
    };
    view! {
        <div class="list-tools">
            <SearchInput
                label=t("Search the manifests")
                value=search
                on_input=Callback::new(move |text| search.set(text))
            />
            <CopyButton text=Signal::stored(whole) />
        </div>
        {dynamic(list)}
    }
    .into_any()
}

fn groups(found: Vec<Rendered>, is_open: bool) -> AnyView {
    let mut groups: Vec<(String, Vec<AnyView>)> = Vec::new();
    for one in found {
        let kind = one.kind.clone();
        let view = object_view(one, is_open);
        // In the order in which Helm sends them.
        match groups.iter_mut().find(|(there, _)| *there == kind) {
            Some((_, views)) => views.push(view),
            None => groups.push((kind, vec![view])),
        }
    }
    let groups = groups.into_iter().map(|(kind, views)| {
        view! {
            <section class="rendered">
                <h3 class="rendered-kind">
                    {kind_badge(&kind)} {kind.clone()} <span class="note">{views.len()}</span>
                </h3>
                {views}
            </section>
        }
    });
    groups.views().into_any()
}

fn object_view(one: Rendered, is_open: bool) -> AnyView {
    let opened = RwSignal::new(is_open);
    let text = one.text;
    view! {
        <details class="diff-part" open=is_open on:toggle=move |_| opened.set(true)>
            <summary>
                <span class="diff-title">{one.name}</span>
                {one.is_hook.then(|| plain_label(t("Hook").to_owned()))}
            </summary>
            {dynamic(move || opened.get().then(|| view! { <pre class="text">{text.clone()}</pre> }))}
        </details>
    }
    .into_any()
}

/// The documents of a manifest that have something in them.
fn objects(manifest: &str, is_hook: bool) -> Vec<Rendered> {
    let mut documents: Vec<String> = vec![String::new()];
    for line in manifest.lines() {
        if line.trim_end() == "---" {
            documents.push(String::new());
        } else if let Some(document) = documents.last_mut() {
            document.push_str(line);
            document.push('\n');
        }
    }
    let is_content = |line: &str| !line.trim().is_empty() && !line.starts_with('#');
    documents
        .into_iter()
        .filter(|text| text.lines().any(is_content))
        .map(|text| Rendered { kind: kind(&text), name: name(&text), is_hook, text })
        .collect()
}

fn kind(text: &str) -> String {
    let found = text.lines().find_map(|line| line.strip_prefix("kind:"));
    found.map(unquoted).unwrap_or_default()
}

/// The name in the metadata: what is indented as the first line below them is.
fn name(text: &str) -> String {
    let mut lines = text.lines().skip_while(|line| line.trim_end() != "metadata:").skip(1).peekable();
    let depth = |line: &str| line.len() - line.trim_start().len();
    let inset = lines.peek().map_or(0, |line| depth(line));
    let inside = lines.take_while(|line| line.trim().is_empty() || depth(line) >= inset.max(1));
    let mut names =
        inside.filter(|line| depth(line) == inset).filter_map(|line| line.trim().strip_prefix("name:"));
    names.next().map(unquoted).unwrap_or_default()
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches(['"', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_taken_apart_into_its_objects() {
        let manifest = "---\n# Source: web/templates/a.yaml\napiVersion: v1\nkind: Service\nmetadata:\n  labels:\n    name: not\n  name: \"web\"\nspec:\n  name: no\n---\n# Only a remark.\n---\nkind: ConfigMap\nmetadata:\n    name: 'c'\ndata:\n  a: |\n    --- no\n";
        let found: Vec<_> = objects(manifest, false).into_iter().map(|one| (one.kind, one.name)).collect();
        let expected = [("Service", "web"), ("ConfigMap", "c")];
        assert_eq!(found, expected.map(|(kind, name)| (kind.to_owned(), name.to_owned())).to_vec());
    }

    #[test]
    fn what_has_no_name_is_an_object_all_the_same() {
        assert_eq!(objects("a: 1\n", true).len(), 1);
        assert_eq!(objects("", true), []);
        assert_eq!(name("metadata:\n"), "");
    }
}
