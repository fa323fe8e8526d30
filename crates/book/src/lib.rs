#![doc = include_str!("../README.md")]

mod anchor;
mod errors;
mod highlight;
mod link;
mod llms;
mod markdown;
mod openapi;
mod page;
mod path;
mod search;
mod site;
mod summary;
mod tree;

pub use site::{BookError, Site, build};
