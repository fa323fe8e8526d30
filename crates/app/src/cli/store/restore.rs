//! `voight store restore` and `voight store copy`: both put a store where none is.

use super::{Proof, failure, place, whole_backup};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::data_dir::DataDir;
use crate::exit::Failure;
use crate::output::Table;
use crate::store_url::StoreUrl;
use crate::wiring::FileWork;
use clap::Args;
use serde::Serialize;
use std::fs;
use std::io::{self, BufReader, BufWriter, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use voight_store::{DumpReader, Identity, OnDisk, Summary, dump_of, restore};

const NEXT: &str =
    "A backup has no pepper: before a server starts, put this store's into the data directory, or VOIGHT_PEPPER.";

/// Build the store of the data directory from a backup.
#[derive(Debug, Args)]
pub(in crate::cli) struct Restore {
    /// The backup
    file: PathBuf,
}

/// Copy a store that no server runs on to a place where none is, on the same engine or another.
#[derive(Debug, Args)]
pub(in crate::cli) struct Copy {
    /// The store to copy
    #[arg(long, value_name = "URL")]
    from: StoreUrl,
    /// Where to put the copy
    #[arg(long, value_name = "URL")]
    to: StoreUrl,
}

/// Both sides, which are the same.
#[derive(Debug, Serialize)]
struct Done {
    store: String,
    from: Proof,
    to: Proof,
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

impl Copy {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), Failure> {
        // Once for its hash: a store that cannot be read to its end is not begun to be copied.
        let from = place::work(invocation, &self.from, Reading(io::sink()))?;
        let (input, out) = io::pipe().map_err(|error| Failure::internal(format!("no pipe can be made ({error})")))?;
        let (reader, source) = (invocation.clone(), self.from.clone());
        let reading = std::thread::spawn(move || place::work(&reader, &source, Reading(out)));
        let progress = Progress::start(invocation.output, "copying");
        let source = self.from.to_string();
        let building = Building { input: BufReader::new(input), source: &source, progress: &progress };
        // The reading end goes with `building`, so the other thread ends whatever happens here.
        let put = place::work(invocation, &self.to, building);
        let read = reading.join();
        drop(progress);
        let (_, to) = put?;
        match read {
            Ok(Ok(again)) if again == from => done(invocation, &self.to, from, to),
            Ok(Err(failure)) => Err(failure),
            _ => Err(Failure::internal(format!("{source} was not read twice alike: check its disk"))),
        }
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

fn done(invocation: &Invocation, store: &StoreUrl, from: Summary, to: Summary) -> Result<(), Failure> {
    let done = Done { store: store.to_string(), from: from.into(), to: to.into() };
    invocation.output.data(&done, |done| {
        let mut table = Table::new(["", "ROWS", "HASH"]);
        table.row(["from", &done.from.rows.to_string(), &done.from.hash]);
        table.row(["to", &done.to.rows.to_string(), &done.to.hash]);
        table
    })
}

struct Reading<W>(W);

impl<W: io::Write> FileWork for Reading<W> {
    type Output = Summary;

    fn on<E: OnDisk>(self, path: &Path) -> Result<Summary, Failure> {
        let source = path.display().to_string();
        let dump = dump_of::<E>(path, &mut BufWriter::new(self.0));
        dump.map(|(_, summary)| summary).map_err(|error| failure(&error, &source))
    }
}

struct Building<'a, R> {
    input: R,
    source: &'a str,
    progress: &'a Progress,
}

impl<R: Read> FileWork for Building<'_, R> {
    type Output = (Summary, Summary);

    fn on<E: OnDisk>(self, path: &Path) -> Result<Self::Output, Failure> {
        let mut dump = DumpReader::open(self.input).map_err(|error| failure(&error.into(), self.source))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        if let Some(folder) = folder {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| {
                Failure::configuration(format!(
                    "{} cannot be created ({error}); give this user access",
                    folder.display()
                ))
            })?;
        }
        restore::<E>(&mut dump, path, &mut |records| self.progress.add(records)).map_err(|error| {
            if let Some(folder) = folder {
                // Only if nothing else has come into it.
                let _ = fs::remove_dir(folder);
            }
            failure(&error, self.source)
        })
    }
}
