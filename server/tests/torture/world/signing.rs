//! The helm of a server, which signs what it does; and what can be wrong with it.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::evidence::{OPERATOR, SIGNED_OPERATION, SIGNED_PROCESS};

/// Signs what helm asks of the API server with the operation that it works for and with its process, so that the audit
/// log tells one helm from another: Slipway's kubeconfig is replaced by one that says so (`Impersonate-Extra-…`). An
/// operation's helm starts in `operations/ID/work/current` of the data folder.
const SIGNING: &str = r##"#!/bin/sh
case "$1" in version) exec @HELM@ "$@" ;; esac
umask 077
operation=${PWD%/*/*}
signed=${PWD%/*}/signed
left=$#
while [ "$left" -gt 0 ]; do
  argument=$1 left=$((left - 1))
  shift
  case "$argument" in
    --kubeconfig=*)
      sed -e "s/@OPERATION@/${operation##*/}/" -e "s/@PROCESS@/$$/" "${argument#--kubeconfig=}.signed" >"$signed" || exit
      argument=--kubeconfig=$signed
      ;;
  esac
  set -- "$@" "$argument"
done
exec @HELM@ "$@"
"##;

/// The first helm to make the folder says a gigabyte.
const TALKING: &str = r#"#!/bin/sh
case "$1" in version) ;; *)
  if mkdir @CLAIM@ 2>/dev/null; then yes 'more than anybody wants to know, and then some' | head -c 1000000000; fi
esac
"#;

/// What is wrong with a helm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ailment {
    /// It is not there.
    Missing,
    /// It cannot be executed.
    NotExecutable,
    /// It says a gigabyte, once.
    Talkative,
}

/// A helm in a folder of its own.
pub struct SigningHelm {
    folder: PathBuf,
    script: String,
}

impl SigningHelm {
    /// Puts one into `folder` that signs for `real`.
    pub fn new(folder: PathBuf, real: &Path) -> io::Result<Self> {
        let script = SIGNING.replace("@HELM@", real.to_str().expect("a path"));
        let helm = Self { folder, script };
        std::fs::create_dir(&helm.folder)?;
        helm.cure()?;
        Ok(helm)
    }

    /// Where it is.
    pub fn path(&self) -> PathBuf {
        self.folder.join("helm")
    }

    /// Makes it well.
    pub fn cure(&self) -> io::Result<()> {
        self.put(&self.script, 0o755)
    }

    /// Makes it ill.
    pub fn ail(&self, ailment: Ailment) -> io::Result<()> {
        match ailment {
            Ailment::Missing => std::fs::remove_file(self.path()),
            Ailment::NotExecutable => self.put(&self.script, 0o644),
            Ailment::Talkative => {
                // It may have talked before.
                let _ = std::fs::remove_dir(self.claim());
                let talking = TALKING.replace("@CLAIM@", self.claim().to_str().expect("a path"));
                self.put(&self.script.replacen("#!/bin/sh\n", &talking, 1), 0o755)
            }
        }
    }

    /// Whether it has talked since it was made to.
    pub fn has_talked(&self) -> bool {
        self.claim().exists()
    }

    fn claim(&self) -> PathBuf {
        self.folder.join("has-talked")
    }

    /// In one step: whoever starts it meanwhile starts the old one or the new one.
    fn put(&self, script: &str, mode: u32) -> io::Result<()> {
        let new = self.folder.join("new");
        std::fs::write(&new, script)?;
        std::fs::set_permissions(&new, PermissionsExt::from_mode(mode))?;
        std::fs::rename(new, self.path())
    }
}

/// Writes what the script makes a signed kubeconfig of.
pub fn sign(kubeconfig: &Path) -> io::Result<()> {
    let text = std::fs::read(kubeconfig)?;
    let mut file: Value = serde_json::from_slice(&text)?;
    let user = &mut file["users"][0]["user"];
    user["as"] = OPERATOR.into();
    user["as-user-extra"] = json!({ SIGNED_OPERATION: ["@OPERATION@"], SIGNED_PROCESS: ["@PROCESS@"] });
    let mut name = kubeconfig.as_os_str().to_owned();
    name.push(".signed");
    std::fs::write(name, file.to_string())
}
