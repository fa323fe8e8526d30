//! Tests of the built site: links, pages of errors and of the API, the index for language models, and what a browser loads.
#![expect(
    clippy::expect_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod links;
mod pages;

use std::path::Path;
use voight_docs::{File, files};

/// Returns the root of the repository.
fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Returns the contents of a text.
fn text(file: &File) -> String {
    String::from_utf8(file.contents().expect("contents").into_owned()).expect("UTF-8")
}

/// Returns the pages with their HTML.
fn pages() -> impl Iterator<Item = (&'static str, String)> {
    files()
        .iter()
        .filter(|file| has_extension(file.path, "html"))
        .map(|file| (file.path, text(file)))
}

fn has_extension(path: &str, extension: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, found)| found == extension)
}
