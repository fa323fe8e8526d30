//! Packages of a release, in the full tier: installed, started, upgraded and removed on the systems for which they are.
//!
//! The packages are those of `target/package`, or of the directory in `VOIGHT_PACKAGES`. `cargo xtask package` writes them.

mod contents;
mod debian;
mod image;

use std::path::{Path, PathBuf};
use std::process::Command;
use voight_tests::command::must_succeed;
use voight_tests::paths;
use voight_tests::tier::is_full_or_skipped;

/// Packages of one release.
struct Release {
    dir: PathBuf,
}

impl Release {
    /// Returns the packages of this commit, and writes them first if there are none; `None` outside of the full tier.
    fn of_this_commit(name: &str) -> Option<Self> {
        if !is_full_or_skipped(name) {
            return None;
        }
        if let Some(dir) = std::env::var_os("VOIGHT_PACKAGES") {
            return Some(Self { dir: dir.into() });
        }
        let release = Self {
            dir: paths::target().join("package"),
        };
        let commit = must_succeed(
            Command::new("git")
                .args(["rev-parse", "HEAD"])
                .current_dir(paths::repository()),
        );
        if !release.exists() || !release.text(".provenance.json").contains(commit.trim()) {
            let mut package = Command::new("cargo");
            must_succeed(
                package
                    .args(["xtask", "package"])
                    .current_dir(paths::repository()),
            );
        }
        Some(release)
    }

    fn exists(&self) -> bool {
        self.dir.join("SHA256SUMS").exists()
    }

    /// Returns the file whose name ends in this way.
    fn file(&self, end: &str) -> PathBuf {
        let entries = std::fs::read_dir(&self.dir).expect("the directory of the packages");
        let mut paths = entries.map(|entry| entry.expect("an entry").path());
        paths
            .find(|path| path.to_string_lossy().ends_with(end))
            .unwrap_or_else(|| panic!("no file *{end}"))
    }

    fn text(&self, end: &str) -> String {
        std::fs::read_to_string(self.file(end)).expect("text")
    }
}

/// Unpacks a tar archive of any compression into a new directory.
fn unpack(archive: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory");
    must_succeed(
        Command::new("tar")
            .arg("-xf")
            .arg(archive)
            .arg("-C")
            .arg(to),
    );
}
