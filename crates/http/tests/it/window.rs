//! Tests of the window, from its document to its receipt.

mod check_counts;
mod document;
mod files;
mod flow;
mod log;
mod metrics;
mod operator;
mod ownership;
mod recordings;
mod rejections;
mod replay;
mod service;
mod unread;
mod what_is_checked;
