//! Contract suite on the embedded store over plain maps with blocks and write-ahead logs.

mod maps;

use maps::MapStoreFactory;
use std::process::ExitCode;
use std::sync::Arc;
use voight_contract::Suite;
use voight_engine::{BlockEngine, Wal};
use voight_memory::MemoryStore;

/// Small log, so that it wraps around.
const LOG_BYTES: u64 = 128 << 10;

fn main() -> ExitCode {
    let maps = MapStoreFactory::opened_by(|map, path| {
        Ok(Wal::open(
            BlockEngine::new(map),
            &path.with_added_extension("log"),
            LOG_BYTES,
        )?)
    });
    Suite::new(maps)
        .against(|clock, budget| Arc::new(MemoryStore::new(clock, budget)))
        .run()
}
