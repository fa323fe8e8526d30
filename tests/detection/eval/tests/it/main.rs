//! Tests of the evaluation: recordings, published results, and the rule table.
#![expect(
    clippy::expect_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod corpus;
mod links;
mod page;
mod rules;
