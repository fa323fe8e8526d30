//! Chromium as a person starts it: without any automation protocol.

use crate::process;
use crate::screen::Screen;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Path of Chromium on Debian.
pub const PROGRAM: &str = "/usr/bin/chromium";

/// Flags that prevent requests to the vendor, and prompts.
const FLAGS: [&str; 7] = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--password-store=basic",
    "--window-position=0,0",
];

/// Browser with its own profile; both are removed when dropped.
pub struct Chromium {
    process: Child,
    _profile: TempDir,
}

impl Chromium {
    /// Opens a page over the whole screen.
    pub fn open(screen: &Screen, page: &str) -> Self {
        let (width, height) = crate::screen::SIZE;
        Self::open_with(screen, page, |command| {
            command.arg(format!("--window-size={width},{height}"));
        })
    }

    /// Opens a page on a screen after `adjust` changed the command.
    pub fn open_with(screen: &Screen, page: &str, adjust: impl FnOnce(&mut Command)) -> Self {
        let profile = tempfile::tempdir().expect("a temporary folder");
        let mut command = Command::new(PROGRAM);
        command.args(FLAGS);
        adjust(&mut command);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        if process::is_root() {
            // Chromium rejects to start its sandbox as root.
            command.arg("--no-sandbox");
        }
        let process = command
            .arg(page)
            .env("DISPLAY", screen.display())
            // Chromium leaves a directory behind in the directory of temporary files.
            .env("TMPDIR", profile.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A process group of its own, so that exactly its processes can be killed.
            .process_group(0)
            .spawn()
            .expect("Chromium starts");
        Self {
            process,
            _profile: profile,
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        process::kill_group(&mut self.process);
    }
}
