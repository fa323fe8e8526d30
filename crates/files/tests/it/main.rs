//! Tests of the file formats.

mod airdrop;
mod compression;
mod fixture;
mod limits;
mod npm_package;
mod rows;
mod upload;
