//! Verification of a bill without the service, and of a ledger with it.

mod independent_reader;

use crate::cli::rejection::assert_rejected;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use tempfile::TempDir;
use voight_domain::ledger_audit::AuditError;
use voight_tests::server::Server;
use voight_tests::{command, http, paths};

const ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// Three lookups of a client, its saved heads, and its exported ledger.
struct ExportFixture {
    folder: TempDir,
    heads: Vec<String>,
}

impl ExportFixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut server = Server::start(&folder.path().join("data"));
        let account = server.account("acme");
        let answers = (0..3).map(|_| server.look_up(&account, ADDRESS));
        let heads = answers
            .map(|answer| answer.header("voight-meter").expect("a head").to_owned())
            .collect();
        let stage = Self { folder, heads };
        let keys = format!("{}/.well-known/voight-keys.json", server.url());
        let keys = http::get(&http::agent(), &keys, &[]).expect("the server answers");
        fs::write(stage.path_of("keys.json"), keys.body).expect("a file");
        // A server runs here; the other tests continue without one.
        let output = stage.run(&[
            "audit",
            "export",
            "--client",
            "acme",
            "--openings",
            "--out",
            stage.text("export"),
        ]);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(server.stop(), Some(0), "{}", server.log());
        fs::write(
            stage.path_of("heads"),
            format!("# kept\n{}\n", stage.heads.join("\n")),
        )
        .expect("a file");
        stage
    }

    fn path_of(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> &'static str {
        Box::leak(self.path_of(name).display().to_string().into_boxed_str())
    }

    fn run(&self, arguments: &[&str]) -> Output {
        command::run(&self.path_of("data"), arguments)
    }

    fn export(&self) -> String {
        fs::read_to_string(self.path_of("export")).expect("an export")
    }

    /// Checks a text without a data directory, server or configuration.
    fn check(&self, export: &str, more: &[&str]) -> Output {
        fs::write(self.path_of("checked"), export).expect("a file");
        let nowhere = self.path_of("nowhere");
        let output = command::run(
            &nowhere,
            &[&["audit", "verify-export", self.text("checked")], more].concat(),
        );
        assert!(!nowhere.exists(), "a check has created something");
        output
    }
}

#[test]
fn customer_verifies_an_export_offline() {
    let stage = ExportFixture::new();
    let output = stage.check(
        &stage.export(),
        &[
            "--json",
            "--saved-heads",
            stage.text("heads"),
            "--keys",
            stage.text("keys.json"),
        ],
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&report["name"], &report["rows"], &report["lookups"]),
        (&"acme".into(), &3.into(), &3.into())
    );
    assert_eq!(
        (&report["free"], &report["charged"], &report["openings"]),
        (&3.into(), &0.into(), &3.into())
    );
    assert_eq!(
        (&report["heads"], &report["keys_given"]),
        (&3.into(), &true.into())
    );
    assert!(stage.heads[2].contains(report["head"].as_str().unwrap()));
    let stdout = String::from_utf8(stage.check(&stage.export(), &[]).stdout).unwrap();
    for words in [
        "no gaps",
        "3 free, 0 charged",
        "only saved heads prove",
        "--keys",
    ] {
        assert!(stdout.contains(words), "{words:?} is not in\n{stdout}");
    }
    let mut voight = command::voight(&stage.path_of("nowhere"));
    let voight = voight
        .args(["audit", "verify-export", "-"])
        .stdin(Stdio::from(
            fs::File::open(stage.path_of("export")).unwrap(),
        ));
    assert!(voight.output().unwrap().status.success());
}

#[test]
fn documentation_suffices_to_verify_the_chain() {
    let stage = ExportFixture::new();
    assert!(
        stage.heads[2].ends_with(&independent_reader::head(&stage.export())),
        "the chain leads to another head"
    );
}

#[test]
fn changes_of_an_export_are_reported() {
    let stage = ExportFixture::new();
    let export = stage.export();
    let lines: Vec<_> = export.split_inclusive('\n').collect();
    let [header, context, one, two, three, trailer] = lines[..] else {
        panic!("{} lines", lines.len())
    };
    let without = |row: &str| {
        lines
            .iter()
            .filter(|line| **line != row)
            .copied()
            .collect::<String>()
    };
    let reordered_export = [header, context, two, one, three, trailer].concat();
    let cases: [(&str, &str); 9] = [
        (
            &export.replacen("\"free\":true", "\"free\":false", 1),
            "row 1 does not match the chain",
        ),
        (&without(two), "row 2 is missing"),
        (&reordered_export, "row 1 comes after row 2"),
        (
            &[header, context, one].concat(),
            "ends after line 3 without a trailer, at row 1 of 3",
        ),
        (&without(three), "row 3 is missing at the end"),
        (
            &export.replacen("acme", "acne", 1),
            "differ from those that were sealed",
        ),
        (
            &export.replacen("\"format\":1", "\"format\":2", 1),
            "format 2",
        ),
        (&without(header), "line 1 is not a header"),
        (
            &[header, "nonsense\n"].concat(),
            "line 2 is not a line of an export",
        ),
    ];
    for (text, words) in cases {
        assert_ne!(text, export);
        assert_rejected(&stage.check(text, &[]), 1, &["checked", words]);
    }
}

#[test]
fn guide_lists_messages_of_the_verification() {
    let guide = fs::read_to_string(paths::repository().join("docs/guides/verify-an-invoice.md"))
        .expect("the guide");
    let rows: Vec<_> = guide
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .collect();
    for error in [
        AuditError::Missing { from: 57, to: 57 },
        AuditError::Changed { row: 57 },
        AuditError::InvoiceLine {
            number: 3,
            line: 2,
            paid: 1204,
        },
        AuditError::InvoiceMismatch {
            number: 3,
            what: "its total",
            stated: "12.50 USD".to_owned(),
            found: "12.00 USD".to_owned(),
        },
        AuditError::InvoiceOrder {
            number: 3,
            expected: 2,
        },
        AuditError::Signature,
    ] {
        let message = error.to_string();
        assert!(
            rows.iter().any(|row| message.starts_with(row)),
            "the guide does not list {message:?}"
        );
    }
}

#[test]
fn foreign_heads_and_keys_are_reported() {
    let stage = ExportFixture::new();
    let export = stage.export();
    let heads = |text: &str| {
        fs::write(stage.path_of("heads"), text).unwrap();
        stage.check(&export, &["--saved-heads", stage.text("heads")])
    };
    let other_head = format!("seq=2, head={}", "ab".repeat(32));
    assert_rejected(
        &heads(&format!("{}\n{other_head}\n", stage.heads[0])),
        1,
        &["line 2 of the heads", "row 2", "changed since"],
    );
    assert_rejected(
        &heads(&other_head.replace("seq=2", "seq=9")),
        1,
        &["line 1 of the heads", "row 9", "row 3"],
    );
    assert_rejected(
        &heads("seq=1 head=x"),
        2,
        &["line 1 of the heads is not a head", "Voight-Meter"],
    );
    assert_rejected(
        &stage.check(&export, &["--saved-heads", stage.text("none")]),
        4,
        &["none", "cannot be read"],
    );
    let signed_head = export
        .split('"')
        .find(|word| word.starts_with("eyJ"))
        .unwrap();
    assert!(heads(signed_head).status.success());
    let other_fixture = ExportFixture::new();
    assert_rejected(
        &stage.check(&export, &["--keys", other_fixture.text("keys.json")]),
        1,
        &["signed head", "keys"],
    );
    let of_another = other_fixture.export();
    let signed_head = of_another
        .split('"')
        .find(|word| word.starts_with("eyJ"))
        .unwrap();
    assert_rejected(
        &heads(signed_head),
        1,
        &["line 1 of the heads", "another service"],
    );
    fs::write(stage.path_of("keys.json"), "{}").unwrap();
    assert_rejected(
        &stage.check(&export, &["--keys", stage.text("keys.json")]),
        2,
        &["keys.json", "well-known"],
    );
}

#[test]
fn ledgers_and_audit_log_are_verified_offline() {
    let stage = ExportFixture::new();
    let report = command::json(&stage.path_of("data"), &["audit", "verify"]);
    let ledgers: Vec<_> = report["ledgers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|ledger| (&ledger["environment"], &ledger["rows"]))
        .collect();
    assert_eq!(
        ledgers,
        [(&"live".into(), &3.into()), (&"test".into(), &0.into())]
    );
    let log = command::json(&stage.path_of("data"), &["audit", "log"]);
    assert_eq!(
        report["audit_log"]["records"],
        log.as_array().unwrap().len()
    );
    let creation = log
        .as_array()
        .unwrap()
        .iter()
        .find(|record| record["action"] == "client.created");
    let creation = creation.expect("the entry of the client");
    let latest = command::json(&stage.path_of("data"), &["audit", "log", "--limit", "1"]);
    assert_eq!(latest[0], log[log.as_array().unwrap().len() - 1]);
    let client = creation["subject"].as_str().unwrap();
    let about = command::json(
        &stage.path_of("data"),
        &["audit", "log", "--subject", client],
    );
    let actions: Vec<_> = about
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["action"].clone())
        .collect();
    assert_eq!(actions[0], "client.created");
    // The fixture has exported the ledger, which is audited.
    assert!(
        actions.len() > 1
            && actions[1..]
                .iter()
                .all(|action| action == "ledger.exported"),
        "{actions:?}"
    );
    let output = stage.run(&["audit", "verify", "--client", "acme"]);
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("2 ledgers are valid: 3 rows.")
    );
    assert_rejected(
        &stage.run(&["audit", "verify", "--client", "missing-client"]),
        4,
        &["missing-client"],
    );
    assert_rejected(
        &stage.run(&["audit", "export", "--client", "missing-client"]),
        4,
        &["missing-client"],
    );
}

#[test]
fn export_does_not_overwrite_a_file() {
    let stage = ExportFixture::new();
    let export_before = stage.export();
    let arguments = [
        "audit",
        "export",
        "--client",
        "acme",
        "--out",
        stage.text("export"),
    ];
    assert_rejected(&stage.run(&arguments), 1, &["already exists"]);
    assert_eq!(stage.export(), export_before);
    let output = stage.run(&[
        "audit",
        "export",
        "--client",
        "acme",
        "--environment",
        "test",
    ]);
    assert!(
        stage
            .check(&String::from_utf8(output.stdout).unwrap(), &[])
            .status
            .success()
    );
    assert!(!Path::new(&format!("{}.partial", stage.text("export"))).exists());
}
