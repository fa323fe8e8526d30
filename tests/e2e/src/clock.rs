//! Wall clock of one process, changed by libfaketime.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Returns the reason why clocks cannot be changed on this machine, if any.
pub fn missing() -> Option<&'static str> {
    library()
        .is_none()
        .then_some("libfaketime is not installed")
}

/// Shifts the wall clock of the process of `command` by `offset`, for example `+1h` or `-400d`. Its monotonic clock is unchanged.
pub fn shift(command: &mut Command, offset: &str) {
    let library = library().expect("libfaketime is installed");
    command
        .env("LD_PRELOAD", library)
        .env("FAKETIME", offset)
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
}

/// Returns the library, as installed by Debian's package `libfaketime`.
fn library() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?.flatten();
    folders
        .map(|folder| folder.path().join("faketime/libfaketime.so.1"))
        .find(|library| library.exists())
}
