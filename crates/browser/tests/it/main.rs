//! Tests of the component: its reference page and its texts.
#![expect(
    clippy::expect_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod reference;
mod texts;
