//! `voight store compact`.

use super::target;
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::CommandError;
use crate::store_url::StoreUrl;
use crate::wiring::{OfflineTask, open_failure};
use clap::Args;
use serde::Serialize;
use std::path::Path;
use voight_embedded::{PersistentEngine, StorePaths, compact, disk_bytes};

/// Arguments of `voight store compact`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Compact {
    /// Store without a running server [default: the store of the data directory]
    #[arg(value_name = "URL")]
    url: Option<StoreUrl>,
}

#[derive(Debug, Serialize)]
struct Compacted {
    store: String,
    bytes_before: u64,
    bytes_after: u64,
}

impl Compact {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let url = target::resolve(invocation, self.url)?;
        let progress = Progress::start(invocation.output, "compacting");
        let done = target::run_offline(invocation, &url, Compacting { url: &url, progress: &progress })?;
        drop(progress);
        invocation.output.data(&done, |done| {
            format!("{}: {} bytes before, {} after", done.store, done.bytes_before, done.bytes_after)
        })
    }
}

struct Compacting<'a> {
    url: &'a StoreUrl,
    progress: &'a Progress,
}

impl OfflineTask for Compacting<'_> {
    type Output = Compacted;

    fn run_on_engine<E: PersistentEngine>(self, path: &Path) -> Result<Compacted, CommandError> {
        let bytes_before = bytes(path);
        compact::<E>(path, &mut |records| self.progress.add(records)).map_err(|error| open_failure(&error))?;
        Ok(Compacted { store: self.url.to_string(), bytes_before, bytes_after: bytes(path) })
    }
}

fn bytes(path: &Path) -> u64 {
    let paths = StorePaths::for_store(path);
    disk_bytes(&paths.main) + disk_bytes(&paths.evidence)
}
