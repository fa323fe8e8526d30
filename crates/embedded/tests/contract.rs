//! Contract suite on the embedded store over a plain map, which excludes faults of a real engine.

mod maps;

use maps::MapStoreFactory;
use std::process::ExitCode;
use std::sync::Arc;
use voight_contract::Suite;
use voight_memory::MemoryStore;
use voight_support::tier;

fn main() -> ExitCode {
    // Without a disk histories are fast, so most of them run here.
    let histories = tier::volume(400, 2000);
    let maps = MapStoreFactory::opened_by(|map, _| Ok(map));
    Suite::new(maps)
        .against(|clock, budget| Arc::new(MemoryStore::new(clock, budget)))
        .histories(histories)
        .run()
}
