//! The npm package `@voight/check`: its bytes, its types, and its helper for backends.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

#[path = "package/bytes.rs"]
mod bytes;
#[path = "package/helper.rs"]
mod helper;
#[path = "package/types.rs"]
mod types;

use std::path::{Path, PathBuf};
use tempfile::TempDir;
use voight_tests::npm;
use voight_tests::skip::skipped;

/// A project that the package is installed in.
struct Project {
    folder: TempDir,
    /// Where the package lies.
    package: PathBuf,
}

impl Project {
    /// Installs the package in a new project; reports the test `name` as skipped where that can't be.
    fn new(name: &str) -> Option<Self> {
        if let Some(missing) = npm::missing() {
            skipped(name, &missing);
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let package = npm::install(folder.path());
        std::fs::write(folder.path().join("package.json"), r#"{"type":"module"}"#).expect("a project");
        Some(Self { folder, package })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}
