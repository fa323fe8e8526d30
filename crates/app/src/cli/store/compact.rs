//! `voight store compact`.

use super::place;
use crate::cli::invocation::Invocation;
use crate::exit::Failure;
use crate::store_url::StoreUrl;
use crate::wiring::{FileWork, refused};
use clap::Args;
use serde::Serialize;
use std::path::Path;
use voight_store::{Existing, OnDisk, StorePaths, disk_bytes};

/// Give unused space of a store's files back to the file system.
#[derive(Debug, Args)]
pub(in crate::cli) struct Compact {
    /// A store that no server runs on [default: the store of the data directory]
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
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), Failure> {
        let url = place::store(invocation, self.url)?;
        let done = place::work(invocation, &url, Compacting(&url))?;
        invocation.output.data(&done, |done| {
            format!("{}: {} bytes before, {} after", done.store, done.bytes_before, done.bytes_after)
        })
    }
}

struct Compacting<'a>(&'a StoreUrl);

impl FileWork for Compacting<'_> {
    type Output = Compacted;

    fn on<E: OnDisk>(self, path: &Path) -> Result<Compacted, Failure> {
        let bytes_before = bytes(path);
        let mut store = Existing::<E>::change(path).map_err(|error| refused(&error))?;
        // Whose store it is is asked first: a foreign or newer one is left as it is.
        store.identity(path).map_err(|error| refused(&error))?;
        for engine in std::iter::once(&mut store.main).chain(&mut store.evidence) {
            engine.compact().map_err(|error| Failure::internal(format!("{}: {error}", self.0)))?;
        }
        drop(store);
        Ok(Compacted { store: self.0.to_string(), bytes_before, bytes_after: bytes(path) })
    }
}

fn bytes(path: &Path) -> u64 {
    let paths = StorePaths::of(path);
    disk_bytes(&paths.main) + disk_bytes(&paths.evidence)
}
