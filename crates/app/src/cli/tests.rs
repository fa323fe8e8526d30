#[path = "tests/events.rs"]
mod events;

use super::*;
use crate::exit::Exit;
use clap::CommandFactory;
use clap::error::ErrorKind;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

fn rejection(arguments: &[&str]) -> clap::Error {
    Cli::try_parse_from([&["voight"], arguments].concat()).unwrap_err()
}

#[test]
fn the_definition_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn global_flags_precede_or_follow_the_command() {
    for line in [
        ["voight", "--json", "client", "list"],
        ["voight", "client", "list", "--json"],
    ] {
        assert!(Cli::try_parse_from(line).unwrap().globals.json);
    }
}

const ADDRESS: &str = "0x1111111111111111111111111111111111111111";
const CONTEXT: &str = "spring.01k0ab3cdefghjkmnpqrstvwxy";

/// Command lines with an invalid value.
const INVALID_LINES: &[&[&str]] = &[
    &["client", "create", " acme"],
    &["client", "origins", "acme", "--set", "quest.example"],
    &["key", "create", "--client", "acme", "--scope", "everything"],
    &[
        "key",
        "create",
        "--client",
        "acme",
        "--network",
        "10.0.0.0/33",
    ],
    &["key", "create", "--client", "acme", "--expires", "tomorrow"],
    &["key", "rotate", "not-an-id"],
    &[
        "key",
        "revoke",
        "01k0ab3cdefghjkmnpqrstvwxy",
        "--move-contexts-to",
        "not-an-id",
    ],
    &["client", "contexts", "acme", "any-key"],
    &[
        "context",
        "move",
        "a context",
        "--to-key",
        "01k0ab3cdefghjkmnpqrstvwxy",
    ],
    &["context", "show", "acme/"],
    &["verdict", "get", "--context", CONTEXT, "0x12"],
    &[
        "verdict",
        "override",
        "--context",
        CONTEXT,
        ADDRESS,
        "--to",
        "maybe",
        "--reason",
        "x",
    ],
    &[
        "verdict",
        "label",
        "--context",
        CONTEXT,
        ADDRESS,
        "robot",
        "--reason",
        "x",
    ],
    &[
        "recording",
        "export",
        "--context",
        CONTEXT,
        "--label",
        "robot",
        "--out",
        "recordings",
    ],
    &[
        "audit",
        "export",
        "--client",
        "acme",
        "--environment",
        "sandbox",
    ],
    &["serve", "--listen", "8080"],
    &["client", "cap", "acme", "1.5"],
    &[
        "invoice", "preview", "--client", "acme", "--period", "2026-13",
    ],
    &["invoice", "close", "--period", "november"],
];

#[test]
fn invalid_values_are_rejected_before_any_request() {
    for line in INVALID_LINES {
        let error = rejection(line);
        assert_eq!(error.exit_code(), 2, "{line:?}");
        assert!(
            matches!(
                error.kind(),
                ErrorKind::ValueValidation | ErrorKind::InvalidValue
            ),
            "{line:?}: {error}"
        );
    }
}

#[test]
fn an_unknown_flag_is_named_with_the_one_that_was_meant() {
    let text = rejection(&["serve", "--lisen", "127.0.0.1:1"]).to_string();
    assert!(
        text.contains("--lisen") && text.contains("--listen"),
        "{text}"
    );
}

#[test]
fn label_and_replay_require_their_subject_and_reason() {
    let address = "0x1111111111111111111111111111111111111111";
    let context = "spring.01k0ab3cdefghjkmnpqrstvwxy";
    for line in [
        &["verdict", "label", "--context", context, "--reason", "x"][..],
        &[
            "verdict",
            "label",
            "--context",
            context,
            address,
            "--reason",
            "x",
        ],
        &["verdict", "label", "--context", context, address, "human"],
        &[
            "verdict",
            "label",
            "--context",
            context,
            address,
            "human",
            "--csv",
            "known.csv",
            "--reason",
            "x",
        ],
        &[
            "verdict",
            "replay",
            "--context",
            context,
            "--policy",
            "mine.json",
            "--apply",
        ],
        &[
            "verdict",
            "replay",
            "--context",
            context,
            "--policy",
            "mine.json",
            "--reason",
            "x",
        ],
        &[
            "recording",
            "export",
            "--context",
            context,
            "--label",
            "bot",
            "--out",
            "recordings",
        ],
    ] {
        assert_eq!(rejection(line).exit_code(), 2, "{line:?}");
    }
}

#[test]
fn limits_and_amounts_are_given_or_taken_away_but_never_both() {
    for line in [
        &["client", "cap", "acme"][..],
        &["client", "cap", "acme", "5", "--clear"],
        &["client", "cap", "acme", "--money", "5", "--clear"],
        &["client", "budget", "acme"],
        &["client", "budget", "acme", "5", "--clear"],
        &["client", "credit", "acme", "5"],
        &["invoice", "void", "acme-1"],
        &["invoice", "show", "acme-1", "--out", "invoice.html"],
    ] {
        assert_eq!(rejection(line).exit_code(), 2, "{line:?}");
    }
    for line in [
        &["client", "cap", "acme", "5", "--money", "5"][..],
        &["client", "cap", "acme", "--clear"],
        &["client", "budget", "acme", "5.00 USD"],
        &[
            "invoice", "adjust", "--client", "acme", "-5.00", "--reason", "late",
        ],
    ] {
        assert!(
            Cli::try_parse_from([&["voight"], line].concat()).is_ok(),
            "{line:?}"
        );
    }
}

#[test]
fn rotation_ends_the_old_secret_now_or_after_an_overlap() {
    let key = "01k0ab3cdefghjkmnpqrstvwxy";
    for line in [
        &["key", "rotate", "--now", key][..],
        &["key", "rotate", key, "--overlap", "1h"],
        &["key", "rotate", key],
    ] {
        assert!(
            Cli::try_parse_from([&["voight"], line].concat()).is_ok(),
            "{line:?}"
        );
    }
    for line in [
        &["key", "rotate", "--now", key, "--overlap", "1h"][..],
        &["context", "list", "--client", "a", "--key", key],
    ] {
        assert_eq!(
            rejection(line).kind(),
            ErrorKind::ArgumentConflict,
            "{line:?}"
        );
    }
}

#[test]
fn reason_requires_a_change() {
    let error = rejection(&["doctor", "--reason", "x"]);
    assert!(
        error.exit_code() == 2 && error.to_string().contains("--acknowledge-clock"),
        "{error}"
    );
}

#[test]
fn several_origins_scopes_and_networks_are_given_in_one_go() {
    for line in [
        vec![
            "client",
            "origins",
            "acme",
            "--set",
            "https://a.example",
            "https://b.example",
        ],
        vec![
            "key",
            "create",
            "--client",
            "acme",
            "--scope",
            "lookup:read",
            "usage:read",
            "--network",
            "10.0.0.0/8",
            "--test",
        ],
    ] {
        assert!(Cli::try_parse_from([vec!["voight"], line].concat()).is_ok());
    }
}

/// Runs a command on the data directory `dir`, over a store that no server uses.
fn run(dir: &Path, line: &[&str]) -> Result<(), CommandError> {
    let data_dir = dir.to_str().unwrap();
    Cli::try_parse_from([&["voight", "--data-dir", data_dir], line].concat())
        .unwrap()
        .run(HashMap::new())
}

/// Creates a store with a client and a key, and compacts and verifies it.
fn create_store_with_key(data_dir: &Path) {
    for line in [
        &["store", "init"][..],
        &["client", "create", "acme"],
        &["key", "create", "--client", "acme"],
        &["store", "info"],
        &["store", "compact"],
        &["store", "verify"],
    ] {
        run(data_dir, line).unwrap();
    }
}

#[test]
fn a_store_is_created_backed_up_restored_and_copied() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = |name: &str| temporary.path().join(name);
    let text = |name: &str| dir(name).to_str().unwrap().to_owned();
    let first = dir("first");
    let target = dir("restored");
    assert_eq!(
        run(&first, &["store", "info"]).unwrap_err().exit,
        Exit::NotFound
    );
    assert!(!first.exists(), "a command that reads creates nothing");
    create_store_with_key(&first);
    run(&first, &["store", "backup", "--out", &text("a.dump")]).unwrap();
    let error = run(&first, &["store", "backup", "--out", &text("a.dump")]).unwrap_err();
    assert!(error.message.contains("already exists"), "{error}");
    run(&first, &["store", "verify", &text("a.dump")]).unwrap();

    // A backup is restored with the pepper of its store only.
    run(&dir("other"), &["store", "init"]).unwrap();
    fs::create_dir(&target).unwrap();
    fs::copy(dir("other").join("pepper"), target.join("pepper")).unwrap();
    let restore_error = run(&target, &["store", "restore", &text("a.dump")]).unwrap_err();
    assert!(
        restore_error.exit == Exit::Configuration
            && restore_error.message.contains("another pepper"),
        "{restore_error}"
    );
    fs::copy(first.join("pepper"), target.join("pepper")).unwrap();
    run(&target, &["store", "restore", &text("a.dump")]).unwrap();
    run(&target, &["store", "verify"]).unwrap();
    run(&target, &["client", "show", "acme"]).unwrap();
    assert!(
        run(&target, &["store", "restore", &text("a.dump")]).is_err(),
        "a store is never replaced"
    );

    let from = format!("redb:{}/voight.redb", target.display());
    let to = format!("sled:{}", text("copy.sled"));
    run(&target, &["store", "copy", "--from", &from, "--to", &to]).unwrap();
    run(&target, &["store", "verify", &to]).unwrap();
    run(&target, &["store", "backup", &to, "--out", &text("b.dump")]).unwrap();
    let dump = |name| fs::read(dir(name)).unwrap();
    assert_eq!(
        dump("b.dump"),
        dump("a.dump"),
        "the copy has another content than the first store"
    );

    // A truncated backup is rejected before anything is written.
    let whole_dump = dump("a.dump");
    fs::write(dir("half.dump"), &whole_dump[..whole_dump.len() / 2]).unwrap();
    assert!(run(&dir("new"), &["store", "restore", &text("half.dump")]).is_err());
    assert!(!dir("new").exists());
}

#[test]
fn an_account_is_managed_over_a_store_that_no_server_uses() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path();
    run(dir, &["store", "init"]).unwrap();
    run(dir, &["client", "create", "acme"]).unwrap();
    let error = run(dir, &["client", "create", "acme"]).unwrap_err();
    assert!(error.message.contains("already exists"), "{error}");
    for line in [
        &["client", "list", "--filter", "ACME"][..],
        &[
            "client",
            "origins",
            "acme",
            "--set",
            "https://quest.example",
        ],
        &["client", "suspend", "acme"],
        &["client", "resume", "acme"],
        &["client", "cap", "acme", "5000"],
        &["client", "budget", "acme", "20.00"],
        &["client", "credit", "acme", "5.00", "--reason", "an apology"],
        &["client", "show", "acme"],
        &["--json", "client", "show", "acme"],
        &["key", "create", "--client", "acme", "--label", "backend"],
        &["key", "list", "--client", "acme"],
        &["context", "list"],
        &["signing-key", "list"],
        &["usage", "--client", "acme"],
        &["invoice", "list", "--client", "acme"],
        &["audit", "log"],
        &["admin", "token", "list"],
        &["config", "show"],
    ] {
        run(dir, line).unwrap_or_else(|failure| panic!("{line:?}: {failure}"));
    }
    let unknown = run(dir, &["client", "show", "umbrella"]).unwrap_err();
    assert!(
        unknown.exit == Exit::NotFound && unknown.message.contains("umbrella"),
        "{unknown}"
    );
    run(dir, &["client", "close", "acme", "--yes"]).unwrap();
    let error = run(dir, &["client", "cap", "acme", "5"]).unwrap_err();
    assert!(error.message.contains("permanently closed"), "{error}");
}
