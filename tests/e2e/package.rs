//! npm package `@voight/check`: its bytes, its types, and its helper for backends.

mod bytes;
mod helper;
mod served;
mod types;

use std::path::PathBuf;
use voight_tests::clone::Clone;
use voight_tests::npm;
use voight_tests::skip::skipped;

/// Programs and types that use the package, in a directory in which it is installed.
struct Project {
    clone: Clone,
    /// Directory of the package.
    package: PathBuf,
}

impl Project {
    /// Installs the package in a new project; reports the test `name` as skipped if that is impossible.
    fn new(name: &str) -> Option<Self> {
        if let Some(missing) = npm::missing() {
            skipped(name, &missing);
            return None;
        }
        let clone = Clone::of_folders(&["tests/e2e/package"]);
        let package = npm::install(clone.path());
        Some(Self { clone, package })
    }
}
