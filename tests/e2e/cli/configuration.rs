//! Configuration file, from its sample to its effective values.

use crate::cli::rejection::{assert_rejected, tree};
use std::path::Path;
use std::process::Output;
use voight_tests::{command, guide};

const GUIDE: &str = include_str!("../../../docs/guides/configure.md");

/// Runs the block of the guide with this name in `folder`.
fn run(folder: &Path, name: &str) -> Output {
    let output = guide::shell(guide::block(GUIDE, name))
        .current_dir(folder)
        .output()
        .expect("bash starts");
    assert!(
        output.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

#[test]
fn configuration_guide_is_executed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("voight.toml");
    run(folder.path(), "init");
    run(folder.path(), "check");
    run(folder.path(), "schema");
    let schema = std::fs::read(folder.path().join("voight.schema.json")).expect("the schema");
    let schema: serde_json::Value = serde_json::from_slice(&schema).expect("JSON");
    assert_eq!(
        schema["properties"]["server"]["properties"]["max_connections"]["minimum"],
        1
    );

    std::fs::write(&file, guide::block(GUIDE, "change")).expect("the file is written");
    run(folder.path(), "check");
    let config = ["config", "show", "--config", file.to_str().expect("a path")];
    let configuration = command::json(&folder.path().join("data"), &config);
    let entries = configuration.as_array().expect("a list");
    let entry = entries
        .iter()
        .find(|entry| entry["key"] == "evidence.retention_days")
        .expect("the key");
    assert_eq!(
        (&entry["value"], &entry["source"]),
        (&"14".into(), &file.to_str().into())
    );
}

#[test]
fn sample_never_replaces_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("voight.toml");
    std::fs::write(&file, "mine").expect("the file is written");
    let tree_before = tree(folder.path());
    let init = |file: &Path| {
        command::run(
            &folder.path().join("data"),
            &["config", "init", "--out", file.to_str().expect("a path")],
        )
    };
    assert_rejected(&init(&file), 1, &["voight.toml", "already exists", "--out"]);
    assert_rejected(
        &init(&folder.path().join("none/voight.toml")),
        1,
        &["none/voight.toml", "mkdir -p"],
    );
    assert_eq!(tree(folder.path()), tree_before);
}

#[test]
fn unread_variable_is_rejected_by_every_command() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for arguments in [
        &["usage"][..],
        &["serve"],
        &["health"],
        &["store", "init"],
        &["doctor"],
    ] {
        let mut voight = command::voight(&folder.path().join("data"));
        let output = voight
            .env("VOIGHT_SERVER_LISTEN", "127.0.0.1:1")
            .args(arguments)
            .output();
        let words = [
            "VOIGHT_SERVER_LISTEN",
            "did you mean VOIGHT__SERVER__LISTEN?",
        ];
        assert_rejected(&output.expect("the binary starts"), 3, &words);
    }
    assert!(tree(folder.path()).is_empty());
}

#[test]
fn sample_ignores_an_invalid_configuration() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut voight = command::voight(&folder.path().join("data"));
    let output = voight
        .env("VOIGHT__SERVER__LISEN", "x")
        .args(["config", "init"])
        .output()
        .expect("the binary starts");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(
        text.contains("[server]\n") && text.contains("\n#listen = \"127.0.0.1:8080\"\n"),
        "{text}"
    );
    assert!(tree(folder.path()).is_empty());
}
