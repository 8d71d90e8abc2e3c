//! What helm renders in a dry run, as `--output=json` has it.

use std::io;

use app::model::Preview;
use serde::Deserialize;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;

/// The most that is read, in bytes: helm prints the whole chart with it.
const OUTPUT_MAX: u64 = 64 * 1024 * 1024;

#[derive(Deserialize)]
struct Release {
    #[serde(default)]
    manifest: Option<String>,
    #[serde(default)]
    hooks: Option<Vec<Hook>>,
    #[serde(default)]
    info: Option<Info>,
}

#[derive(Deserialize)]
struct Hook {
    #[serde(default)]
    path: String,
    #[serde(default)]
    manifest: String,
}

#[derive(Deserialize)]
struct Info {
    #[serde(default)]
    notes: Option<String>,
}

/// Reads helm's standard output to its end.
pub(super) async fn read(from: Receiver) -> io::Result<Preview> {
    let mut output = Vec::new();
    from.take(OUTPUT_MAX).read_to_end(&mut output).await?;
    parse(&output)
}

fn parse(output: &[u8]) -> io::Result<Preview> {
    // Something may be printed before it, such as what a plug-in says.
    let start = output.iter().position(|byte| *byte == b'{').unwrap_or(0);
    let release: Release = serde_json::from_slice(output.get(start..).unwrap_or_default())?;
    let hooks = release.hooks.unwrap_or_default();
    let hooks =
        hooks.iter().map(|hook| format!("---\n# Source: {}\n{}\n", hook.path, hook.manifest.trim_end()));
    Ok(Preview {
        manifest: release.manifest.unwrap_or_default(),
        hooks: hooks.collect(),
        notes: release.info.and_then(|info| info.notes).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_the_hooks_and_the_notes_are_taken_out_of_it() {
        let output =
            br#"{"name":"web","info":{"notes":"hello"},"chart":{"values":{"a":1}},"manifest":"a: 1\n",
            "hooks":[{"name":"h","path":"web/templates/h.yaml","manifest":"b: 2\n"}]}"#;
        let preview = parse(output).unwrap();
        assert_eq!(
            (preview.manifest.as_str(), preview.notes.as_str(), preview.hooks.as_str()),
            ("a: 1\n", "hello", "---\n# Source: web/templates/h.yaml\nb: 2\n")
        );
    }

    #[test]
    fn what_is_missing_is_empty_and_what_is_no_json_is_an_error() {
        assert_eq!(parse(br#"{"hooks":null,"info":null}"#).unwrap(), Preview::default());
        assert!(parse(b"not json").is_err());
        assert!(parse(b"").is_err());
    }
}
