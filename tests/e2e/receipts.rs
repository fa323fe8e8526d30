//! Receipts of the binary: redeemed once across crashes and rotations, and verified offline as in the guide.

mod guide;

use crate::erase::check::ScriptedCheck;
use guide::{read_offline, redeem_as_the_guide};
use serde_json::{Value, json};
use std::slice;
use voight_tests::command;
use voight_tests::http::{self, Response};
use voight_tests::server::{Server, TestAccount};

const ADDRESS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// Redeems a receipt with the account's key, and an idempotency key if given.
fn redeem(server: &Server, account: &TestAccount, receipt: &str, retry: Option<&str>) -> Response {
    let url = format!("{}/api/v1/receipts/verify", server.url());
    let headers = [
        ("x-api-key", account.key.as_str()),
        ("content-type", "application/json"),
    ];
    let retry: Vec<_> = retry
        .map(|key| ("idempotency-key", key))
        .into_iter()
        .collect();
    let body = json!({ "receipt": receipt }).to_string();
    http::post(
        &http::agent(),
        &url,
        &[&headers, &retry[..]].concat(),
        body.as_bytes(),
    )
    .expect("the server answers")
}

#[track_caller]
fn assert_status(answer: &Response, status: &str) {
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.json()["data"]["status"], status, "{}", answer.body);
}

/// Returns the receipt of a completed check, as in the response to the window.
fn receipt_of(answer: &Response) -> String {
    answer.json()["data"]["receipt"]
        .as_str()
        .unwrap_or_else(|| panic!("no receipt: {}", answer.body))
        .to_owned()
}

/// Returns a receipt of the sandbox, where a request completes a check.
fn sandbox_receipt(server: &Server, account: &TestAccount) -> String {
    receipt_of(&ScriptedCheck::open(server, &account.context, ADDRESS).complete(server))
}

fn keys(server: &Server) -> Vec<Value> {
    let url = format!("{}/.well-known/voight-keys.json", server.url());
    let response = http::get(&http::agent(), &url, &[]).expect("the server answers");
    response.json()["keys"]
        .as_array()
        .expect("a list of keys")
        .clone()
}

fn signing_keys(server: &Server, command: &str) -> Value {
    command::json(server.data_dir(), &["signing-key", command])
}

#[test]
fn receipt_is_redeemed_once_across_crashes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::start(&data_dir);
    let account = server.account("acme");
    let check = ScriptedCheck::open(&server, &account.context, ADDRESS);
    check.run(&server, &check.first_batch());
    let receipt = receipt_of(&check.complete(&server));

    server.kill();
    let mut server = Server::start(&data_dir);
    let stranger = server.key_and_context("acme", &[]);
    assert_eq!(
        redeem(&server, &stranger, &receipt, None).body,
        r#"{"success":true,"data":{"status":"forged"}}"#
    );
    let first = redeem(&server, &account, &receipt, Some("claim-1"));
    assert_status(&first, "valid");
    assert_eq!(first.json()["data"]["eoa_address"], ADDRESS);
    assert_eq!(
        (
            &first.json()["data"]["owned"],
            &first.json()["data"]["test"]
        ),
        (&json!(false), &json!(false))
    );

    server.kill();
    let server = Server::start(&data_dir);
    let second_answer = redeem(&server, &account, &receipt, Some("claim-1"));
    assert_eq!(
        (
            second_answer.header("idempotency-replayed"),
            &second_answer.body
        ),
        (Some("true"), &first.body)
    );
    for retry in [None, Some("claim-2")] {
        assert_status(&redeem(&server, &account, &receipt, retry), "used");
    }
    let usage = &command::json(server.data_dir(), &["usage"])["clients"][0];
    assert_eq!(
        (&usage["billable"], &usage["sandbox"]),
        (&json!(0), &json!(0)),
        "a redemption was billed"
    );
}

/// Returns the published keys without the times of their retirement.
fn public_keys(keys: &[Value]) -> Vec<(&Value, &Value)> {
    keys.iter().map(|key| (&key["kid"], &key["x"])).collect()
}

/// Asserts that the new key is published first, and that the key before it has the time of its retirement.
fn assert_rotated(published_keys: &[Value], old_key: &Value, new_key: &Value) {
    assert!(
        published_keys[1]["retired_at"].is_string(),
        "the key before has the time of its retirement: {}",
        published_keys[1]
    );
    assert_eq!(
        public_keys(published_keys)[1..],
        public_keys(slice::from_ref(old_key)),
        "the key before stays listed"
    );
    assert_eq!(
        (&published_keys[0]["kid"], &published_keys[0]["x"]),
        (&new_key["kid"], &new_key["x"]),
        "the new one is the first"
    );
}

#[test]
fn receipts_stay_valid_after_key_rotation() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::start(&data_dir);
    server.account("acme");
    let account = server.key_and_context("acme", &["--test"]);
    let old_receipt = sandbox_receipt(&server, &account);
    let [first] = &keys(&server)[..] else {
        panic!("one key at first")
    };
    let first = first.clone();

    let new_key = signing_keys(&server, "rotate");
    let published_keys = keys(&server);
    assert_rotated(&published_keys, &first, &new_key);
    let new_receipt = sandbox_receipt(&server, &account);
    for (receipt, key) in [(&old_receipt, &first), (&new_receipt, &published_keys[0])] {
        assert!(
            receipt.starts_with(&guide::header_of(key)),
            "another key than {key} has signed {receipt}"
        );
    }
    let answer = redeem(&server, &account, &old_receipt, None);
    assert_status(&answer, "valid");
    assert_eq!(
        (&answer.json()["test"], &answer.json()["data"]["test"]),
        (&json!(true), &json!(true))
    );

    assert_eq!(server.stop(), Some(0), "{}", server.log());
    // Without a server the command changes the store itself.
    signing_keys(&server, "rotate");
    let server = Server::start(&data_dir);
    assert_eq!(
        public_keys(&keys(&server))[1..],
        public_keys(&published_keys),
        "the number of the key in use is not kept"
    );
    assert_eq!(
        signing_keys(&server, "list").as_array().map(Vec::len),
        Some(3)
    );
    assert_status(&redeem(&server, &account, &old_receipt, None), "used");
    assert_status(&redeem(&server, &account, &new_receipt, None), "valid");
    let log = command::json(server.data_dir(), &["audit", "log"]).to_string();
    assert_eq!(log.matches("signing_key.rotated").count(), 2, "{log}");
    assert!(
        log.contains(new_key["kid"].as_str().expect("an id")),
        "{log}"
    );
}

#[test]
fn guide_redeems_and_verifies_a_receipt() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    server.account("acme");
    let account = server.key_and_context("acme", &["--test"]);
    let receipt = sandbox_receipt(&server, &account);
    let forged_receipt = receipt.replace('.', ".A");
    let results = read_offline(
        &server,
        folder.path(),
        &[&receipt, &forged_receipt, "nonsense", ""],
    );
    assert_eq!(results[0]["address"], ADDRESS);
    assert_eq!(
        (&results[0]["context"], &results[0]["test"]),
        (&json!(account.context), &json!(true))
    );
    assert_eq!(results[1..], [Value::Null, Value::Null, Value::Null]);
    assert_eq!(
        redeem_as_the_guide(&server, &account, &receipt)["data"]["status"],
        "valid"
    );
    assert_status(&redeem(&server, &account, &receipt, None), "used");
}
