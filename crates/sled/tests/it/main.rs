//! Tests of sled as the engine of an embedded store.
#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

mod engine;
mod format;
mod open;

#[path = "../../../embedded/tests/engine/mod.rs"]
mod any_engine;
#[path = "../../../embedded/tests/filled/mod.rs"]
mod filled;
#[path = "../../../embedded/tests/made_up_formats/mod.rs"]
mod made_up_formats;
#[path = "../../../embedded/tests/map_engine/mod.rs"]
mod map_engine;
#[path = "../../../embedded/tests/migration/mod.rs"]
mod migration;
#[path = "../../../embedded/tests/opening/mod.rs"]
mod opening;
