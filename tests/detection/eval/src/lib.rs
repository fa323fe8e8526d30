#![doc = include_str!("../README.md")]

pub mod corpus;
pub mod evaluate;
pub mod evidence;
pub mod page;
mod parallel;
pub mod rates;
pub mod replay;
pub mod rule_page;
pub mod stats;
pub mod table;
pub mod train;
