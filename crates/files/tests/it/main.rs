//! Tests of the file formats.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

mod airdrop;
mod compression;
mod fixture;
mod limits;
mod npm_package;
mod rows;
mod upload;
