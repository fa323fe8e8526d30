//! Lists: options, widths, and the references that they print.

use crate::cli::rejection::assert_rejected;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use voight_tests::server::Server;
use voight_tests::{command, paths};

/// Width of the terminal, in columns.
const WIDTH: usize = 100;

fn stdout(data_dir: &Path, arguments: &[&str]) -> String {
    let output = command::run(data_dir, arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the output of a command on a terminal with [`WIDTH`] columns, which `script` emulates.
fn on_a_terminal(data_dir: &Path, arguments: &[&str]) -> String {
    let words = arguments.join("' '");
    let voight = format!(
        "'{}' --data-dir '{}' '{words}'",
        paths::binary().display(),
        data_dir.display()
    );
    let line = format!("stty cols {WIDTH} && {voight}");
    let mut script = Command::new("script");
    command::remove_variables(&mut script).args([
        "--quiet",
        "--return",
        "--command",
        &line,
        "/dev/null",
    ]);
    let output = script
        .stdin(Stdio::null())
        .output()
        .expect("`script` of Debian's package bsdutils starts");
    let stdout = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    assert!(output.status.success(), "{arguments:?}: {stdout}");
    stdout
}

fn members<'a>(list: &'a Value, member: &str) -> Vec<&'a str> {
    list.as_array()
        .expect("a list")
        .iter()
        .map(|entry| entry[member].as_str().expect("a text"))
        .collect()
}

#[test]
fn client_list_has_limit_cursor_and_filter() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let data_dir = server.data_dir();
    for name in ["acme", "beta", "acme labs"] {
        command::json(data_dir, &["client", "create", name]);
    }
    let clients = command::json(data_dir, &["client", "list"]);
    assert_eq!(members(&clients, "name"), ["acme", "beta", "acme labs"]);
    let first = members(&clients, "client_id")[0];
    let names = |arguments: &[&str]| {
        let list = command::json(data_dir, &[&["client", "list"], arguments].concat());
        members(&list, "name")
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&["--limit", "2"]), ["acme", "beta"]);
    assert_eq!(names(&["--after", first]), ["beta", "acme labs"]);
    assert_eq!(
        names(&["--filter", "ACME", "--after", first, "--limit", "5"]),
        ["acme labs"]
    );
    let output = command::run(data_dir, &["client", "list", "--limit", "1"]);
    assert!(
        String::from_utf8_lossy(&output.stderr).contains(&format!("--after {first}")),
        "{output:?}"
    );
    assert_rejected(
        &command::run(data_dir, &["client", "list", "--after", "zzzz"]),
        2,
        &["--after", "zzzz"],
    );
    let zero = command::run(data_dir, &["client", "list", "--limit", "0"]);
    assert!(
        zero.status.code() == Some(2) && String::from_utf8_lossy(&zero.stderr).contains("--limit"),
        "{zero:?}"
    );
}

/// Labels three addresses of the context `acme/spring`; returns the addresses.
fn label_addresses(data_dir: &Path) -> [String; 3] {
    let addresses = [1, 2, 3].map(|number| format!("0x{number:040x}"));
    for address in &addresses {
        let label = [
            "verdict",
            "label",
            "--context",
            "acme/spring",
            address,
            "bot",
            "--reason",
            "known",
        ];
        command::json(data_dir, &label);
    }
    addresses
}

#[test]
fn every_list_has_limit_and_filter() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let data_dir = server.data_dir();
    let account = server.account("acme");
    label_addresses(data_dir);
    for list in [
        &["key", "list"][..],
        &["context", "list"],
        &["invoice", "list"],
        &["invoice", "adjustments", "--client", "acme"],
        &["admin", "token", "list"],
        &["user", "list"],
        &["signing-key", "list"],
        &["verdict", "list", "--context", &account.context],
        &[
            "verdict",
            "find",
            "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
        ],
        &["verdict", "labels", "--context", &account.context],
        &["audit", "log"],
        &["usage"],
    ] {
        let list_output = command::json(
            data_dir,
            &[list, &["--limit", "1", "--filter", "no such text"]].concat(),
        );
        let entries = list_output.get("clients").unwrap_or(&list_output);
        assert_eq!(entries, &serde_json::json!([]), "{list:?}");
    }
}

#[test]
fn labels_and_audit_log_have_a_cursor() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let data_dir = server.data_dir();
    server.account("acme");
    let [_, second, _] = label_addresses(data_dir);
    let label_count = |arguments: &[&str]| {
        let list = ["verdict", "labels", "--context", "acme/spring"];
        let labels = command::json(data_dir, &[&list, arguments].concat());
        members(&labels, "address").len()
    };
    assert_eq!(
        (
            label_count(&[]),
            label_count(&["--limit", "2"]),
            label_count(&["--after", &second])
        ),
        (3, 2, 1)
    );
    assert_eq!(label_count(&["--filter", &second[20..]]), 1);
    let latest = command::json(data_dir, &["audit", "log", "--limit", "1"]);
    assert_eq!(members(&latest, "action").len(), 1);
    let entries = command::json(data_dir, &["audit", "log", "--after", "1", "--limit", "1"]);
    assert_eq!(
        entries[0]["seq"], 2,
        "with --after, a limit counts from there"
    );
}

#[test]
fn empty_list_names_the_next_step_beside_the_data() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    command::init(folder.path());
    for (list, next) in [
        ("client", "voight client create NAME"),
        ("key", "voight key create --client CLIENT"),
        ("context", "voight context create --key KEY_ID TITLE"),
    ] {
        let output = command::run(folder.path(), &[list, "list"]);
        let data = String::from_utf8_lossy(&output.stdout);
        let note = String::from_utf8_lossy(&output.stderr);
        assert_eq!(data.lines().count(), 1, "{data}");
        assert_eq!(note.trim_end(), format!("The list is empty. Next: {next}"));
        let output = command::run(folder.path(), &["--json", list, "list"]);
        assert_eq!(
            (output.stdout.as_slice(), output.stderr.as_slice()),
            (b"[]\n".as_slice(), b"".as_slice())
        );
    }
}

const ORIGINS: [&str; 3] = [
    "https://a-long-origin.example",
    "https://another-long-origin.example",
    "https://third.example",
];

/// Creates a key with the longest texts, and returns its id.
fn create_long_key(data_dir: &Path, client: &str) -> String {
    let long = "l".repeat(64);
    let networks = ["--network", "2001:db8:aaaa:bbbb::/64", "203.0.113.0/24"];
    let create = [
        "key",
        "create",
        "--client",
        client,
        "--label",
        &long,
        "--expires",
        "2099-01-01T00:00:00Z",
    ];
    let scopes = ["--scope", "lookup:read", "usage:read"];
    let key = command::json(data_dir, &[&create[..], &networks, &scopes].concat());
    key["key_id"].as_str().expect("an id").to_owned()
}

/// Creates an object of each list with the longest texts, and returns the id of the context.
fn create_long_objects(data_dir: &Path, client: &str) -> String {
    command::json(data_dir, &["client", "create", client]);
    command::json(
        data_dir,
        &[&["client", "origins", client, "--set"], &ORIGINS[..]].concat(),
    );
    let key = create_long_key(data_dir, client);
    let context = command::json(
        data_dir,
        &["context", "create", "--key", &key, &"t".repeat(64)],
    );
    let context = context["context_id"].as_str().expect("an id").to_owned();
    command::json(
        data_dir,
        &[&["context", "set", &context, "--origins"], &ORIGINS[..]].concat(),
    );
    let reason = "a reason with very many words ".repeat(7);
    command::json(
        data_dir,
        &[
            "client",
            "credit",
            client,
            "1234567.89",
            "--reason",
            reason.trim(),
        ],
    );
    command::json(
        data_dir,
        &["client", "cap", client, "1000000000", "--money", "10000000"],
    );
    command::json(data_dir, &["client", "budget", client, "10000000"]);
    let label = [
        "verdict",
        "label",
        "--context",
        &context,
        &format!("0x{}", "1".repeat(40)),
        "bot",
        "--reason",
        reason.trim(),
    ];
    command::json(data_dir, &label);
    command::json(
        data_dir,
        &[
            "admin",
            "token",
            "create",
            "--name",
            "a-token-with-a-name-of-some-length",
            "--role",
            "analyst",
        ],
    );
    context
}

#[test]
fn tables_fit_the_terminal_and_are_whole_in_pipes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let data_dir = server.data_dir();
    let client = format!("A client with a long name {}", "x".repeat(38));
    let context = create_long_objects(data_dir, &client);
    for list in [
        &["client", "list"][..],
        &["key", "list"],
        &["context", "list"],
        &["invoice", "adjustments", "--client", &client],
        &["admin", "token", "list"],
        &["signing-key", "list"],
        &["verdict", "labels", "--context", &context],
        &["audit", "log"],
        &["usage"],
    ] {
        let table = on_a_terminal(data_dir, list);
        assert!(table.lines().count() > 1, "{list:?} is empty");
        for line in table.lines() {
            assert!(
                line.chars().count() <= WIDTH,
                "{list:?} prints {} columns: {line}",
                line.chars().count()
            );
        }
    }
    // A truncated id of the table is accepted as it is printed.
    let table = on_a_terminal(data_dir, &["context", "list"]);
    let truncated_id = table
        .lines()
        .nth(1)
        .and_then(|line| line.split("  ").next())
        .expect("a row");
    assert!(truncated_id.ends_with('…'), "{truncated_id}");
    assert_eq!(
        command::json(data_dir, &["context", "show", truncated_id])["context_id"],
        context
    );
    let piped_output = stdout(data_dir, &["context", "list"]);
    assert!(
        piped_output.contains(&context)
            && ORIGINS.iter().all(|origin| piped_output.contains(origin)),
        "{piped_output}"
    );
}

#[test]
fn plain_key_creation_prints_only_the_secret() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    command::init(&data_dir);
    command::json(&data_dir, &["client", "create", "acme"]);
    let output = command::run(
        &data_dir,
        &[
            "key", "create", "--client", "acme", "--label", "backend", "--plain",
        ],
    );
    let secret = String::from_utf8(output.stdout).expect("text");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(
        (secret.lines().count(), secret.starts_with("vgt_live_")),
        (1, true),
        "{secret}"
    );
    let output_with_json = command::run(
        &data_dir,
        &["--json", "key", "create", "--client", "acme", "--plain"],
    );
    assert_eq!(output_with_json.status.code(), Some(2));
}

#[test]
fn last_use_of_a_key_outlives_the_server() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut server = Server::start(&folder.path().join("data"));
    let data_dir = server.data_dir().to_owned();
    command::json(&data_dir, &["client", "create", "acme"]);
    let key = command::json(
        &data_dir,
        &["key", "create", "--client", "acme", "--label", "backend"],
    );
    let keys = || command::json(&data_dir, &["key", "list"]);
    assert_eq!(
        (&keys()[0]["label"], &keys()[0]["last_used_at"]),
        (&"backend".into(), &Value::Null)
    );
    server.register(key["key"].as_str().expect("a secret"), "spring");
    let last_use = keys()[0]["last_used_at"].clone();
    assert!(last_use.is_string(), "{last_use}");
    assert_eq!(server.stop(), Some(0), "{}", server.log());
    assert_eq!(
        keys()[0]["last_used_at"],
        last_use,
        "a use is not stored when the server stops"
    );
}

#[test]
fn client_shows_its_limits_and_its_balance() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let data_dir = server.data_dir();
    command::json(data_dir, &["client", "create", "acme"]);
    command::json(data_dir, &["client", "cap", "acme", "5000"]);
    command::json(
        data_dir,
        &["client", "credit", "acme", "1.50", "--reason", "an outage"],
    );
    let text = stdout(data_dir, &["client", "show", "acme"]);
    for row in [
        "cap in lookups  5000",
        "budget          -",
        "balance         -1.50 USD",
    ] {
        assert!(text.contains(row), "{row:?} is not in:\n{text}");
    }
}
