//! Files and folders that nobody else may read.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Result, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Makes a folder, and those above it, with mode 0700. One that exists is made private.
pub(crate) fn create_dir(path: &Path) -> Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))
}

/// Writes a file with mode 0600.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(content)
}

/// Opens a file with mode 0600 to write at its end.
pub(crate) fn append_to(path: &Path) -> Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

/// Removes a folder with all that is in it. One that is not there is no error.
pub(crate) fn remove_dir(path: &Path) -> Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_else_may_read_them() {
        let root = tempfile::tempdir().unwrap();
        let (folder, file) = (root.path().join("a/b"), root.path().join("a/b/c"));
        create_dir(&folder).unwrap();
        write(&file, b"x").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&root.path().join("a")), mode(&folder), mode(&file)), (0o700, 0o700, 0o600));
        remove_dir(&folder).unwrap();
        remove_dir(&folder).unwrap();
    }
}
