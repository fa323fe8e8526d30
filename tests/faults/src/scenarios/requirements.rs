//! Requirements of scenarios on the machine and the user.

use std::process::{Command, Stdio};
use voight_tests::disk::Disk;
use voight_tests::postgres::Cluster;

/// Returns the reason why no disk can be mounted, if any.
pub(super) fn disk() -> Option<String> {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => return Some(format!("no temporary folder ({error})")),
    };
    Disk::mount(folder.path(), 8).err().map(|why| format!("no disk can be mounted, which needs root and ext4 ({why})"))
}

/// Returns the reason why no database can be started, if any.
pub(super) fn postgres() -> Option<String> {
    match tempfile::tempdir() {
        Ok(folder) => Cluster::start(folder.path()).err(),
        Err(error) => Some(format!("no temporary folder ({error})")),
    }
}

/// Returns the reason why no process can be traced, if any.
pub(super) fn tracer() -> Option<String> {
    let traced = Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
    match traced {
        Ok(status) if status.success() => None,
        Ok(_) => Some("strace may not trace processes here".to_owned()),
        Err(error) => Some(format!("strace does not start ({error})")),
    }
}
