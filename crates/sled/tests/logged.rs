//! The contract suite on sled with a log in front of it.

mod folders;

use folders::Folders;
use std::marker::PhantomData;
use std::process::ExitCode;
use std::sync::Arc;
use voight_contract::Suite;
use voight_memory::MemoryStore;
use voight_sled::SledEngine;
use voight_store::Logged;

fn main() -> ExitCode {
    let folders = Folders::<Logged<SledEngine>>(PhantomData);
    Suite::of(folders).against(|clock, budget| Arc::new(MemoryStore::new(clock, budget))).run()
}
