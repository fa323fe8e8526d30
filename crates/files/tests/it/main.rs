//! Tests of the file formats.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod airdrop;
mod columns;
mod compression;
mod fixture;
mod limits;
mod npm_package;
mod round_trip;
mod rows;
mod upload;
