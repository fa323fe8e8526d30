//! The contract suite on the embedded store over a plain map: what fails here has nothing to do with a database.

mod map_engine;
mod maps;

use maps::MapStoreFactory;
use std::process::ExitCode;
use std::sync::Arc;
use voight_contract::Suite;
use voight_memory::MemoryStore;

fn main() -> ExitCode {
    // No disk is in the way, so this is where the volume of histories is run.
    let maps = MapStoreFactory::opened_by(|map, _| Ok(map));
    Suite::new(maps).against(|clock, budget| Arc::new(MemoryStore::new(clock, budget))).histories(2000).run()
}
