//! Tests of the example engine and of the guide that describes it.
#![expect(clippy::unwrap_used, reason = "a test stops at the first error")]

mod guide;

#[path = "../../engine-appendlog/tests/file.rs"]
mod file;
