//! `voight store restore`.

use super::building::{Building, done};
use super::{place, whole_backup};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::data_dir::DataDir;
use crate::exit::Failure;
use clap::Args;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use voight_store::Identity;

const NEXT: &str =
    "A backup has no pepper: before a server starts, put this store's into the data directory, or VOIGHT_PEPPER.";

/// Build the store of the data directory from a backup.
#[derive(Debug, Args)]
pub(in crate::cli) struct Restore {
    /// The backup
    file: PathBuf,
}

impl Restore {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), Failure> {
        let url = place::store(invocation, None)?;
        // Read to its end before anything is written.
        let (file, (identity, _)) = whole_backup(&self.file)?;
        of_this_pepper(invocation, &identity, &self.file)?;
        let progress = Progress::start(invocation.output, "restoring");
        let source = self.file.display().to_string();
        let building = Building { input: BufReader::new(file), source: &source, progress: &progress };
        let (from, to) = place::work(invocation, &url, building)?;
        drop(progress);
        done(invocation, &url, from, to)?;
        invocation.output.note(NEXT);
        Ok(())
    }
}

/// A store opens with the pepper that it was created with and no other. One that will be put there later is not looked for.
fn of_this_pepper(invocation: &Invocation, identity: &Identity, backup: &Path) -> Result<(), Failure> {
    let dir = DataDir::inspect(&invocation.load(Vec::new())?.config.store.data_dir)?;
    match dir.known_pepper()? {
        Some(pepper) if pepper.commitment() != identity.pepper() => Err(Failure::configuration(format!(
            "{} is of a store with another pepper than {} has: put that store's pepper there, or in VOIGHT_PEPPER, or name another --data-dir",
            backup.display(),
            dir.path().display()
        ))),
        _ => Ok(()),
    }
}
