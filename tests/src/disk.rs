//! A small disk of a test's own: an ext4 file system in a file, mounted over a loop device. Needs root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A mounted file system; unmounted when dropped.
pub struct Disk {
    mount: PathBuf,
}

impl Disk {
    /// Makes and mounts a disk of `mebibytes` under `folder`; an error says why this machine or user cannot.
    pub fn mount(folder: &Path, mebibytes: u64) -> Result<Self, String> {
        let (image, mount) = (folder.join("disk.img"), folder.join("disk"));
        let file = fs::File::create(&image).map_err(|error| error.to_string())?;
        file.set_len(mebibytes << 20).map_err(|error| error.to_string())?;
        fs::create_dir(&mount).map_err(|error| error.to_string())?;
        run(Command::new("mkfs.ext4").args(["-q", "-m", "0"]).arg(&image))?;
        run(Command::new("mount").args(["-o", "loop"]).arg(&image).arg(&mount))?;
        Ok(Self { mount })
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        &self.mount
    }

    /// Fills it up, but for about `kibibytes`.
    pub fn fill(&self, kibibytes: usize) {
        let ballast = self.mount.join("ballast");
        let spare = self.mount.join("spare");
        fs::write(&spare, vec![1; kibibytes << 10]).expect("the disk takes this much");
        let mut file = fs::File::create(ballast).expect("the disk takes another file");
        let block = vec![1; 4096];
        // What does not fit any more is an error; then the disk is full.
        while std::io::Write::write_all(&mut file, &block).is_ok() {}
        let _ = file.sync_all();
        fs::remove_file(spare).expect("a file that was just written");
        run(&mut Command::new("sync")).expect("sync");
    }

    /// Lets nothing be written any more.
    pub fn make_read_only(&self) {
        run(Command::new("mount").args(["-o", "remount,ro"]).arg(&self.mount)).expect("a remount");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.mount).stderr(Stdio::null()).status();
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output =
        command.output().map_err(|error| format!("{} does not start: {error}", command.get_program().display()))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()) }
}
