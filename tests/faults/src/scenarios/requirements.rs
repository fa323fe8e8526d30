//! Requirements of scenarios on the machine and the user.

use std::process::{Command, Stdio};
use voight_tests::disk::Disk;
use voight_tests::postgres::Cluster;

/// Returns an error message if no disk can be mounted.
pub(super) fn disk() -> Option<String> {
    let dir = match tempfile::tempdir() {
        Ok(dir) => dir,
        Err(error) => return Some(format!("no temporary directory ({error})")),
    };
    Disk::mount(dir.path(), 8)
        .err()
        .map(|error| format!("no disk can be mounted, which needs root and ext4 ({error})"))
}

/// Returns an error message if no database can be started.
pub(super) fn postgres() -> Option<String> {
    match tempfile::tempdir() {
        Ok(dir) => Cluster::start(dir.path()).err(),
        Err(error) => Some(format!("no temporary directory ({error})")),
    }
}

/// Returns an error message if no process can be traced.
pub(super) fn tracer() -> Option<String> {
    let status = Command::new("strace")
        .args(["-qq", "-o", "/dev/null", "true"])
        .stderr(Stdio::null())
        .status();
    match status {
        Ok(status) if status.success() => None,
        Ok(_) => Some("strace may not trace processes here".to_owned()),
        Err(error) => Some(format!("strace does not start ({error})")),
    }
}
