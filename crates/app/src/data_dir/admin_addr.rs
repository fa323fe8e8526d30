//! Where the admin listener of the running server is.

use super::private_file;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The file `admin.addr`: written when a server starts, removed when it stops. One that a crash left behind is no harm:
/// whoever reads it also connects.
#[derive(Debug, Clone)]
pub(crate) struct AdminAddr {
    path: PathBuf,
}

impl AdminAddr {
    pub(super) fn of(dir: &Path) -> Self {
        Self { path: dir.join("admin.addr") }
    }

    /// Says that the listener is at `addr`.
    pub(crate) fn write(&self, addr: SocketAddr) -> io::Result<()> {
        private_file::replace(&self.path, &format!("{addr}\n"))
    }

    /// Where the listener was said to be.
    pub(crate) fn read(&self) -> Option<SocketAddr> {
        fs::read_to_string(&self.path).ok()?.trim().parse().ok()
    }

    /// Says that there is no listener any more.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}
