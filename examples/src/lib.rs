//! Runnable examples, one directory for each integration.

#[path = "../engine-appendlog/mod.rs"]
pub mod engine_appendlog;
