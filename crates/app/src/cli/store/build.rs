//! Builds a new store in files.

use super::{ContentHash, failure};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::CommandError;
use crate::output::Table;
use crate::store_url::StoreUrl;
use crate::wiring::OfflineTask;
use serde::Serialize;
use std::fs;
use std::io::Read;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use voight_embedded::{DumpReader, DumpSummary, PersistentEngine, restore};

/// Content summaries of the source and of the new store, which are equal.
#[derive(Debug, Serialize)]
struct BuildReport {
    store: String,
    from: ContentHash,
    to: ContentHash,
    /// Of a copy: the moment that it is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    moment: Option<&'static str>,
}

/// Prints the content summary of the new store.
pub(super) fn print_summary(
    invocation: &Invocation,
    store: &StoreUrl,
    (from, to): (DumpSummary, DumpSummary),
    moment: Option<&'static str>,
) -> Result<(), CommandError> {
    let done = BuildReport { store: store.to_string(), from: from.into(), to: to.into(), moment };
    invocation.output.data(&done, |done| {
        let mut table = Table::new(["", "ROWS", "HASH"]);
        table.row(["from", &done.from.rows.to_string(), &done.from.hash]);
        table.row(["to", &done.to.rows.to_string(), &done.to.hash]);
        table
    })
}

/// Builds a store from a dump; returns the summary of the dump and that of the new store.
pub(super) struct BuildStore<'a, R> {
    /// Dump to read.
    pub(super) input: R,
    /// Name of the source in messages.
    pub(super) source: &'a str,
    pub(super) progress: &'a Progress,
}

impl<R: Read> OfflineTask for BuildStore<'_, R> {
    type Output = (DumpSummary, DumpSummary);

    fn run_on_engine<E: PersistentEngine>(self, path: &Path) -> Result<Self::Output, CommandError> {
        let mut dump = DumpReader::open(self.input).map_err(|error| failure(&error.into(), self.source))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        if let Some(folder) = folder {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| {
                CommandError::configuration(format!(
                    "{} cannot be created ({error}); give this user access",
                    folder.display()
                ))
            })?;
        }
        restore::<E>(&mut dump, path, &mut |records| self.progress.add(records)).map_err(|error| {
            if let Some(folder) = folder {
                // Removes the directory only if it is empty.
                let _ = fs::remove_dir(folder);
            }
            failure(&error, self.source)
        })
    }
}
