//! Paths of the repository, programs and tools.

mod freshness;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root of the repository.
pub fn repository() -> &'static Path {
    // This package is two levels below the root.
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Returns the files that are or could be committed, relative to the repository: those of some directories, or with some
/// patterns of names.
pub fn committable(patterns: &[&str]) -> Vec<PathBuf> {
    let mut command = Command::new("git");
    command
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "--",
        ])
        .args(patterns);
    let output = command
        .current_dir(repository())
        .output()
        .expect("git lists files");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let names = output
        .stdout
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty());
    names
        .map(|name| PathBuf::from(OsStr::from_bytes(name)))
        .collect()
}

/// Returns the binary under test: `VOIGHT_BIN`, or the debug build beside the test binaries.
///
/// Panics if one of its sources has changed since it was built.
pub fn binary() -> PathBuf {
    fresh(match std::env::var_os("VOIGHT_BIN") {
        Some(path) => path.into(),
        None => target().join("debug").join("voight"),
    })
}

/// Returns the binary `name` in the directory of the [binary under test](binary).
///
/// Panics if one of its sources has changed since it was built.
pub fn beside_binary(name: &str) -> PathBuf {
    fresh(binary().with_file_name(name))
}

/// Returns the program. Panics if one of its sources has changed since it was built.
fn fresh(binary: PathBuf) -> PathBuf {
    if let Some(source) = freshness::newer_source(&binary) {
        panic!(
            "{} is older than {}, so that old code would be tested; `cargo build --workspace` builds it anew",
            binary.display(),
            source.display()
        );
    }
    binary
}

/// Returns the tools that `cargo xtask test --only setup` installed: `VOIGHT_TOOLS`, or `target/tools`.
pub fn tools() -> PathBuf {
    std::env::var_os("VOIGHT_TOOLS").map_or_else(|| target().join("tools"), PathBuf::from)
}

/// Returns the directory of recordings, if it exists: `VOIGHT_CORPUS`, or `../shared/data` beside the repository.
pub fn corpus() -> Option<PathBuf> {
    let path = std::env::var_os("VOIGHT_CORPUS")
        .map_or_else(|| repository().join("../shared/data"), PathBuf::from);
    path.is_dir().then_some(path)
}

/// Returns the build directory.
pub fn target() -> PathBuf {
    // The path is …/target/debug/deps/<test>-<hash>.
    let test = std::env::current_exe().unwrap_or_default();
    test.ancestors()
        .nth(3)
        .map_or_else(|| repository().join("target"), Path::to_path_buf)
}
