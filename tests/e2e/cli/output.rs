//! Output of commands.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use voight_tests::server::Server;
use voight_tests::{command, paths};

/// Returns the members of a JSON object, sorted.
fn members(object: &serde_json::Value) -> Vec<&str> {
    object
        .as_object()
        .unwrap_or_else(|| panic!("an object, not {object}"))
        .keys()
        .map(String::as_str)
        .collect()
}

/// Members of a client's usage.
const USAGE_MEMBERS: [&str; 6] = [
    "billable",
    "charged",
    "client_id",
    "free",
    "name",
    "sandbox",
];
/// Further members of the usage of the current period.
const BILLING_MEMBERS: [&str; 6] = [
    "alerts",
    "allowance_left",
    "budget",
    "cap",
    "money_cap",
    "spent",
];

#[test]
fn shapes_of_json_are_the_documented_ones() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    command::init(&data_dir);
    let client = command::json(&data_dir, &["client", "create", "acme"]);
    let key = command::json(&data_dir, &["key", "create", "--client", "acme"]);
    for member in ["client_id", "key_id", "key"] {
        assert!(key[member].is_string(), "{member} is no text in {key}");
    }
    assert_eq!(key["client_id"], client["client_id"]);
    assert!(key["key"].as_str().unwrap().starts_with("vgt_live_"));
    let sandbox = command::json(&data_dir, &["key", "create", "--client", "acme", "--test"]);
    assert!(sandbox["key"].as_str().unwrap().starts_with("vgt_test_"));

    let usage = command::json(&data_dir, &["usage"]);
    assert_eq!(members(&usage), ["clients"]);
    let line = &usage["clients"][0];
    let mut expected_members = [USAGE_MEMBERS, BILLING_MEMBERS].concat();
    expected_members.sort_unstable();
    assert_eq!(members(line), expected_members);
    assert_eq!(
        line["spent"],
        serde_json::json!({ "minor": 0, "currency": "USD", "formatted": "0.00" })
    );
    let span = ["usage", "--from", "2026-01-01", "--to", "2026-02-01"];
    assert_eq!(
        members(&command::json(&data_dir, &span)["clients"][0]),
        USAGE_MEMBERS
    );
    for list in [
        &["client", "list"][..],
        &["key", "list", "--client", "acme"],
        &["context", "list"],
    ] {
        assert!(command::json(&data_dir, list).is_array(), "{list:?}");
    }
    let creation_time = client["created_at"].as_str().unwrap();
    assert!(
        creation_time.ends_with('Z') && creation_time.contains('T'),
        "{creation_time} is no time of RFC 3339 in UTC"
    );
}

#[test]
fn key_is_shown_once() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    command::init(&data_dir);
    command::json(&data_dir, &["client", "create", "acme"]);
    let key = command::json(&data_dir, &["key", "create", "--client", "acme"]);
    let secret = key["key"].as_str().unwrap();
    let list_text = command::json(&data_dir, &["key", "list", "--client", "acme"]).to_string();
    assert!(!list_text.contains(secret));
    assert!(
        list_text.contains(&secret["vgt_live_".len()..][..4]),
        "{list_text} shows no hint of the key"
    );
}

#[test]
fn first_run_lists_created_files_and_next_steps() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let output = command::run(&data_dir, &["store", "init"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains(data_dir.to_str().unwrap()) && message.contains("voight client create"),
        "{message}"
    );
    let client = command::run(&data_dir, &["client", "create", "acme"]);
    let message = String::from_utf8_lossy(&client.stderr);
    assert!(
        message.contains("voight key create") && !message.contains("Created"),
        "{message}"
    );
    for (name, mode) in [("", 0o700), ("pepper", 0o600), ("admin.token", 0o600)] {
        let file_mode = std::fs::metadata(data_dir.join(name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(file_mode & 0o777, mode, "{name}");
    }
    let server_dir = folder.path().join("served");
    let server = Server::start(&server_dir);
    assert!(
        server.log().contains("voight client create"),
        "{}",
        server.log()
    );
}

#[test]
fn completions_and_the_manual_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    for shell in ["bash", "zsh", "fish"] {
        let output = command::run(&data_dir, &["completions", shell]);
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success() && script.contains("voight") && script.contains("admin-listen"),
            "{shell}"
        );
    }
    let output = command::run(&data_dir, &["man"]);
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && page.contains(".TH voight 1"),
        "{page}"
    );
    assert!(!data_dir.exists());
}

#[test]
fn shown_configuration_hides_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let pepper = "ab".repeat(32);
    let token = "a-token-that-is-never-printed";
    let show = |json: bool| {
        let mut command = command::voight(&data_dir);
        command
            .env("VOIGHT_PEPPER", &pepper)
            .env("VOIGHT_ADMIN_TOKEN", token);
        command
            .env("VOIGHT__LIMITS__ENABLED", "false")
            .args(["config", "show"]);
        let output = command.args(json.then_some("--json")).output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    for shown in [show(false), show(true)] {
        assert!(
            !shown.contains(&pepper) && !shown.contains(token),
            "{shown}"
        );
    }
    let entries: serde_json::Value = serde_json::from_str(&show(true)).unwrap();
    let of = |key: &str| {
        entries
            .as_array()
            .unwrap()
            .iter()
            .find(|entry| entry["key"] == key)
            .cloned()
            .unwrap()
    };
    assert_eq!(
        (
            &of("limits.enabled")["value"],
            &of("limits.enabled")["source"]
        ),
        (&"false".into(), &"environment".into())
    );
    assert_eq!(of("server.listen")["source"], "default");
    assert_eq!(of("store.data_dir")["source"], "flag");
    assert!(!data_dir.exists());
}

#[test]
fn colours_are_printed_on_terminals_unless_disabled() {
    let folder = tempfile::tempdir().unwrap();
    let has_colours = |no_color: &str| on_a_terminal(folder.path(), no_color).contains('\u{1b}');
    assert!(
        has_colours(""),
        "help on a terminal has no styles, so that this test shows nothing"
    );
    assert!(!has_colours("1"));
}

/// Returns the output of `--help` on a terminal, which `script` emulates.
fn on_a_terminal(folder: &Path, no_color: &str) -> String {
    let command = format!("'{}' --help", paths::binary().display());
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .current_dir(folder)
        .env("TERM", "xterm")
        .env("NO_COLOR", no_color)
        .output()
        .expect("`script` of Debian's package bsdutils starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}
