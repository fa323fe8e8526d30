//! Tests of redb as the engine of an embedded store.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod engine;
mod open;

use std::fs;
use std::path::Path;
use voight_redb::{RedbEngine, WalRedb};
use voight_support::embedded::EngineUnderTest;

struct Redb;

impl EngineUnderTest for Redb {
    type Engine = RedbEngine;
    type Store = WalRedb;
    const NAME: &'static str = "redb";
    /// After 100 and 200 records.
    const PAUSES: usize = 2;

    fn make_empty(path: &Path) {
        fs::write(path, b"").unwrap();
    }
}

voight_support::engine_tests!(Redb);
