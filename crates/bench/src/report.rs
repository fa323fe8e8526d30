//! What was found, for people and for programs.

mod figure;
mod json;
mod spread;
mod table;

pub(crate) use figure::{LoadResult, Metric, OF_STATIC, Ratios, ScenarioResults};
pub(crate) use json::flat;
pub(crate) use spread::Quartiles;
pub(crate) use table::{plain, table};
