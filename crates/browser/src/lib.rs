#![doc = include_str!("../README.md")]

mod asset;
mod language;
mod page;

pub use asset::{Asset, asset, assets, component_assets, npm_package};
pub use language::nearest;
pub use page::{WindowPage, stub, window_document};
