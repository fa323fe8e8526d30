//! Irreversible commands: confirmed by `--yes` or by typing a name on a terminal, otherwise not executed.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use voight_tests::{command, paths};

/// Runs a command on a terminal, which `script` emulates, and types `answer`.
fn on_a_terminal(data_dir: &Path, arguments: &str, answer: &str) -> Output {
    let command = format!(
        "'{}' --data-dir '{}' {arguments}",
        paths::binary().display(),
        data_dir.display()
    );
    let mut script = Command::new("script");
    let mut script = command::remove_variables(&mut script)
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`script` of Debian's package bsdutils starts");
    let mut keyboard = script.stdin.take().expect("its standard input is a pipe");
    keyboard
        .write_all(answer.as_bytes())
        .expect("it reads what is typed");
    // The input stays open until the command has ended.
    let output = script.wait_with_output().expect("it ends");
    drop(keyboard);
    output
}

#[test]
fn closing_a_client_requires_its_typed_name() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    command::init(&data_dir);
    command::json(&data_dir, &["client", "create", "acme"]);
    let status = || command::json(&data_dir, &["client", "show", "acme"])["status"].clone();
    for answer in ["\n", "y\n", "yes\n", "acm\n"] {
        let output = on_a_terminal(&data_dir, "client close acme", answer);
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(
            stdout.contains("permanently closing the client \"acme\"")
                && stdout.contains("nothing was done"),
            "{stdout}"
        );
        assert_eq!(
            (output.status.code(), status()),
            (Some(1), "active".into()),
            "{stdout}"
        );
    }
    let output = on_a_terminal(&data_dir, "client close acme", "acme\n");
    assert_eq!(
        (output.status.code(), status()),
        (Some(0), "closed".into()),
        "{output:?}"
    );
    let second_output = on_a_terminal(&data_dir, "client close acme", "");
    assert!(
        !String::from_utf8_lossy(&second_output.stdout).contains("to confirm"),
        "there is nothing left to ask: {second_output:?}"
    );
}

#[test]
fn flag_yes_skips_the_confirmation() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    command::init(&data_dir);
    command::json(&data_dir, &["client", "create", "acme"]);
    let output = on_a_terminal(&data_dir, "client close acme --yes", "");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && stdout.contains("closed") && !stdout.contains("to confirm"),
        "{stdout}"
    );
}
