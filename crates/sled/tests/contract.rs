//! The contract suite on sled.

mod folders;

use folders::Folders;
use std::marker::PhantomData;
use std::process::ExitCode;
use std::sync::Arc;
use voight_contract::Suite;
use voight_memory::MemoryStore;
use voight_sled::SledEngine;

fn main() -> ExitCode {
    let folders = Folders::<SledEngine>(PhantomData);
    Suite::of(folders).against(|clock, budget| Arc::new(MemoryStore::new(clock, budget))).run()
}
