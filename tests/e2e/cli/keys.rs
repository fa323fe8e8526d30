//! Leaked keys, and the contexts that belong to them.

use crate::cli::rejection::assert_rejected;
use serde_json::Value;
use std::path::Path;
use voight_tests::command;
use voight_tests::guide;
use voight_tests::http::{INVALID_KEY, UNKNOWN_CONTEXT};
use voight_tests::server::{Server, TestAccount};

const WHO: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// Returns the account with the secret that a command has issued.
fn with_secret(account: &TestAccount, new_key: &Value) -> TestAccount {
    TestAccount {
        key: new_key["key"].as_str().expect("a secret").to_owned(),
        ..account.clone()
    }
}

fn doctor(data_dir: &Path) -> Value {
    let report = command::json(data_dir, &["doctor"]);
    let findings = report["findings"].as_array().expect("findings").clone();
    findings
        .into_iter()
        .find(|finding| finding["check"] == "contexts")
        .expect("a finding on contexts")
}

#[test]
fn immediate_rotation_ends_the_old_secret() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");
    let data_dir = server.data_dir();
    let new_key = command::json(
        data_dir,
        &[
            "key",
            "rotate",
            "--now",
            &account.key_id,
            "--reason",
            "in a public repository",
        ],
    );
    server.look_up(&account, WHO).assert_error(INVALID_KEY);
    let renewed_account = with_secret(&account, &new_key);
    assert_eq!(server.look_up(&renewed_account, WHO).status, 200);

    let output = command::run(
        data_dir,
        &["key", "rotate", "--now", "--overlap", "1h", &account.key_id],
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && stderr.contains("--now") && stderr.contains("--overlap"),
        "{stderr}"
    );
}

#[test]
fn reinstated_key_keeps_its_contexts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");
    let data_dir = server.data_dir();
    command::json(data_dir, &["key", "revoke", &account.key_id, "--yes"]);
    server.look_up(&account, WHO).assert_error(INVALID_KEY);
    let finding = doctor(data_dir);
    assert_eq!(finding["status"], "warn");
    assert!(
        finding["message"]
            .as_str()
            .expect("a message")
            .contains(&account.context),
        "{finding}"
    );
    for way in [
        "voight context move CONTEXT_ID --to-key KEY_ID",
        "voight key rotate --now KEY_ID",
    ] {
        assert!(
            finding["advice"].as_str().expect("advice").contains(way),
            "{finding}"
        );
    }
    assert_rejected(
        &command::run(data_dir, &["key", "rotate", &account.key_id]),
        2,
        &["voight key rotate --now"],
    );
    let new_key = command::json(data_dir, &["key", "rotate", "--now", &account.key_id]);
    let renewed_account = with_secret(&account, &new_key);
    assert_eq!(server.look_up(&renewed_account, WHO).status, 200);
    server.look_up(&account, WHO).assert_error(INVALID_KEY);
    assert_eq!(doctor(data_dir)["status"], "ok");
    let log = command::json(data_dir, &["audit", "log"]);
    let last = log
        .as_array()
        .expect("a list")
        .last()
        .expect("an entry")
        .clone();
    assert_eq!(last["action"], "key.reinstated", "{last}");
}

#[test]
fn revocation_with_live_contexts_is_confirmed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");
    let data_dir = server.data_dir();

    let output = command::run(data_dir, &["key", "revoke", &account.key_id]);
    let data = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        data.contains("unreachable") && data.contains(&account.context),
        "{data}"
    );
    assert!(
        stderr.lines().count() == 1
            && stderr.contains("--move-contexts-to")
            && stderr.contains("--yes"),
        "{stderr}"
    );
    let output = command::run(data_dir, &["--json", "key", "revoke", &account.key_id]);
    assert_eq!(output.status.code(), Some(1));
    let data: Value = serde_json::from_slice(&output.stdout).expect("the contexts, as JSON");
    assert_eq!(
        (&data["revoked"], &data["contexts"]["live"]),
        (&false.into(), &1.into()),
        "{data}"
    );
    assert_eq!(
        data["contexts"]["contexts"][0]["context_id"],
        account.context.as_str()
    );
    assert_eq!(
        server.look_up(&account, WHO).status,
        200,
        "a refused revocation has revoked the key"
    );
}

#[test]
fn revocation_moves_contexts_in_their_environment() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");
    let other_account = server.key_and_context("acme", &[]);
    let sandbox = server.key_and_context("acme", &["--test"]);
    let data_dir = server.data_dir();
    let to_sandbox = [
        "key",
        "revoke",
        &account.key_id,
        "--move-contexts-to",
        &sandbox.key_id,
    ];
    assert_rejected(
        &command::run(data_dir, &to_sandbox),
        2,
        &["a live context stays live"],
    );
    assert_eq!(
        server.look_up(&account, WHO).status,
        200,
        "a refused move has revoked the key"
    );
    let revocation = command::json(
        data_dir,
        &[
            "key",
            "revoke",
            &account.key_id,
            "--move-contexts-to",
            &other_account.key_id,
        ],
    );
    assert_eq!(
        (&revocation["revoked"], &revocation["moved_contexts"]),
        (&true.into(), &1.into()),
        "{revocation}"
    );
    server.look_up(&account, WHO).assert_error(INVALID_KEY);
    assert_eq!(
        server
            .look_up(
                &TestAccount {
                    context: account.context.clone(),
                    ..other_account.clone()
                },
                WHO
            )
            .status,
        200
    );
    assert_eq!(server.look_up(&other_account, WHO).status, 200);
    assert_eq!(doctor(data_dir)["status"], "ok");
}

#[test]
fn contexts_of_a_client_are_shared_between_keys() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");
    let other_account = server.key_and_context("acme", &[]);
    let data_dir = server.data_dir();
    let foreign = TestAccount {
        context: account.context.clone(),
        ..other_account
    };
    server.look_up(&foreign, WHO).assert_error(UNKNOWN_CONTEXT);
    let client = command::json(data_dir, &["client", "contexts", "acme", "client"]);
    assert_eq!(client["contexts"], "client");
    assert_eq!(server.look_up(&foreign, WHO).status, 200);
    assert_eq!(
        command::json(data_dir, &["client", "contexts", "acme"])["contexts"],
        "client"
    );
    command::json(data_dir, &["client", "contexts", "acme", "registering-key"]);
    server.look_up(&foreign, WHO).assert_error(UNKNOWN_CONTEXT);
}

#[test]
fn context_is_moved_without_a_server() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");
    let other_account = server.key_and_context("acme", &[]);
    let data_dir = server.data_dir().to_owned();
    assert_eq!(server.stop(), Some(0), "{}", server.log());

    let moving = [
        "context",
        "move",
        &account.context,
        "--to-key",
        &other_account.key_id,
    ];
    for _ in 0..2 {
        assert_eq!(
            command::json(&data_dir, &moving)["key_id"],
            other_account.key_id.as_str()
        );
    }
    let contexts = command::json(
        &data_dir,
        &["context", "list", "--key", &other_account.key_id],
    );
    assert_eq!(contexts.as_array().expect("a list").len(), 2);
    let output = command::run(&data_dir, &["store", "verify"]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let server = Server::start(&data_dir);
    let moved_account = TestAccount {
        context: account.context.clone(),
        ..other_account
    };
    assert_eq!(server.look_up(&moved_account, WHO).status, 200);
    let response = server.look_up(&account, WHO);
    let missing = TestAccount {
        context: "a.01k0ab3cdefghjkmnpqrstvwxy".into(),
        ..account
    };
    assert_eq!(
        (response.status, response.body),
        (401, server.look_up(&missing, WHO).body)
    );
}

/// Runs the block of the guide that follows `<!-- run: name -->`, with these values.
fn run_guide(name: &str, data_dir: &Path, values: &str) -> std::process::Output {
    let page = include_str!("../../../docs/guides/replace-a-leaked-key.md");
    let mut shell = guide::shell(&format!("{values}\n{}", guide::block(page, name)));
    shell
        .env("VOIGHT__STORE__DATA_DIR", data_dir)
        .output()
        .expect("bash starts")
}

#[test]
fn guide_for_a_leaked_key_is_executed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");
    let other_account = server.key_and_context("acme", &[]);
    let values = format!(
        "KEY={} OTHER={} CONTEXT={}",
        account.key_id, other_account.key_id, other_account.context
    );
    let run_block = |name: &str| {
        let output = run_guide(name, server.data_dir(), &values);
        assert!(
            output.status.success(),
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let secret = |printed: &str| {
        let secret = printed
            .split_whitespace()
            .find(|word| word.starts_with("vgt_live_"));
        TestAccount {
            key: secret.expect("a secret").to_owned(),
            ..account.clone()
        }
    };
    let rotated_account = secret(&run_block("rotate"));
    server.look_up(&account, WHO).assert_error(INVALID_KEY);
    assert_eq!(server.look_up(&rotated_account, WHO).status, 200);
    command::json(
        server.data_dir(),
        &["key", "revoke", &account.key_id, "--yes"],
    );
    let reinstated_account = secret(&run_block("reinstate"));
    assert_eq!(server.look_up(&reinstated_account, WHO).status, 200);
    assert!(run_block("retire").to_lowercase().contains("moved"));
    server
        .look_up(&reinstated_account, WHO)
        .assert_error(INVALID_KEY);
    assert_eq!(
        server
            .look_up(
                &TestAccount {
                    context: account.context.clone(),
                    ..other_account.clone()
                },
                WHO
            )
            .status,
        200
    );
    assert!(run_block("move").contains(&other_account.key_id));
    assert!(run_block("share").contains("client"));
    assert!(run_block("doctor").contains("an active key can look up in every open context"));
}
