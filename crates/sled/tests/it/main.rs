//! Tests of sled as the engine of an embedded store.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod engine;
mod open;

use std::fs;
use std::path::Path;
use voight_sled::SledEngine;
use voight_support::embedded::EngineUnderTest;

struct Sled;

impl EngineUnderTest for Sled {
    type Engine = SledEngine;
    type Store = SledEngine;
    const NAME: &'static str = "sled";
    /// Batches are applied at once.
    const PAUSES: usize = 0;

    fn make_empty(path: &Path) {
        fs::create_dir(path).unwrap();
    }
}

voight_support::engine_tests!(Sled);
