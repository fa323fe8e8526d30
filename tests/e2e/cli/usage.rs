//! Invalid command lines and configurations.

use crate::cli::rejection::{assert_rejected, tree};
use std::path::Path;
use std::process::Output;
use voight_tests::command;

/// Every command with an example of its arguments.
const COMMANDS: [&[&str]; 49] = [
    &["serve"],
    &["demo"],
    &["client", "create", "acme"],
    &["client", "list"],
    &["client", "show", "acme"],
    &["client", "suspend", "acme"],
    &["client", "resume", "acme"],
    &["client", "origins", "acme"],
    &["client", "contexts", "acme"],
    &["client", "cap", "acme"],
    &["client", "budget", "acme"],
    &["client", "credit", "acme"],
    &["client", "close", "acme"],
    &["key", "create", "--client", "acme"],
    &["key", "list", "--client", "acme"],
    &["key", "rotate"],
    &["key", "revoke"],
    &["context", "create"],
    &["context", "list"],
    &["context", "show"],
    &["context", "set"],
    &["context", "archive"],
    &["context", "move"],
    &["verdict", "get"],
    &["verdict", "list"],
    &["verdict", "find"],
    &["verdict", "explain"],
    &["verdict", "override"],
    &["usage"],
    &["usage", "export", "--client", "acme"],
    &["invoice", "preview"],
    &["invoice", "close"],
    &["invoice", "list"],
    &["invoice", "show"],
    &["invoice", "mark-paid"],
    &["invoice", "void"],
    &["invoice", "write-off"],
    &["invoice", "adjust"],
    &["user", "invite"],
    &["user", "list"],
    &["user", "role"],
    &["user", "remove"],
    &["config", "check"],
    &["config", "init"],
    &["config", "show"],
    &["config", "schema"],
    &["doctor"],
    &["completions"],
    &["man"],
];

#[test]
fn unknown_flag_is_a_usage_error_with_a_suggestion() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    for (arguments, hint) in [
        (&["serve", "--lisen", "127.0.0.1:0"][..], "--listen"),
        (&["client", "crate", "acme"], "create"),
        (&["client", "create"], "<NAME>"),
        (&["key", "create"], "--client"),
        (&["client", "create", "no\nname"], "name"),
    ] {
        let output = command::run(&data_dir, arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(
            message.contains(hint),
            "{arguments:?} does not name {hint}: {message}"
        );
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    assert!(!data_dir.exists());
}

#[test]
fn invalid_server_address_is_a_usage_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = command::run(
        &folder.path().join("data"),
        &["usage", "--server", "localhost"],
    );
    assert_rejected(&output, 2, &["--server", "http://"]);
    assert!(tree(folder.path()).is_empty());
}

#[test]
fn every_command_has_help() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let top = command::run(&data_dir, &["--help"]);
    assert!(top.status.success());
    assert!(text(&top).contains(
        "Exit codes: 0 ok, 1 failure, 2 usage, 3 configuration, 4 not found, 5 unreachable."
    ));
    for arguments in COMMANDS {
        let names: Vec<_> = arguments
            .iter()
            .take(2)
            .filter(|name| !name.starts_with('-'))
            .copied()
            .collect();
        let output = command::run(&data_dir, &[&names[..], &["--help"]].concat());
        assert!(
            output.status.success(),
            "{names:?} --help: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let message = text(&output);
        assert!(
            message.contains("Usage: voight")
                && message.contains("--json")
                && message.contains("--data-dir"),
            "{message}"
        );
    }
    assert!(!data_dir.exists());
}

#[test]
fn unknown_key_error_names_the_nearest() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    for arguments in [
        &["serve"][..],
        &["client", "create", "acme"],
        &["config", "show"],
    ] {
        let output = with_environment(&data_dir, "VOIGHT__SERVER__LISEN", "127.0.0.1:0", arguments);
        assert_rejected(&output, 3, &["VOIGHT__SERVER__LISEN", "server.listen"]);
    }
    let file = folder.path().join("voight.toml");
    std::fs::write(
        &file,
        "[server]\nworkers = 1\n\n[limits]\nenabeld = false\n",
    )
    .unwrap();
    let output = command::run(&data_dir, &["usage", "--config", file.to_str().unwrap()]);
    assert_rejected(
        &output,
        3,
        &["voight.toml:5", "limits.enabeld", "limits.enabled"],
    );
    assert!(!data_dir.exists());
}

#[test]
fn wrong_values_are_reported_with_valid_ones() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    for (name, value, words) in [
        (
            "VOIGHT__SERVER__LISTEN",
            "8080",
            &["VOIGHT__SERVER__LISTEN", "8080"][..],
        ),
        (
            "VOIGHT__STORE__URL",
            "mysql://host",
            &["mysql://host", "redb:PATH"],
        ),
        (
            "VOIGHT__LIMITS__LOOKUPS_PER_SECOND",
            "0",
            &["limits.lookups_per_second", "limits.enabled = false"],
        ),
        ("VOIGHT_PEPPER", "short", &["VOIGHT_PEPPER", "64"]),
        ("VOIGHT_ADMIN_TOKEN", "short", &["VOIGHT_ADMIN_TOKEN", "16"]),
    ] {
        let output = with_environment(&data_dir, name, value, &["client", "create", "acme"]);
        assert_rejected(&output, 3, words);
    }
    let missing = command::run(&data_dir, &["usage", "--config", "/nowhere/voight.toml"]);
    assert_rejected(&missing, 3, &["/nowhere/voight.toml"]);
    assert!(!data_dir.exists());
}

#[test]
fn checking_a_configuration_lists_every_problem() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("voight.toml");
    std::fs::write(
        &file,
        "[server]\nlisen = \"a\"\n[limits]\nenabeld = false\n",
    )
    .unwrap();
    let output = command::run(
        folder.path(),
        &[
            "--json",
            "config",
            "check",
            "--config",
            file.to_str().unwrap(),
        ],
    );
    assert_eq!(output.status.code(), Some(3));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["ok"], false);
    let lines: Vec<_> = report["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| &problem["line"])
        .collect();
    assert_eq!(lines, [2, 4]);
    std::fs::write(&file, "[limits]\nenabled = false\n").unwrap();
    let sound = command::json(
        folder.path(),
        &["config", "check", "--config", file.to_str().unwrap()],
    );
    assert_eq!(
        (&sound["ok"], &sound["problems"]),
        (&true.into(), &serde_json::json!([]))
    );
}

fn with_environment(data_dir: &Path, name: &str, value: &str, arguments: &[&str]) -> Output {
    command::voight(data_dir)
        .env(name, value)
        .args(arguments)
        .output()
        .expect("the binary starts")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}
