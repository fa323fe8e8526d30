//! Test doubles of an engine, for tests of this crate and, through the feature `testing`, of others.

mod faulty_engine;
mod map_engine;

pub use faulty_engine::{FailedBatch, FaultyEngine};
pub use map_engine::{Map, MapEngine, Snapshot};
