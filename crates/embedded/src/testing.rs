//! A made-up later release, which tests share with other crates through the feature `testing`.

pub mod made_up_formats;

pub use crate::record_types::is_unreferenced;
