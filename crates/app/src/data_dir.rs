//! The data directory: the secrets of an installation, the marker that says it is ours, and the
//! socket of its server.
//!
//! It is inspected before anything is written, so that a refusal leaves no trace, and what a first run has created is
//! taken back unless that run succeeds.

mod admin_socket;
mod first_run;
mod lock;
mod marker;
mod private_file;
mod secret;

pub(crate) use admin_socket::{AdminSocket, BoundSocket};
pub(crate) use secret::{AdminToken, PepperSource};

use crate::exit::CommandError;
use first_run::CreatedFiles;
use marker::DataDirMarker;
use std::fs::{self, File};
use std::io;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use voight_domain::secrets::Pepper;

const PEPPER: &str = "pepper";
const TOKEN: &str = "admin.token";
/// The sidecar of a store in the directory: that of a copied or restored store, whose directory has no secrets yet.
const STORE_SIDECAR: &str = "voight.redb.id";

/// A data directory that is ours, or will be.
#[derive(Debug)]
pub(crate) struct DataDir {
    path: PathBuf,
    first_run: CreatedFiles,
    lock: Option<File>,
}

impl DataDir {
    /// Looks at `path` and writes nothing. A directory with foreign files in it, or something that is no directory, is refused.
    pub(crate) fn inspect(path: impl Into<PathBuf>) -> Result<Self, CommandError> {
        let path = path.into();
        match fs::read_dir(&path) {
            Ok(entries) => {
                let names = entries.map(|entry| entry.map(|entry| entry.file_name())).collect::<io::Result<Vec<_>>>();
                let names = names.map_err(|error| unreadable(&path, &error))?;
                refuse_foreign(&path, &names)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unreadable(&path, &error)),
        }
        Ok(Self { path, first_run: CreatedFiles::default(), lock: None })
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it was used with a store before.
    pub(crate) fn is_used(&self) -> Result<bool, CommandError> {
        Ok(self.store_url()?.is_some())
    }

    /// The URL of the store that it was used with last, if it was used.
    pub(crate) fn store_url(&self) -> Result<Option<String>, CommandError> {
        Ok(DataDirMarker::read(&self.path)?.map(|marker| marker.store))
    }

    /// Creates the directory, open to its owner only, unless it is there, and locks it until [`commit`](Self::commit): of
    /// two processes that begin in it at the same time, the second finds what the first one made.
    pub(crate) fn create(&mut self) -> Result<(), CommandError> {
        self.first_run.create_dir(&self.path).map_err(|error| unwritable(&self.path, &error))?;
        self.lock = Some(lock::acquire(&self.path)?);
        Ok(())
    }

    /// Locks the directory if it exists, so that a first run in it has ended; the lock ends with the file.
    pub(crate) fn lock_if_created(&self) -> Result<Option<File>, CommandError> {
        if self.path.is_dir() { lock::acquire(&self.path).map(Some) } else { Ok(None) }
    }

    /// The file of the pepper.
    pub(crate) fn pepper_path(&self) -> PathBuf {
        self.path.join(PEPPER)
    }

    /// The pepper: of the environment, of the file, or a new one that is written to the file.
    pub(crate) fn pepper(&mut self) -> Result<Pepper, CommandError> {
        secret::pepper(&self.path.join(PEPPER), &mut self.first_run)
    }

    /// The pepper of the environment or of the file; `None` if there is none yet.
    pub(crate) fn known_pepper(&self) -> Result<Option<Pepper>, CommandError> {
        secret::known_pepper(&self.path.join(PEPPER))
    }

    /// Where the pepper comes from.
    pub(crate) fn pepper_source(&self) -> PepperSource {
        secret::pepper_source(&self.path.join(PEPPER))
    }

    /// The admin token of the directory: of the environment unless that is a named token, of the file, or a new one that is written to
    /// the file.
    pub(crate) fn admin_token(&mut self) -> Result<AdminToken, CommandError> {
        AdminToken::load_or_create(&self.path.join(TOKEN), &mut self.first_run)
    }

    /// The admin token that commands use: of the environment or of the file; `None` if there is none yet.
    pub(crate) fn known_token(&self) -> Result<Option<AdminToken>, CommandError> {
        AdminToken::load(&self.path.join(TOKEN))
    }

    /// The socket through which commands reach this directory's server.
    pub(crate) fn admin_socket(&self) -> AdminSocket {
        AdminSocket::of(&self.path)
    }

    /// Binds that socket for a server of this directory, under the directory's lock.
    pub(crate) fn bind_admin_socket(&self) -> Result<(UnixListener, BoundSocket), CommandError> {
        let _lock = lock::acquire(&self.path)?;
        self.admin_socket().bind()
    }

    /// Keeps what was created and remembers the store, if it is one that stays; returns whether this was the first run.
    pub(crate) fn commit(&mut self, store_url: Option<&str>) -> Result<bool, CommandError> {
        let first = self.first_run.commit();
        if let Some(url) = store_url {
            DataDirMarker { store: url.to_owned() }
                .write(&self.path)
                .map_err(|error| unwritable(&self.path, &error))?;
        }
        self.lock = None;
        Ok(first)
    }

    /// Files of it that somebody else may read, though they are secret.
    pub(crate) fn readable_by_others(&self) -> Vec<PathBuf> {
        let secrets = [PEPPER, TOKEN].map(|name| self.path.join(name));
        secrets.into_iter().chain([self.path.clone()]).filter(|path| private_file::is_open_to_others(path)).collect()
    }
}

/// What may be in a directory that becomes ours: nothing but what a fresh file system brings.
fn refuse_foreign(path: &Path, names: &[std::ffi::OsString]) -> Result<(), CommandError> {
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    let ours = [marker::NAME, PEPPER, TOKEN, STORE_SIDECAR].into_iter().any(has);
    match names.iter().find(|name| *name != "lost+found") {
        Some(foreign) if !ours => Err(CommandError::configuration(format!(
            "{} is not a data directory of Voight: it holds {}; choose an empty or new directory with --data-dir",
            path.display(),
            foreign.display()
        ))),
        _ => Ok(()),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> CommandError {
    let hint = match error.kind() {
        io::ErrorKind::NotADirectory => "it is a file; choose a directory with --data-dir".to_owned(),
        _ => format!("{error}; give this user access, or choose another one with --data-dir"),
    };
    CommandError::configuration(format!("the data directory {} cannot be read: {hint}", path.display()))
}

fn unwritable(path: &Path, error: &io::Error) -> CommandError {
    let hint = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the disk is full; free some space",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only; make it writable",
        _ => "give this user write access",
    };
    CommandError::configuration(format!(
        "the data directory {} cannot be written ({error}): {hint}, or choose another one with --data-dir",
        path.display()
    ))
}

#[cfg(test)]
#[path = "data_dir/tests.rs"]
mod tests;
