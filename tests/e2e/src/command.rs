//! Binary as a command.

use crate::paths;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Returns the binary as a command, without any `VOIGHT` variable of the environment and without the configuration of the system.
pub fn voight(data_dir: &Path) -> Command {
    let mut command = Command::new(paths::binary());
    remove_variables(&mut command)
        .env("NO_COLOR", "1")
        .env("VOIGHT_CONFIG", "")
        .arg("--data-dir")
        .arg(data_dir);
    command
}

/// Removes the variables of the binary and of its tests from the environment that `command` inherits.
pub fn remove_variables(command: &mut Command) -> &mut Command {
    for (name, _) in
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("VOIGHT"))
    {
        command.env_remove(name);
    }
    command
}

/// Limits the number of open files of the process of `command`, both the soft and the hard limit.
pub fn limit_open_files(command: &mut Command, files: u64) {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -n {files} && exec \"$0\" \"$@\"")]);
    shell.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    *command = shell;
}

/// Runs a program to its end and returns its standard output. Panics with its output if it fails.
pub fn must_succeed(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        status.success(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&stdout),
        String::from_utf8_lossy(&stderr)
    );
    String::from_utf8_lossy(&stdout).into_owned()
}

/// Runs the binary with `arguments` and returns its output.
pub fn run(data_dir: &Path, arguments: &[&str]) -> Output {
    let program = paths::binary();
    voight(data_dir)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| {
            panic!(
                "{} does not start: {error}; build it with `cargo build -p voight`",
                program.display()
            )
        })
}

/// Runs the binary with `arguments` and `--json`, and returns the document on its standard output.
pub fn json(data_dir: &Path, arguments: &[&str]) -> serde_json::Value {
    let output = run(data_dir, &[&["--json"], arguments].concat());
    assert!(
        output.status.success(),
        "voight {arguments:?} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!(
            "voight {arguments:?} printed no JSON ({error}): {}",
            String::from_utf8_lossy(&output.stdout)
        )
    })
}

/// Creates an empty installation in `data_dir`.
pub fn init(data_dir: &Path) {
    json(data_dir, &["store", "init"]);
}

/// Creates an offline installation with one client, `acme`. Returns its temporary directory and data directory.
pub fn installation() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    init(&data_dir);
    json(&data_dir, &["client", "create", "acme"]);
    (folder, data_dir)
}
