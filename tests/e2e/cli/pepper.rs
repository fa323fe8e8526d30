//! Guide for a leaked pepper, executed: its blocks in order, with ids of contexts.

use serde_json::Value;
use std::path::Path;
use std::process::Stdio;
use voight_tests::command::{init, json, run};
use voight_tests::guide;

const GUIDE: &str = include_str!("../../../docs/guides/replace-a-leaked-pepper.md");
const BOT: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const HUMAN: &str = "0xde709f2102306220921060314715629080e2fb77";

/// Returns the block that follows `<!-- run: name -->`, without the indentation of its list.
fn block(name: &str) -> String {
    let (_, rest) = GUIDE
        .split_once(&format!("<!-- run: {name} -->\n"))
        .expect("a block of this name");
    let (_, rest) = rest.split_once("```sh\n").expect("a fence");
    let (block, _) = rest.split_once("```").expect("the end of the block");
    block
        .lines()
        .map(|line| line.trim_start_matches("   "))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Runs a script in `folder` with `voight` on its path.
fn shell(folder: &Path, script: &str, variables: &[(&str, &str)]) -> String {
    let mut shell = guide::shell(&format!("set -o pipefail\n{script}"));
    shell.current_dir(folder).stdin(Stdio::null());
    let output = shell
        .envs(variables.iter().copied())
        .output()
        .expect("bash starts");
    assert!(
        output.status.success(),
        "{script}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}

fn context(data_dir: &Path) -> String {
    init(data_dir);
    json(data_dir, &["client", "create", "acme"]);
    let key = json(data_dir, &["key", "create", "--client", "acme"]);
    let key = key["key_id"].as_str().expect("an id");
    let new_context = json(data_dir, &["context", "create", "--key", key, "spring"]);
    new_context["context_id"]
        .as_str()
        .expect("an id")
        .to_owned()
}

fn is_bot(data_dir: &Path, context: &str, address: &str) -> Value {
    json(data_dir, &["verdict", "get", "--context", context, address])["is_bot"].clone()
}

#[test]
fn flags_are_imported_under_another_pepper() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("voight-data");
    let old_context = context(&old);
    for (address, decision) in [(BOT, "bot"), (HUMAN, "human")] {
        let reason = ["--to", decision, "--reason", "test"];
        json(
            &old,
            &[
                &["verdict", "override", "--context", &old_context, address],
                &reason[..],
            ]
            .concat(),
        );
    }

    let clients = shell(folder.path(), &block("stop"), &[]);
    assert!(clients.contains("acme"), "{clients}");
    shell(folder.path(), &block("create"), &[]);
    let context: Value = serde_json::from_str(
        &std::fs::read_to_string(folder.path().join("context.json")).expect("a file"),
    )
    .expect("JSON");
    let new_context = context["context_id"].as_str().expect("an id");
    shell(
        folder.path(),
        &block("flags"),
        &[("OLD_CONTEXT", &old_context), ("NEW_CONTEXT", new_context)],
    );

    let old = folder.path().join("voight-old");
    let new = folder.path().join("voight-data");
    assert_eq!(is_bot(&new, new_context, BOT), true);
    let list = json(&new, &["verdict", "list", "--context", new_context]);
    assert_eq!(
        list.as_array().map(Vec::len),
        Some(1),
        "only flags are taken over"
    );
    let pepper =
        |data_dir: &Path| std::fs::read_to_string(data_dir.join("pepper")).expect("a pepper");
    assert_ne!(pepper(&old), pepper(&new));
    let keys = |data_dir: &Path| json(data_dir, &["signing-key", "list"])[0]["x"].clone();
    assert_ne!(
        keys(&old),
        keys(&new),
        "nothing that the old pepper signs is accepted"
    );
}

#[test]
fn another_pepper_is_rejected_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let data_dir = folder.path().join("voight-data");
    let context = context(&data_dir);
    let file = data_dir.join("pepper");
    let pepper = std::fs::read_to_string(&file).expect("a pepper");
    std::fs::write(&file, "00".repeat(32)).expect("a file");
    let output = run(&data_dir, &["verdict", "list", "--context", &context]);
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("pepper"));
    std::fs::write(&file, pepper).expect("a file");
    json(&data_dir, &["verdict", "list", "--context", &context]);
}
