//! Tests of the window, from its document to its receipt.

mod binding;
mod document;
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
