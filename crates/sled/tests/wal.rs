//! Contract suite on sled with a write-ahead log.

mod folders;

use folders::DirectoryStoreFactory;
use std::marker::PhantomData;
use std::process::ExitCode;
use std::sync::Arc;
use voight_contract::Suite;
use voight_engine::Wal;
use voight_memory::MemoryStore;
use voight_sled::SledEngine;

fn main() -> ExitCode {
    let folders = DirectoryStoreFactory::<Wal<SledEngine>>(PhantomData);
    Suite::new(folders)
        .against(|clock, budget| Arc::new(MemoryStore::new(clock, budget)))
        .run()
}
