//! Price books in the configuration file.

use crate::cli::rejection::tree;
use serde_json::Value;
use std::path::Path;
use std::process::Output;
use voight_tests::command;

const GUIDE: &str = include_str!("../../../docs/guides/set-prices.md");

/// The first block of a text in this language.
fn block(text: &'static str, language: &str) -> &'static str {
    let (_, rest) = text
        .split_once(&format!("```{language}\n"))
        .expect("a block");
    rest.split_once("\n```").expect("the end of the block").0
}

/// The section of the guide about a volume price that falls.
fn volume() -> &'static str {
    GUIDE
        .split_once("## Graduated or volume")
        .expect("the section")
        .1
}

/// Runs `voight config check` on a file of this text, in the file's folder.
fn check(folder: &Path, text: &str, json: bool) -> Output {
    std::fs::write(folder.join("voight.toml"), text).expect("the file is written");
    let mut command = command::voight(&folder.join("data"));
    command.current_dir(folder).args(json.then_some("--json"));
    command
        .args(["config", "check", "--config", "voight.toml"])
        .output()
        .expect("the binary starts")
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// The lines of a list of messages, and the messages.
fn line_messages(messages: &Value) -> Vec<(u64, &str)> {
    let messages = messages.as_array().expect("a list").iter();
    messages
        .map(|message| {
            (
                message["line"].as_u64().expect("a line"),
                message["message"].as_str().expect("a message"),
            )
        })
        .collect()
}

#[test]
fn example_price_book_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let config_report = command::json(&data_dir, &["config", "check"]);
    assert!(
        config_report["notes"][0]["message"]
            .as_str()
            .unwrap()
            .contains("built-in example"),
        "{config_report}"
    );
    let price_findings = |arguments: &[&str]| {
        let report = command::json(&data_dir, &[&["doctor"], arguments].concat());
        let findings = report["findings"].as_array().unwrap().clone();
        findings
            .into_iter()
            .find(|finding| finding["check"] == "price book")
            .unwrap()
    };
    assert_eq!(price_findings(&[])["status"], "warn");
    let configuration = command::json(&data_dir, &["config", "show"]);
    let name = configuration
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["key"] == "billing.price_book.name")
        .unwrap();
    assert_eq!(
        (&name["value"], &name["source"]),
        (&"example".into(), &"default".into())
    );

    let file = folder.path().join("voight.toml");
    std::fs::write(&file, block(GUIDE, "toml")).unwrap();
    assert_eq!(
        price_findings(&["--config", file.to_str().unwrap()])["status"],
        "ok"
    );
    assert!(!data_dir.exists());
}

#[test]
fn graduated_book_of_the_guide_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    let report = document(&check(folder.path(), block(GUIDE, "toml"), true));
    assert_eq!(
        report,
        serde_json::json!({ "ok": true, "problems": [], "notes": [] })
    );
}

#[test]
fn falling_price_book_of_the_guide_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let falling = block(volume(), "toml");
    let output = check(folder.path(), falling, false);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        block(volume(), "text")
    );
    let report = document(&check(folder.path(), falling, true));
    let problems = line_messages(&report["problems"]);
    assert!(
        problems.len() == 1 && problems[0].0 == 7 && problems[0].1.contains("101 cost 50.50 USD"),
        "{problems:?}"
    );
    let file = folder.path().join("voight.toml");
    let output = command::run(
        &folder.path().join("data"),
        &["serve", "--config", file.to_str().unwrap()],
    );
    assert_eq!(
        output.status.code(),
        Some(3),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for (wrong, right) in [
        ("volume", "graduated"),
        ("\"0.50\"", "\"0.50\", flat_fee = \"49.50\""),
    ] {
        let corrected_report =
            document(&check(folder.path(), &falling.replace(wrong, right), true));
        assert_eq!(
            corrected_report,
            serde_json::json!({ "ok": true, "problems": [], "notes": [] })
        );
    }
}

#[test]
fn inconsistent_price_book_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[billing]\ncurrency = \"usd\"\n[billing.price_book]\nname = \"2026\"\nversion = 1\nmode = \"graduated\"\n\
                tiers = [\n  { up_to = 100, unit_price = \"-1\" },\n  { up_to = 50, unit_price = \"1\" },\n]\n";
    let output = check(folder.path(), text, true);
    assert_eq!(output.status.code(), Some(3));
    let report = document(&output);
    let problems = line_messages(&report["problems"]);
    let expected_problems = [
        (2, "capital letters"),
        (8, "negative"),
        (9, "tier 2 ends at 50"),
        (9, "the last tier has an up_to"),
    ];
    for (line, words) in expected_problems {
        assert!(
            problems
                .iter()
                .any(|(at, message)| *at == line && message.contains(words)),
            "{line}: {problems:?}"
        );
    }
    assert_eq!(problems.len(), expected_problems.len(), "{problems:?}");

    let tree_before = tree(folder.path());
    let file = folder.path().join("voight.toml");
    for arguments in [&["serve"][..], &["usage"], &["config", "show"]] {
        let output = command::run(
            &folder.path().join("data"),
            &[arguments, &["--config", file.to_str().unwrap()]].concat(),
        );
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {stderr}");
        assert!(
            stderr.contains("voight.toml:8: ") && stderr.contains("voight.toml:9: "),
            "{arguments:?}: {stderr}"
        );
    }
    assert_eq!(tree(folder.path()), tree_before);
}

#[test]
fn unquoted_price_is_rejected_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let text = block(GUIDE, "toml").replace("\"0.002\"", "0.002");
    let report = document(&check(folder.path(), &text, true));
    let problems = line_messages(&report["problems"]);
    assert!(
        problems.len() == 1 && problems[0].0 == 11 && problems[0].1.contains("put it in quotes"),
        "{problems:?}"
    );
}
