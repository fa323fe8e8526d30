//! Executable pages: blocks of code after a line `<!-- run: NAME -->`, and the shell in which they run.

use crate::command::remove_variables;
use crate::paths;
use std::process::{Child, Command};

/// Returns the block of a page that follows `<!-- run: name -->`, without its fences.
///
/// Panics if the page has no such block.
pub fn block<'a>(page: &'a str, name: &str) -> &'a str {
    let marker = format!("<!-- run: {name} -->\n```");
    let (_, rest) = page
        .split_once(&marker)
        .unwrap_or_else(|| panic!("the page has no block {name}"));
    let (_, rest) = rest.split_once('\n').expect("a fence");
    rest.split_once("\n```").expect("the end of the block").0
}

/// Returns the names of the blocks of a page that a test runs, in order.
pub fn names(page: &str) -> Vec<&str> {
    page.split("<!-- run: ")
        .skip(1)
        .map(|marker| marker.split_once(" -->").expect("the end of a marker").0)
        .collect()
}

/// Returns `bash` with a script that ends at its first error. The [binary under test](paths::binary) is on its path, and no variable
/// of the binary or of its tests is in its environment.
pub fn shell(script: &str) -> Command {
    let mut shell = Command::new("bash");
    remove_variables(&mut shell)
        .args(["-eu", "-c", script])
        .env("PATH", search_path());
    shell
}

/// Service that a guide started, which is stopped when dropped.
#[derive(Debug)]
pub struct GuideService(Child);

impl GuideService {
    /// Starts a shell that the service replaces.
    pub fn start(mut shell: Command) -> Self {
        Self(shell.spawn().expect("bash starts"))
    }
}

impl Drop for GuideService {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the search path of this process, after the directory of the [binary under test](paths::binary).
pub fn search_path() -> String {
    let binaries = paths::binary()
        .parent()
        .expect("the binary's folder")
        .display()
        .to_string();
    format!("{binaries}:{}", std::env::var("PATH").unwrap_or_default())
}
