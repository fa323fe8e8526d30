//! Errors of processes that must not start, with their messages.

use crate::cluster::nodes::{OnSchema, PEPPER};
use std::process::Output;
use voight_tests::command;

#[track_caller]
fn assert_rejected(output: &Output, code: i32, words: &[&str]) {
    let sentence = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{sentence}");
    assert!(
        words.iter().all(|word| sentence.contains(word)),
        "{sentence}"
    );
    assert!(!sentence.contains("secret"), "{sentence}");
}

#[test]
fn invalid_store_urls_are_rejected_with_a_message() {
    let stage = OnSchema::new("refusals");
    drop(stage.nodes.start("a"));
    let serve = |url: &str, pepper: &str| {
        let mut command = command::voight(&stage.nodes.data_dir("b"));
        command.args([
            "--store",
            url,
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--admin-listen",
            "127.0.0.1:0",
        ]);
        command
            .env("VOIGHT_PEPPER", pepper)
            .output()
            .expect("the binary starts")
    };
    assert_rejected(
        &serve(stage.nodes.url(), &PEPPER.replace('1', "2")),
        3,
        &["another pepper"],
    );
    let loose = format!("{}%20-csynchronous_commit%3Doff", stage.nodes.url());
    assert_rejected(
        &serve(&loose, PEPPER),
        3,
        &["synchronous_commit = off", "set synchronous_commit = on"],
    );
    let unreachable = "postgres://voight:secret@127.0.0.1:1/voight";
    assert_rejected(
        &serve(unreachable, PEPPER),
        5,
        &["no database answers at postgres://voight@127.0.0.1:1/voight"],
    );
    assert_rejected(
        &serve("postgres://voight:secret@h:x/voight", PEPPER),
        2,
        &["postgres://USER@HOST/DATABASE"],
    );
    assert!(
        !stage.nodes.data_dir("b").exists(),
        "a refusal has left something behind"
    );
    assert_rejected(
        &stage.nodes.run("a", &["store", "verify"]),
        2,
        &["is a database and has no store files", "pg_dump"],
    );
}

#[test]
fn password_is_never_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = [
        "--store",
        "postgres://voight:secret@db.example/voight",
        "config",
        "show",
    ];
    let output = command::run(&folder.path().join("data"), &arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("postgres://voight@db.example/voight"),
        "{text}"
    );
    assert!(!text.contains("secret"), "{text}");
}
