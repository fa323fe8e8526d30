#![doc = include_str!("../README.md")]

mod asset;
mod language;
mod link;
mod page;
mod sources;
mod strip;
mod template;

pub use asset::{Asset, asset, assets};
pub use language::nearest;
pub use page::{WindowPage, stub, window_document};
pub use strip::{strip_css, strip_javascript};
pub use template::{escape, fill};
