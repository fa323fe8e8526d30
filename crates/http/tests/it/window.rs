//! Tests of the window, from its document to its receipt.
#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

mod binding;
#[path = "../common/mod.rs"]
mod common;
mod document;
mod evidence_builder;
mod files;
mod flow;
mod log;
mod metrics;
mod operator;
mod recordings;
mod refusals;
mod replay;
mod service;
mod unread;
mod what_is_checked;
