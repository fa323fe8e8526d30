//! Copy of a part of the repository, as in a clone, and Node.js programs that run in it.

use crate::{paths, process};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use tempfile::TempDir;

/// Copy of some directories; removed when dropped.
pub struct Clone {
    folder: TempDir,
}

impl Clone {
    /// Copies directories, without installed or built files.
    ///
    /// Node.js programs search their imports beside themselves, so those of the page tests get a link to their libraries.
    pub fn of_folders(folders: &[&str]) -> Self {
        let clone = Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        for file in paths::committable(folders) {
            clone.copy(&file);
        }
        let pages = clone.path().join("tests/e2e/pages");
        if pages.exists() {
            let libraries = pages.join("node_modules");
            std::os::unix::fs::symlink(libraries_of_pages(), libraries)
                .expect("a link to the libraries");
        }
        clone
    }

    /// Returns the top directory of the copy.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a file of tests with the test runner of Node.js, in the directory of the file, after `adjust` changed the command.
    ///
    /// Processes that the tests started are killed at its end.
    pub fn node_tests(
        &self,
        file: &str,
        arguments: &[&str],
        adjust: impl FnOnce(&mut Command),
    ) -> ExitStatus {
        let file = self.path().join(file);
        let mut command = Command::new("node");
        // A case that ran into its timeout may still hold timers and sockets.
        command
            .args(["--test-reporter=spec", "--test-force-exit"])
            .arg(&file)
            .args(arguments);
        command
            .current_dir(file.parent().expect("a folder"))
            .process_group(0);
        command
            .env("VOIGHT_BIN", paths::binary())
            .env("TMPDIR", self.path());
        adjust(&mut command);
        let mut running = RunningClone(command.spawn().expect("node starts"));
        running.0.wait().expect("node ends")
    }

    fn copy(&self, file: &Path) {
        let from = paths::repository().join(file);
        let to = self.path().join(file);
        // Removed files that are not yet committed are listed as well.
        if from.exists() {
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            std::fs::copy(from, to).expect("a copy");
        }
    }
}

/// Returns the libraries that drive the browsers of the page tests, after their installation.
pub fn libraries_of_pages() -> PathBuf {
    paths::tools().join("pages/node_modules")
}

/// Program in its own process group, which is killed with it.
struct RunningClone(Child);

impl Drop for RunningClone {
    fn drop(&mut self) {
        process::kill_group(&mut self.0);
    }
}
