//! Test doubles of an engine and of a later release, which unit tests share with other crates through the feature `testing`.

#[cfg(test)]
mod faulty_engine;
pub mod made_up_formats;
mod map_engine;

pub use crate::record_types::is_unreferenced;
#[cfg(test)]
pub(crate) use faulty_engine::{FailedBatch, FaultyEngine};
pub use map_engine::{Map, MapEngine, Snapshot};
