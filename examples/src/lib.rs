//! Examples that run, one folder for each integration.

#[path = "../engine-appendlog/mod.rs"]
pub mod engine_appendlog;
