//! `voight store backup`.

use super::{Proof, dump_of, failure, place};
use crate::cli::invocation::Invocation;
use crate::exit::Failure;
use crate::output::Table;
use crate::store_url::StoreUrl;
use crate::wiring::FileWork;
use clap::Args;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use voight_store::{OnDisk, Summary, summarise, sync_folder_of};

const NO_PEPPER: &str = "A backup does not contain the pepper, and without it opens no key: keep that too, and apart.";

/// Write everything in a store that no server runs on into one file.
#[derive(Debug, Args)]
pub(in crate::cli) struct Backup {
    /// The store [default: the store of the data directory]
    #[arg(value_name = "URL")]
    url: Option<StoreUrl>,
    /// The file to write, which must not be there
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Debug, Serialize)]
struct Done {
    file: String,
    identity: String,
    #[serde(flatten)]
    proof: Proof,
    contains_pepper: bool,
}

impl Backup {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), Failure> {
        let url = place::store(invocation, self.url)?;
        let draft = Draft::of(&self.out)?;
        let written = place::work(invocation, &url, Writing(&draft))?;
        // Read again, so that what is kept is known to be whole.
        let (_, (identity, read)) = dump_of(&draft.path)?;
        if read != written {
            return Err(Failure::internal(
                "what was written is not what is read back: nothing was kept; check the disk",
            ));
        }
        draft.keep(&self.out)?;
        let file = self.out.display().to_string();
        let done = Done { file, identity: identity.id(), proof: read.into(), contains_pepper: false };
        invocation.output.data(&done, text)?;
        invocation.output.note(NO_PEPPER);
        Ok(())
    }
}

struct Writing<'a>(&'a Draft);

impl FileWork for Writing<'_> {
    type Output = Summary;

    fn on<E: OnDisk>(self, path: &Path) -> Result<Summary, Failure> {
        let mut out = BufWriter::new(self.0.create()?);
        let summary = summarise::<E>(path, &mut out).map_err(|error| failure(&error, &path.display().to_string()))?;
        let synced = out.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| file.sync_all());
        synced.map_err(|error| unwritable(&self.0.path, &error))?;
        Ok(summary)
    }
}

/// The file until it is whole; removed when dropped.
struct Draft {
    path: PathBuf,
}

impl Draft {
    fn of(out: &Path) -> Result<Self, Failure> {
        if out.symlink_metadata().is_ok() {
            return Err(Failure::internal(format!("{} is there already; name another file with --out", out.display())));
        }
        let mut path = out.as_os_str().to_owned();
        path.push(".partial");
        Ok(Self { path: path.into() })
    }

    fn create(&self) -> Result<File, Failure> {
        // It holds digests of keys and raw evidence: for its owner only.
        let file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&self.path);
        file.map_err(|error| unwritable(&self.path, &error))
    }

    fn keep(&self, out: &Path) -> Result<(), Failure> {
        fs::rename(&self.path, out).and_then(|()| sync_folder_of(out)).map_err(|error| unwritable(out, &error))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    Failure::internal(format!("{path} cannot be written ({error}); free some space, or name another file with --out"))
}

fn text(done: &Done) -> Table {
    let mut table = Table::default();
    table.row(["file", &done.file]);
    table.row(["store", &done.identity]);
    table.row(["rows", &done.proof.rows.to_string()]);
    table.row(["hash", &done.proof.hash]);
    table
}
