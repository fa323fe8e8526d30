//! Unusable stores, and missing items in a usable store.

use crate::cli::rejection::{assert_rejected, tree};
use std::path::{Path, PathBuf};
use std::process::Output;
use voight_tests::command::installation;
use voight_tests::server::Server;
use voight_tests::{command, ports};

const OTHER_PEPPER: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

#[test]
fn another_pepper_is_rejected() {
    let (_folder, data_dir) = installation();
    let tree_before = tree(&data_dir);
    let output = command::voight(&data_dir)
        .env("VOIGHT_PEPPER", OTHER_PEPPER)
        .arg("usage")
        .output()
        .unwrap();
    assert_rejected(&output, 3, &["pepper"]);
    std::fs::write(data_dir.join("pepper"), OTHER_PEPPER).unwrap();
    assert_rejected(&command::run(&data_dir, &["usage"]), 3, &["pepper"]);
    assert!(!String::from_utf8_lossy(&output.stderr).contains(OTHER_PEPPER));
    std::fs::write(
        data_dir.join("pepper"),
        tree_before[&data_dir.join("pepper")].as_ref().unwrap(),
    )
    .unwrap();
    assert_same_names(&data_dir, &tree_before);
    assert_eq!(
        command::json(&data_dir, &["client", "list"])[0]["name"],
        "acme"
    );
}

#[test]
fn store_of_a_newer_release_is_rejected() {
    let (_folder, data_dir) = installation();
    let sidecar = sidecar(&data_dir);
    let text = std::fs::read_to_string(&sidecar).unwrap();
    let newer: String = text
        .lines()
        .map(|line| {
            if line.starts_with("format") {
                "format = 999\n".into()
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    assert_ne!(newer, text, "the sidecar names no format: {text}");
    std::fs::write(&sidecar, newer).unwrap();
    let tree_before = tree(&data_dir);
    assert_rejected(&command::run(&data_dir, &["usage"]), 3, &["999", "release"]);
    assert_same_names(&data_dir, &tree_before);
    std::fs::write(&sidecar, text).unwrap();
    assert_eq!(
        command::json(&data_dir, &["client", "list"])[0]["name"],
        "acme"
    );
}

#[test]
fn missing_store_of_an_installation_is_not_recreated() {
    let (_folder, data_dir) = installation();
    let store = sidecar(&data_dir).with_extension("");
    std::fs::remove_file(&store).unwrap();
    let tree_before = tree(&data_dir);
    assert_rejected(
        &command::run(&data_dir, &["usage"]),
        3,
        &[store.file_name().unwrap().to_str().unwrap()],
    );
    assert_eq!(tree(&data_dir), tree_before);
}

#[test]
fn file_that_is_not_a_store_is_rejected_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let file = folder.path().join("thesis.txt");
    std::fs::write(&file, "42 ".repeat(5000)).unwrap();
    let tree_before = tree(folder.path());
    let output = command::run(
        &data_dir,
        &["usage", "--store", &format!("redb:{}", file.display())],
    );
    assert_rejected(&output, 3, &["thesis.txt"]);
    assert_eq!(tree(folder.path()), tree_before);
}

#[test]
fn locked_store_is_reached_only_through_its_process() {
    let (folder, data_dir) = installation();
    let _server = Server::start(&data_dir);
    let other_dir = folder.path().join("other");
    let pepper = std::fs::read_to_string(data_dir.join("pepper")).unwrap();
    let store = format!("redb:{}", sidecar(&data_dir).with_extension("").display());
    let run_locked = |arguments: &[&str]| {
        let mut command = command::voight(&other_dir);
        command
            .env("VOIGHT_PEPPER", pepper.trim())
            .args(arguments)
            .args(["--store", &store])
            .output()
            .unwrap()
    };
    let listen = [
        format!("127.0.0.1:{}", ports::free()),
        format!("127.0.0.1:{}", ports::free()),
    ];
    assert_rejected(
        &run_locked(&["usage"]),
        5,
        &["another process", "--data-dir"],
    );
    assert_rejected(
        &run_locked(&[
            "serve",
            "--listen",
            &listen[0],
            "--admin-listen",
            &listen[1],
        ]),
        5,
        &["another process"],
    );
    assert!(!other_dir.exists());
}

#[test]
fn server_that_does_not_answer_is_unreachable() {
    let (_folder, data_dir) = installation();
    let server = format!("http://127.0.0.1:{}", ports::free());
    assert_rejected(
        &command::run(&data_dir, &["usage", "--server", &server]),
        5,
        &[&server, "--server"],
    );
    let empty = tempfile::tempdir().unwrap();
    let tokenless = command::run(&empty.path().join("data"), &["usage", "--server", &server]);
    assert_rejected(&tokenless, 3, &["admin token", "VOIGHT_ADMIN_TOKEN"]);
    assert!(tree(empty.path()).is_empty());
}

#[test]
fn commands_answer_the_same_with_a_server_and_without() {
    let (_folder, data_dir) = installation();
    let answers = || {
        for (arguments, word) in [
            (&["client", "show", "missing-client"][..], "missing-client"),
            (
                &["key", "create", "--client", "missing-client"],
                "missing-client",
            ),
            (&["key", "revoke", "01k0ab3cdefghjkmnpqrstvwxy"], "key"),
            (
                &["context", "show", "spring.01k0ab3cdefghjkmnpqrstvwxy"],
                "context",
            ),
        ] {
            assert_rejected(&command::run(&data_dir, arguments), 4, &[word]);
        }
        assert_rejected(
            &command::run(&data_dir, &["client", "create", "acme"]),
            1,
            &["\"acme\"", "another name"],
        );
        command::json(&data_dir, &["client", "list"])
    };
    let direct = answers();
    let mut server = Server::start(&data_dir);
    let account = server.key_and_context("acme", &[]);
    assert_eq!(answers(), direct);
    let elsewhere = command::run(
        &data_dir,
        &["--json", "client", "list", "--server", &server.admin_url()],
    );
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(&elsewhere.stdout).unwrap(),
        direct
    );
    assert_eq!(server.stop(), Some(0), "{}", server.log());
    let keys = command::json(&data_dir, &["key", "list", "--client", "acme"]);
    assert_eq!(keys[0]["key_id"], account.key_id.as_str());
    assert_eq!(
        command::json(&data_dir, &["context", "list"])[0]["context_id"],
        account.context.as_str()
    );
}

#[test]
fn command_closes_the_store_before_it_ends() {
    let (_folder, data_dir) = installation();
    for number in 0..10 {
        command::json(
            &data_dir,
            &["client", "create", &format!("client-{number}")],
        );
        let logs: Vec<_> = tree(&data_dir)
            .into_keys()
            .filter(|path| path.extension().is_some_and(|extension| extension == "log"))
            .collect();
        assert!(logs.is_empty(), "{logs:?}");
    }
}

fn sidecar(data_dir: &Path) -> PathBuf {
    data_dir.join("voight.redb.id")
}

/// Asserts that no file was created or removed. Opening may change the database itself.
#[track_caller]
fn assert_same_names(
    data_dir: &Path,
    tree_before: &std::collections::BTreeMap<PathBuf, Option<Vec<u8>>>,
) {
    assert!(
        tree(data_dir).keys().eq(tree_before.keys()),
        "{:?}",
        tree(data_dir).keys()
    );
}

/// An error in JSON is printed on standard error too.
#[test]
fn rejection_is_json_on_request() {
    let (_folder, data_dir) = installation();
    let output: Output = command::run(&data_dir, &["--json", "client", "show", "missing-client"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(output.stdout.is_empty());
    let rejection: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(rejection["error"]["exit"], 4);
    assert!(
        rejection["error"]["message"]
            .as_str()
            .unwrap()
            .contains("missing-client")
    );
}
