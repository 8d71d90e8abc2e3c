//! A disk that can be full.

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::Error;
use crate::program::Program;

/// The most that there is room for, in bytes. Nothing is taken of it before it is used.
const ROOM: u64 = 4 << 30;
/// A file that is there while there is no room.
const FILLING: &str = "filling";
/// How often to try to leave no room: whoever writes meanwhile is in the way.
const TIMES: u32 = 100;
/// How long to wait before each time but the first.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(20);

/// Unmounts a disk when the pipe closes. Lazily, for a program may still have a log open on it.
const JANITOR: &str = r#"read -r _; umount -l "$1""#;

/// A folder on a disk of its own that can be made full; or, where we may not mount one, a folder that can be made one
/// without write permission. The disk goes when this is dropped.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    mounted: Option<Program>,
}

impl Disk {
    /// Puts a disk over an empty folder, which is created if it is not there.
    pub fn over(folder: &Path) -> Result<Self, Error> {
        fs::create_dir_all(folder)?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("mode=700,size={ROOM}"), "slipway-test"]).arg(folder);
        let mounted = match mount.stderr(Stdio::null()).status() {
            Ok(status) if status.success() => {
                Some(Program::afterwards("disk's janitor", JANITOR, &[folder.as_os_str()])?)
            }
            _ => None,
        };
        Ok(Self { folder: folder.to_owned(), mounted })
    }

    /// What a program is told that writes while there is no room.
    pub fn words(&self) -> &'static str {
        if self.mounted.is_some() { "No space left on device" } else { "Permission denied" }
    }

    /// Leaves no room.
    pub fn fill(&self) -> Result<(), Error> {
        if self.mounted.is_none() {
            return Ok(fs::set_permissions(&self.folder, Permissions::from_mode(0o500))?);
        }
        for _ in 0..TIMES {
            // Refused when more than that is in use by now.
            if self.resize(self.used()?)? && self.fills_up()? {
                return Ok(());
            }
            std::thread::sleep(TRY_AGAIN_AFTER);
        }
        Err(std::io::Error::other(format!("{} cannot be made full", self.folder.display())).into())
    }

    /// Makes room again.
    pub fn empty(&self) -> Result<(), Error> {
        if self.mounted.is_none() {
            return Ok(fs::set_permissions(&self.folder, Permissions::from_mode(0o700))?);
        }
        if !self.resize(ROOM)? {
            return Err(std::io::Error::other(format!("{} stays full", self.folder.display())).into());
        }
        Ok(fs::remove_file(self.folder.join(FILLING))?)
    }

    /// Takes what little room is left.
    fn fills_up(&self) -> Result<bool, Error> {
        match fs::write(self.folder.join(FILLING), vec![0; 64 << 10]) {
            Ok(()) => Ok(false),
            Err(error) if error.kind() == ErrorKind::StorageFull => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    /// How many bytes are in use, but one block at least: a size of none would be no limit.
    fn used(&self) -> Result<u64, Error> {
        let mut stat = Command::new("stat");
        let output = stat.args(["--file-system", "--format=%S %b %f"]).arg(&self.folder).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let numbers: Vec<u64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [size, all, free] => Ok((size * (all - free)).max(size)),
            _ => {
                Err(std::io::Error::other(format!("the size of {} is unknown", self.folder.display())).into())
            }
        }
    }

    fn resize(&self, size: u64) -> Result<bool, Error> {
        let mut mount = Command::new("mount");
        mount.args(["-o", &format!("remount,size={size}")]).arg(&self.folder).stderr(Stdio::null());
        Ok(mount.status()?.success())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.mounted.is_none() {
            // Whoever removes the folder says what is wrong with it.
            let _ = fs::set_permissions(&self.folder, Permissions::from_mode(0o700));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_takes_nothing_more_until_there_is_room_again_and_what_was_there_stays() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("data");
        let disk = Disk::over(&folder).expect("a disk");
        fs::write(folder.join("before"), vec![1; 10_000]).expect("written");
        disk.fill().expect("full");
        let refused = fs::write(folder.join("meanwhile"), vec![1; 10_000]);
        // Without a disk of its own root writes wherever it likes.
        if disk.mounted.is_some() {
            let refused = refused.expect_err("no room").to_string();
            assert!(refused.contains(disk.words()), "{refused}");
        }
        disk.empty().expect("room");
        fs::write(folder.join("after"), vec![1; 10_000]).expect("written");
        assert_eq!(fs::read(folder.join("before")).expect("read").len(), 10_000);
        drop(disk);
    }
}
