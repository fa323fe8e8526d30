//! `voight admin token`: from the creation of a token to its revocation.

use crate::cli::rejection::assert_rejected;
use serde_json::Value;
use std::path::Path;
use std::process::Output;
use voight_tests::command;
use voight_tests::server::Server;

const TOKEN: [&str; 2] = ["admin", "token"];

fn created(data_dir: &Path, name: &str, role: &str) -> String {
    let token = command::json(
        data_dir,
        &[&TOKEN[..], &["create", "--name", name, "--role", role]].concat(),
    );
    assert_eq!(
        (&token["name"], &token["role"]),
        (&Value::from(name), &Value::from(role))
    );
    let text = token["token"].as_str().expect("a token").to_owned();
    assert!(
        text.starts_with(&format!("vat_{}_", token["id"].as_str().expect("an id"))),
        "{text}"
    );
    text
}

fn with(token: &str, data_dir: &Path, args: &[&str]) -> Output {
    let mut voight = command::voight(data_dir);
    voight
        .env("VOIGHT_ADMIN_TOKEN", token)
        .args(args)
        .output()
        .expect("the command")
}

fn assert_done(output: &Output) {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn life_of_a_token(data_dir: &Path) {
    let ana = created(data_dir, "ana", "analyst");
    let ops = created(data_dir, "night shift", "operator");
    assert_done(&with(&ops, data_dir, &["client", "create", "acme"]));
    assert_done(&with(&ana, data_dir, &["audit", "log"]));
    let output = with(&ana, data_dir, &["client", "create", "other"]);
    assert_rejected(
        &output,
        1,
        &["\"ana\"", "role analyst", "owner or operator"],
    );
    let log = command::json(data_dir, &["audit", "log"]);
    let by = |action: &str| {
        log.as_array()
            .expect("a list")
            .iter()
            .rev()
            .find(|entry| entry["action"] == action)
            .cloned()
    };
    assert_eq!(
        by("client.created").expect("an entry")["actor"],
        "token:night shift"
    );
    let twice = command::run(
        data_dir,
        &[&TOKEN[..], &["create", "--name", "ana", "--role", "owner"]].concat(),
    );
    assert_rejected(&twice, 1, &["\"ana\" already", "another name"]);

    let new_token = command::json(data_dir, &[&TOKEN[..], &["rotate", "ana"]].concat());
    assert_rejected(
        &with(&ana, data_dir, &["usage"]),
        3,
        &["admin token", "rotated"],
    );
    let new_secret = new_token["token"].as_str().expect("a token");
    assert_done(&with(new_secret, data_dir, &["usage"]));

    let unconfirmed_output = command::run(data_dir, &[&TOKEN[..], &["revoke", "ana"]].concat());
    assert_rejected(&unconfirmed_output, 2, &["nothing was done", "--yes"]);
    command::json(
        data_dir,
        &[&TOKEN[..], &["revoke", "ana", "--yes"]].concat(),
    );
    assert_rejected(
        &with(new_secret, data_dir, &["usage"]),
        3,
        &["admin token", "revoked"],
    );
    let dead = command::run(data_dir, &[&TOKEN[..], &["rotate", "ana"]].concat());
    assert_rejected(&dead, 1, &["permanently revoked", "create a new one"]);

    assert_list_shows_states_only(data_dir, [&ana, &ops, new_secret]);
}

/// Asserts that the list shows which token is revoked, and no secret.
fn assert_list_shows_states_only(data_dir: &Path, secrets: [&str; 3]) {
    let tokens = command::json(data_dir, &[&TOKEN[..], &["list"]].concat());
    let states: Vec<_> = tokens
        .as_array()
        .expect("a list")
        .iter()
        .map(|token| (token["name"].clone(), token["revoked_at"].is_string()))
        .collect();
    assert_eq!(
        states,
        [
            (Value::from("ana"), true),
            (Value::from("night shift"), false)
        ]
    );
    for secret in secrets {
        assert!(
            !tokens.to_string().contains(secret),
            "the list shows a secret"
        );
    }
}

#[test]
fn named_token_works_until_revoked_by_a_server() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    life_of_a_token(server.data_dir());
}

#[test]
fn named_token_works_until_revoked_offline() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    command::init(&data_dir);
    life_of_a_token(&data_dir);
}

#[test]
fn wrong_tokens_and_roles_are_rejected_with_the_cause() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    command::init(&data_dir);
    command::json(&data_dir, &["client", "create", "acme"]);
    let role = command::run(
        &data_dir,
        &[&TOKEN[..], &["create", "--name", "ci", "--role", "admin"]].concat(),
    );
    let message = String::from_utf8_lossy(&role.stderr);
    assert!(
        role.status.code() == Some(2) && message.contains("owner, operator, analyst or billing"),
        "{message}"
    );
    for act in [&["rotate", "ci"][..], &["revoke", "ci", "--yes"]] {
        assert_rejected(
            &command::run(&data_dir, &[&TOKEN[..], act].concat()),
            4,
            &["admin token \"ci\""],
        );
    }
    let output = with("vat_x_y", &data_dir, &["usage"]);
    assert_rejected(
        &output,
        3,
        &["VOIGHT_ADMIN_TOKEN", "vat_", "copy it completely"],
    );
}
