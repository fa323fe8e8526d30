#![doc = include_str!("../README.md")]

pub mod harness;
pub mod page;
pub mod result;
pub mod scenario;
pub mod scenario_run;
pub mod scenarios;
pub mod sources;
pub mod time_budget;
