//! Reports: a table for readers and JSON for programs.

mod json;
mod metric;
mod quartiles;
mod table;

pub(crate) use json::flat;
pub(crate) use metric::{LoadResult, Metric, OF_STATIC, Ratios, ScenarioResults};
pub(crate) use quartiles::Quartiles;
pub(crate) use table::{plain, table};
