//! What was found, for people and for programs.

mod figure;
mod json;
mod spread;
mod table;

pub(crate) use figure::{Figure, Findings, LoadLine, OF_STATIC, Ratios};
pub(crate) use json::flat;
pub(crate) use spread::Spread;
pub(crate) use table::{plain, table};
