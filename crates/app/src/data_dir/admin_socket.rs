//! The Unix socket through which commands reach the running server of a data directory.

use crate::exit::{CommandError, Exit};
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// File name of the socket.
const NAME: &str = "admin.sock";
/// Maximum path length in `sockaddr_un` on every supported system, in bytes.
///
/// Without the final NUL it is 107 on Linux and 103 on macOS.
const MAX_PATH_BYTES: usize = 103;

/// The socket `admin.sock` of a data directory. A server binds it at start and removes it at stop; one that a crash left behind
/// answers no connection, and the next server replaces it.
#[derive(Debug, Clone)]
pub(crate) struct AdminSocket {
    path: PathBuf,
}

/// A bound admin socket; its file is removed on drop, unless another server has replaced it.
#[derive(Debug)]
pub(crate) struct BoundSocket {
    path: PathBuf,
    file: FileId,
}

/// Identity of a socket file: device, inode and change time.
///
/// A later file may reuse the inode, so the time is part of it.
type FileId = (u64, u64, i64, i64);

/// Address for `bind` and `connect`, valid for the lifetime of this value.
struct SocketAddress {
    path: PathBuf,
    _dir: Option<File>,
}

impl AdminSocket {
    /// Returns the socket of the data directory `dir`.
    pub(super) fn in_dir(dir: &Path) -> Self {
        Self::from_path(dir.join(NAME))
    }

    /// Returns the socket at `path`.
    pub(crate) fn from_path(path: PathBuf) -> Self {
        Self { path }
    }

    /// Returns the path of the socket file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if the socket file exists, of a running server or of one that crashed.
    pub(crate) fn exists(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok()
    }

    /// Connects to the server that listens on the socket.
    pub(crate) fn connect(&self) -> io::Result<UnixStream> {
        UnixStream::connect(self.address()?.path)
    }

    /// Binds the socket with mode 0600 and replaces one that a crash left behind. The caller holds the lock of the data
    /// directory, so that two servers that start at the same time do not take each other's socket for a stale one.
    ///
    /// # Errors
    ///
    /// `Unreachable` if another server answers on it; `Configuration` if the path holds something else than a socket, or cannot
    /// be used.
    pub(super) fn bind(&self) -> Result<(UnixListener, BoundSocket), CommandError> {
        if let Some(about) = self.metadata()? {
            self.remove_stale(&about)?;
        }
        let bind_result = self
            .address()
            .and_then(|address| UnixListener::bind(address.path));
        let listener = bind_result.map_err(|error| self.unusable(&error))?;
        let result = fs::set_permissions(&self.path, Permissions::from_mode(0o600));
        let about = result
            .and_then(|()| fs::symlink_metadata(&self.path))
            .map_err(|error| self.unusable(&error))?;
        Ok((
            listener,
            BoundSocket {
                path: self.path.clone(),
                file: file_id(&about),
            },
        ))
    }

    fn metadata(&self) -> Result<Option<Metadata>, CommandError> {
        match fs::symlink_metadata(&self.path) {
            Ok(about) => Ok(Some(about)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.unusable(&error)),
        }
    }

    /// Removes the socket file of a crashed server, which refuses connections.
    fn remove_stale(&self, about: &Metadata) -> Result<(), CommandError> {
        let path = self.path.display();
        if !about.file_type().is_socket() {
            let sentence = format!(
                "{path} is not a socket; remove it, or choose another directory with --data-dir"
            );
            return Err(CommandError::configuration(sentence));
        }
        match self.connect() {
            Ok(_) => Err(CommandError::new(
                Exit::Unreachable,
                format!(
                    "another server of this data directory answers on {path}; stop it, or choose another directory with --data-dir"
                ),
            )),
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
                fs::remove_file(&self.path).map_err(|error| self.unusable(&error))
            }
            Err(error) => Err(self.unusable(&error)),
        }
    }

    /// Returns the path if it fits into a socket address.
    ///
    /// On Linux a longer path is replaced by the same file through the descriptor of its directory.
    fn address(&self) -> io::Result<SocketAddress> {
        if self.path.as_os_str().len() <= MAX_PATH_BYTES {
            return Ok(SocketAddress {
                path: self.path.clone(),
                _dir: None,
            });
        }
        let (Some(dir), Some(name), true) = (
            self.path.parent(),
            self.path.file_name(),
            cfg!(target_os = "linux"),
        ) else {
            let message =
                format!("a socket path has at most {MAX_PATH_BYTES} bytes on this system");
            return Err(io::Error::new(ErrorKind::InvalidInput, message));
        };
        let dir = File::open(dir)?;
        let path = Path::new("/proc/self/fd")
            .join(dir.as_raw_fd().to_string())
            .join(name);
        Ok(SocketAddress {
            path,
            _dir: Some(dir),
        })
    }

    fn unusable(&self, error: &io::Error) -> CommandError {
        CommandError::configuration(format!(
            "the admin socket {} cannot be used ({error}); choose another directory with --data-dir",
            self.path.display()
        ))
    }
}

impl Drop for BoundSocket {
    fn drop(&mut self) {
        let is_own =
            fs::symlink_metadata(&self.path).is_ok_and(|about| file_id(&about) == self.file);
        if is_own {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn file_id(about: &Metadata) -> FileId {
    (about.dev(), about.ino(), about.ctime(), about.ctime_nsec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_socket_keeps_its_successor() {
        let dir = tempfile::tempdir().unwrap();
        let socket = AdminSocket::in_dir(dir.path());
        let (listener, old) = socket.bind().unwrap();
        assert_eq!(socket.bind().unwrap_err().exit, Exit::Unreachable);
        drop(listener);
        let (_listener, new) = socket.bind().unwrap();
        drop(old);
        assert!(socket.connect().is_ok());
        drop(new);
        assert!(!socket.exists());
    }
}
