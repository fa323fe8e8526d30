#![doc = include_str!("../README.md")]

pub mod campaign;
pub mod page;
pub mod result;
pub mod rig;
pub mod row;
pub mod rows;
pub mod sources;
