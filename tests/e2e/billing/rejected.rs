//! Invalid operations on invoices and amounts: each error is one sentence, and nothing is changed.

use crate::cli::rejection::{assert_rejected, tree};
use voight_tests::command;

/// Commands that are rejected, each with its exit code and words of its error.
const REJECTED_COMMANDS: &[(&[&str], i32, &[&str])] = &[
    (
        &["invoice", "mark-paid", "draft", "--yes"],
        4,
        &["draft", "<client>-<number>"],
    ),
    (
        &[
            "invoice",
            "void",
            "missing-client-1",
            "--reason",
            "x",
            "--yes",
        ],
        4,
        &["missing-client"],
    ),
    (
        &["invoice", "preview", "--client", "missing-client"],
        4,
        &["missing-client"],
    ),
    (
        &[
            "invoice", "preview", "--client", "acme", "--period", "2020-01",
        ],
        4,
        &["2020-01", "month in which it began"],
    ),
    (
        &[
            "invoice", "close", "--client", "acme", "--period", "2999-01",
        ],
        2,
        &["2999-01 has not begun"],
    ),
    (
        &["client", "credit", "acme", "5.001", "--reason", "x"],
        2,
        &["5.001", "more than 2 decimal places", "1.25"],
    ),
    (
        &["client", "credit", "acme", "5,00", "--reason", "x"],
        2,
        &["5,00", "write for example"],
    ),
    (
        &["client", "credit", "acme", "5 EUR", "--reason", "x"],
        2,
        &["write the amount in USD"],
    ),
    (
        &["client", "credit", "acme", "5", "--reason", " "],
        2,
        &["needs a reason"],
    ),
    (
        &["client", "credit", "acme", "0", "--reason", "x"],
        2,
        &["zero"],
    ),
    (&["client", "budget", "acme", "0"], 2, &["more than zero"]),
    (
        &["client", "cap", "acme", "--money", "1.005"],
        2,
        &["money_cap", "decimal places"],
    ),
    (
        &["client", "cap", "missing-client", "5"],
        4,
        &["missing-client"],
    ),
];

#[test]
fn rejection_names_the_cause_and_exits_with_its_code() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    command::init(&data_dir);
    let client = command::json(&data_dir, &["client", "create", "acme"]);
    let id = client["client_id"].as_str().unwrap();
    let missing = format!("{id}-1");
    for invoice in ["acme-1", &missing] {
        let mark_paid = ["invoice", "mark-paid", invoice, "--yes"];
        assert_rejected(
            &command::run(&data_dir, &mark_paid),
            4,
            &["no invoice", &missing],
        );
    }
    for (arguments, code, words) in REJECTED_COMMANDS {
        assert_rejected(&command::run(&data_dir, arguments), *code, words);
    }
    let usage = &command::json(&data_dir, &["usage"])["clients"][0];
    assert!(
        usage["cap"].is_null() && usage["money_cap"].is_null() && usage["budget"].is_null(),
        "{usage}"
    );
    assert_eq!(
        command::json(&data_dir, &["invoice", "adjustments", "--client", "acme"]),
        serde_json::json!([])
    );
    assert_eq!(
        command::json(&data_dir, &["invoice", "list"]),
        serde_json::json!([])
    );
}

#[test]
fn html_output_does_not_overwrite_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let out = folder.path().join("invoice.html");
    command::init(&data_dir);
    command::json(&data_dir, &["client", "create", "acme"]);
    let page = |out: &str| {
        command::run(
            &data_dir,
            &[
                "invoice", "preview", "--client", "acme", "--html", "--out", out,
            ],
        )
    };
    let text = out.to_str().unwrap();
    assert!(page(text).status.success());
    let file_text = std::fs::read_to_string(&out).unwrap();
    assert!(
        file_text.contains("DRAFT. This is not an invoice"),
        "{file_text}"
    );
    assert_rejected(&page(text), 1, &["invoice.html already exists", "--out"]);
    assert_rejected(
        &page(folder.path().join("no/such/page.html").to_str().unwrap()),
        1,
        &["does not exist; create it with", "--out"],
    );
    assert_eq!(std::fs::read_to_string(&out).unwrap(), file_text);
    let output = command::run(
        &data_dir,
        &["invoice", "preview", "--client", "acme", "--html"],
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap(), file_text);
}

#[test]
fn invalid_arguments_are_rejected_before_opening() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, hint) in [
        (&["invoice", "close", "--period", "2026-13"][..], "2026-11"),
        (&["invoice", "adjust", "--client", "acme", "-5"], "--reason"),
        (&["client", "cap", "acme", "-1"], "-1"),
        (&["client", "cap", "acme", "5", "--clear"], "--clear"),
    ] {
        let output = command::run(&folder.path().join("data"), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(2) && message.contains(hint),
            "{arguments:?}: {message}"
        );
    }
    assert!(tree(folder.path()).is_empty());
}
