//! Data directory: the secrets of an installation, the marker file, and the socket of its server.
//!
//! The directory is inspected before anything is written, so that a rejected directory is not changed. Files that a first run
//! has created are removed unless that run succeeds.

mod admin_socket;
mod lock;
mod marker;
mod owner;
mod private_file;
mod rollback;
mod secret;

pub(crate) use admin_socket::{AdminSocket, BoundSocket};
pub(crate) use private_file::is_open_to_others;
pub(crate) use secret::PepperSource;

use crate::exit::CommandError;
use crate::wiring::DEFAULT_STORE_SIDECAR;
use crate::write_failure::write_remedy;
use marker::DataDirMarker;
use rollback::CreatedFiles;
use std::fs::{self, File};
use std::io;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use voight_api::AdminTokenSecret;
use voight_domain::secrets::Pepper;

const PEPPER: &str = "pepper";
const TOKEN: &str = "admin.token";

/// Data directory of this installation, existing or to be created.
#[derive(Debug)]
pub(crate) struct DataDir {
    path: PathBuf,
    first_run: CreatedFiles,
    lock: Option<File>,
}

impl DataDir {
    /// Inspects `path` without writing. A directory with foreign files, or a path that is not a directory, is rejected.
    pub(crate) fn inspect(path: impl Into<PathBuf>) -> Result<Self, CommandError> {
        let path = path.into();
        match fs::read_dir(&path) {
            Ok(entries) => {
                let names = entries
                    .map(|entry| entry.map(|entry| entry.file_name()))
                    .collect::<io::Result<Vec<_>>>();
                let names = names.map_err(|error| unreadable(&path, &error))?;
                reject_foreign(&path, &names)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unreadable(&path, &error)),
        }
        Ok(Self {
            path,
            first_run: CreatedFiles::default(),
            lock: None,
        })
    }

    /// Returns the path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if the directory was used with a store before.
    pub(crate) fn is_used(&self) -> Result<bool, CommandError> {
        Ok(self.store_url()?.is_some())
    }

    /// Returns the URL of the last store; `None` if the directory was not used yet.
    pub(crate) fn store_url(&self) -> Result<Option<String>, CommandError> {
        Ok(DataDirMarker::read(&self.path)?.map(|marker| marker.store))
    }

    /// Creates the directory with mode 0700, unless it exists, and locks it until [`commit`](Self::commit). Of two processes
    /// that start in it at the same time, the second waits and finds the files of the first.
    pub(crate) fn create(&mut self) -> Result<(), CommandError> {
        self.first_run
            .create_dir(&self.path)
            .map_err(|error| unwritable(&self.path, &error))?;
        owner::check(&self.path)?;
        self.lock = Some(lock::acquire(&self.path)?);
        Ok(())
    }

    /// Locks the directory if it exists, so that a first run in it has ended; the lock ends with the file.
    pub(crate) fn lock_if_created(&self) -> Result<Option<File>, CommandError> {
        if !self.path.is_dir() {
            return Ok(None);
        }
        owner::check(&self.path)?;
        lock::acquire(&self.path).map(Some)
    }

    /// Returns the path of the pepper file.
    pub(crate) fn pepper_path(&self) -> PathBuf {
        self.path.join(PEPPER)
    }

    /// Returns the pepper of the environment or of the file, or creates a new one in the file.
    pub(crate) fn pepper(&mut self) -> Result<Pepper, CommandError> {
        secret::pepper(&self.path.join(PEPPER), &mut self.first_run)
    }

    /// Returns the pepper of the environment or of the file; `None` if neither has one.
    pub(crate) fn known_pepper(&self) -> Result<Option<Pepper>, CommandError> {
        secret::known_pepper(&self.path.join(PEPPER))
    }

    /// Returns the source of the pepper.
    pub(crate) fn pepper_source(&self) -> PepperSource {
        secret::pepper_source(&self.path.join(PEPPER))
    }

    /// Returns the admin token of this directory, or creates a new one in the file.
    ///
    /// The token of the environment takes precedence over that of the file, unless it is a named token.
    pub(crate) fn admin_token(&mut self) -> Result<AdminTokenSecret, CommandError> {
        secret::admin_token(&self.path.join(TOKEN), &mut self.first_run)
    }

    /// Returns the admin token that commands use; `None` if neither the environment nor the file has one.
    pub(crate) fn known_token(&self) -> Result<Option<AdminTokenSecret>, CommandError> {
        secret::known_token(&self.path.join(TOKEN))
    }

    /// Returns the socket through which commands reach this directory's server.
    pub(crate) fn admin_socket(&self) -> AdminSocket {
        AdminSocket::in_dir(&self.path)
    }

    /// Binds the admin socket for a server of this directory, under the directory's lock.
    pub(crate) fn bind_admin_socket(&self) -> Result<(UnixListener, BoundSocket), CommandError> {
        let _lock = lock::acquire(&self.path)?;
        self.admin_socket().bind()
    }

    /// Keeps the created files and records the store, if it is persistent; returns `true` for a first run.
    pub(crate) fn commit(&mut self, store_url: Option<&str>) -> Result<bool, CommandError> {
        let first = self.first_run.commit();
        if let Some(url) = store_url {
            DataDirMarker {
                store: url.to_owned(),
            }
            .write(&self.path)
            .map_err(|error| unwritable(&self.path, &error))?;
        }
        self.lock = None;
        Ok(first)
    }

    /// Returns secret files that other users may read.
    pub(crate) fn readable_by_others(&self) -> Vec<PathBuf> {
        let secrets = [PEPPER, TOKEN].map(|name| self.path.join(name));
        secrets
            .into_iter()
            .chain([self.path.clone()])
            .filter(|path| is_open_to_others(path))
            .collect()
    }
}

/// Rejects a new directory that contains anything except the entries of a fresh file system.
fn reject_foreign(path: &Path, names: &[std::ffi::OsString]) -> Result<(), CommandError> {
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    let ours = [marker::NAME, PEPPER, TOKEN, DEFAULT_STORE_SIDECAR]
        .into_iter()
        .any(has);
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
        io::ErrorKind::NotADirectory => {
            "it is a file; choose a directory with --data-dir".to_owned()
        }
        _ => format!(
            "{error}{}; give this user access, or choose another one with --data-dir",
            owner::describe(path)
        ),
    };
    CommandError::configuration(format!(
        "the data directory {} cannot be read: {hint}",
        path.display()
    ))
}

/// Returns the failure to write `path`: the data directory, or a file in it.
fn unwritable(path: &Path, error: &io::Error) -> CommandError {
    let remedy =
        write_remedy(path, error).unwrap_or_else(|| "give this user write access".to_owned());
    CommandError::configuration(format!(
        "{} cannot be written ({error}{}): {remedy}, or choose another data directory with --data-dir",
        path.display(),
        owner::describe(path)
    ))
}

#[cfg(test)]
#[path = "data_dir/tests.rs"]
mod tests;
