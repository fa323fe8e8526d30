//! Engines of stores in files, in the binary under test.

use std::path::Path;

/// Engine of a store in files.
#[derive(Debug)]
pub struct StoreEngine {
    /// Scheme of the URL of its stores.
    pub scheme: &'static str,
    /// System calls that make its writes durable, separated by commas.
    pub sync_calls: &'static str,
}

/// All engines; the first is the default. End-to-end tests run on each of them.
pub const ENGINES: [StoreEngine; 2] = [
    StoreEngine {
        scheme: "redb",
        sync_calls: "fdatasync,fsync",
    },
    StoreEngine {
        scheme: "sled",
        sync_calls: "fdatasync,fsync,sync_file_range",
    },
];

impl StoreEngine {
    /// Returns the URL of the store at `path`.
    pub fn url(&self, path: &Path) -> String {
        format!("{}:{}", self.scheme, path.display())
    }
}

/// Returns the URLs of a store in `folder` for each engine, the default one last: a store that is copied from one to the next
/// was in every engine, and ends in the one that it came from.
pub fn urls_of_copies(folder: &Path) -> Vec<String> {
    let [default_engine, other_engines @ ..] = &ENGINES;
    let engines = other_engines.iter().chain([default_engine]);
    engines
        .map(|engine| engine.url(&folder.join(format!("copy.{}", engine.scheme))))
        .collect()
}
