//! Small disk of a test: an ext4 file system in a file, mounted over a loop device. Needs root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Shuts a file system down like a power cut: unsynced data is lost, its journal included.
///
/// The request is `EXT4_IOC_SHUTDOWN` with the flag that flushes no log; Linux has it as `FS_IOC_SHUTDOWN`.
const CUT: &str = "import fcntl, os, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, (2).to_bytes(4, sys.byteorder))";

/// Mounted file system; unmounted when dropped.
pub struct Disk {
    image: PathBuf,
    mount: PathBuf,
}

impl Disk {
    /// Creates and mounts a disk of `mebibytes` MiB under `folder`.
    ///
    /// # Errors
    ///
    /// The reason why this machine or user cannot.
    pub fn mount(folder: &Path, mebibytes: u64) -> Result<Self, String> {
        let image = folder.join("disk.img");
        let mount = folder.join("disk");
        let file = fs::File::create(&image).map_err(|error| error.to_string())?;
        file.set_len(mebibytes << 20)
            .map_err(|error| error.to_string())?;
        fs::create_dir(&mount).map_err(|error| error.to_string())?;
        run(Command::new("mkfs.ext4")
            .args(["-q", "-m", "0"])
            .arg(&image))?;
        let disk = Self { image, mount };
        disk.attach()?;
        Ok(disk)
    }

    fn attach(&self) -> Result<(), String> {
        run(Command::new("mount")
            .args(["-o", "loop"])
            .arg(&self.image)
            .arg(&self.mount))
    }

    /// Returns the mount point.
    pub fn path(&self) -> &Path {
        &self.mount
    }

    /// Fills the disk except for about `kibibytes` KiB.
    pub fn fill(&self, kibibytes: usize) {
        let ballast = self.ballast();
        let spare = self.mount.join("spare");
        fs::write(&spare, vec![1; kibibytes << 10]).expect("the disk takes this much");
        let mut file = fs::File::create(ballast).expect("the disk takes another file");
        let block = vec![1; 4096];
        // A failed write means that the disk is full.
        while std::io::Write::write_all(&mut file, &block).is_ok() {}
        let _ = file.sync_all();
        fs::remove_file(spare).expect("a file that was just written");
        run(&mut Command::new("sync")).expect("sync");
    }

    /// Cuts the power: every later access fails, and unsynced data is lost.
    pub fn cut_power(&self) -> Result<(), String> {
        run(Command::new("python3").args(["-c", CUT]).arg(&self.mount))
    }

    /// Mounts the disk again after a power cut, when no process uses it any more.
    pub fn restore_power(&self) -> Result<(), String> {
        run(Command::new("umount").arg(&self.mount))?;
        self.attach()
    }

    /// Removes the file that filled the disk.
    pub fn free(&self) {
        fs::remove_file(self.ballast()).expect("a disk that was filled");
        run(&mut Command::new("sync")).expect("sync");
    }

    /// Remounts the disk as read-only.
    pub fn make_read_only(&self) {
        run(Command::new("mount")
            .args(["-o", "remount,ro"])
            .arg(&self.mount))
        .expect("a remount");
    }

    fn ballast(&self) -> PathBuf {
        self.mount.join("ballast")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount")
            .arg(&self.mount)
            .stderr(Stdio::null())
            .status();
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| {
        format!(
            "{} does not start: {error}",
            command.get_program().display()
        )
    })?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
}
