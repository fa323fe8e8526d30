//! Lifecycle of a client's account, by the command line.

use crate::billing::backdated;
use crate::cli::rejection::assert_rejected;
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;
use voight_tests::command;
use voight_tests::server::Server;

/// Account that was used in January and in February 2026, offline.
struct AccountFixture {
    _folder: TempDir,
    data_dir: PathBuf,
}

impl AccountFixture {
    /// Creates 1,003 lookups in January, and 5 in February.
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data_dir = folder.path().join("data");
        let mut server = Server::start(&data_dir);
        let account = server.account("acme");
        assert_eq!(server.stop(), Some(0), "{}", server.log());
        backdated::look_up(&data_dir, &account, 1_003, "2026-01-10T12:00:00Z");
        backdated::look_up(&data_dir, &account, 5, "2026-02-10T12:00:00Z");
        Self {
            _folder: folder,
            data_dir,
        }
    }

    fn json(&self, arguments: &[&str]) -> Value {
        command::json(&self.data_dir, arguments)
    }

    /// Returns the findings of `voight doctor` about the invoices.
    fn diagnosis(&self) -> Value {
        let doctor_report = self.json(&["doctor"]);
        let findings = doctor_report["findings"]
            .as_array()
            .expect("a list of findings")
            .iter();
        findings
            .filter(|finding| finding["check"] == "invoices")
            .map(|finding| finding["status"].clone())
            .collect()
    }

    fn list(&self) -> Vec<[Value; 4]> {
        let invoices = self.json(&["invoice", "list", "--client", "acme"]);
        let invoices = invoices.as_array().expect("a list of invoices");
        let members = |invoice: &Value| {
            [
                &invoice["number"],
                &invoice["state"],
                &invoice["replaces"],
                &invoice["total"]["formatted"],
            ]
            .map(Value::clone)
        };
        invoices.iter().map(members).collect()
    }
}

fn assert_invoice_equals_preview(stage: &AccountFixture, preview: &Value) {
    let invoice = stage.json(&["invoice", "show", "acme-1"]);
    for member in [
        "client_id",
        "client",
        "period",
        "billable",
        "free",
        "charged",
        "price_book",
        "lines",
        "adjustments",
    ] {
        assert_eq!(invoice[member], preview[member], "{member}");
    }
    let id = invoice["id"].as_str().expect("an id");
    assert_eq!(stage.json(&["invoice", "show", id]), invoice);
}

/// Marks the invoice as paid; neither a second payment nor a void is accepted.
fn assert_invoice_is_paid_once(stage: &AccountFixture) {
    let mark_paid = ["invoice", "mark-paid", "acme-1", "--yes"];
    assert_eq!(stage.json(&mark_paid)["state"], "paid");
    let void = ["invoice", "void", "acme-1", "--reason", "too late", "--yes"];
    for arguments in [&mark_paid[..], &void] {
        assert_rejected(
            &command::run(&stage.data_dir, arguments),
            1,
            &["is paid", "only an open invoice"],
        );
    }
}

#[test]
fn periods_are_invoiced_once_unless_voided() {
    let stage = AccountFixture::new();
    let january = stage.json(&[
        "invoice", "preview", "--client", "acme", "--period", "2026-01",
    ]);
    assert_eq!(
        (&january["state"], &january["total"]["formatted"]),
        (&json!("draft"), &json!("0.01"))
    );
    assert_eq!(stage.diagnosis(), json!(["warn"]));
    stage.json(&[
        "invoice", "close", "--client", "acme", "--period", "2026-02",
    ]);
    assert_eq!(stage.diagnosis(), json!(["ok"]));
    assert_eq!(
        stage.list(),
        [
            [json!(1), json!("open"), json!(null), json!("0.01")],
            [json!(2), json!("open"), json!(null), json!("0.01")],
        ]
    );
    let second_close = command::run(&stage.data_dir, &["invoice", "close"]);
    assert!(
        second_close.status.success()
            && String::from_utf8_lossy(&second_close.stderr).contains("No invoice was issued"),
        "{second_close:?}"
    );

    assert_invoice_equals_preview(&stage, &january);
    assert_invoice_is_paid_once(&stage);

    stage.json(&[
        "invoice",
        "void",
        "acme-2",
        "--reason",
        "another address",
        "--yes",
    ]);
    stage.json(&["invoice", "close"]);
    assert_eq!(
        stage.list()[1..],
        [
            [json!(2), json!("void"), json!(null), json!("0.01")],
            [json!(3), json!("open"), json!(2), json!("0.01")],
        ]
    );
    assert_eq!(
        stage.json(&["invoice", "write-off", "acme-3", "--yes"])["state"],
        "uncollectible"
    );
}

#[test]
fn excess_credit_is_carried_forward() {
    let stage = AccountFixture::new();
    stage.json(&["client", "credit", "acme", "1.00", "--reason", "an outage"]);
    stage.json(&[
        "invoice",
        "adjust",
        "--client",
        "acme",
        "-0.50",
        "--reason",
        "counted twice",
    ]);
    let waiting = stage.json(&["invoice", "adjustments", "--client", "acme"]);
    let amounts: Vec<_> = waiting
        .as_array()
        .unwrap()
        .iter()
        .map(|adjustment| adjustment["amount"]["formatted"].clone())
        .collect();
    assert_eq!(amounts, ["-1.00", "-0.50"]);
    stage.json(&["invoice", "close"]);
    let second = stage.json(&["invoice", "show", "acme-2"]);
    assert_eq!(
        (
            &second["carried_forward"]["formatted"],
            &second["total"]["formatted"]
        ),
        (&json!("-1.49"), &json!("-1.48"))
    );
    assert_eq!(
        (&second["due"]["formatted"], &second["adjustments"]),
        (&json!("0.00"), &json!([]))
    );

    let client = stage.json(&["client", "close", "acme", "--yes"]);
    assert_eq!(
        (&client["status"], &client["invoices"]),
        (&json!("closed"), &json!([])),
        "nothing was left to invoice"
    );
    assert_eq!(stage.json(&["client", "close", "acme", "--yes"]), client);
    let credit = ["client", "credit", "acme", "1", "--reason", "x"];
    assert_rejected(
        &command::run(&stage.data_dir, &credit),
        2,
        &["closed", "void"],
    );
    let cap = ["client", "cap", "acme", "5"];
    assert_rejected(&command::run(&stage.data_dir, &cap), 2, &["closed"]);
}

#[test]
fn closed_client_gets_a_final_invoice_and_no_answers() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");
    let address = format!("0x{}", "1".repeat(40));
    for _ in 0..3 {
        assert_eq!(server.look_up(&account, &address).status, 200);
    }
    let client = command::json(server.data_dir(), &["client", "close", "acme", "--yes"]);
    assert_eq!(
        (&client["status"], &client["invoices"][0]["number"]),
        (&json!("closed"), &json!(1))
    );
    assert_eq!(server.look_up(&account, &address).status, 403);
    let invoice = command::json(server.data_dir(), &["invoice", "show", "acme-1"]);
    assert_eq!(
        (&invoice["billable"], &invoice["last_seq"]),
        (&json!(3), &json!(4)),
        "three lookups and the end of the period"
    );
}

#[test]
fn readable_invoice_lists_lines_and_totals() {
    let stage = AccountFixture::new();
    stage.json(&["client", "credit", "acme", "1.00", "--reason", "an outage"]);
    let preview = command::run(
        &stage.data_dir,
        &[
            "invoice", "preview", "--client", "acme", "--period", "2026-01",
        ],
    );
    let preview = String::from_utf8(preview.stdout).unwrap();
    let table = [
        "WHAT                                 LOOKUPS  UNIT PRICE  AMOUNT IN USD",
        "Lookups within the free allowance      1,000        free           0.00",
        "Paid lookups 1 to 3 (tier 1)               3       0.002           0.01",
        "Credit: an outage                                                 -1.00",
        "Total                                                             -0.99",
        "Carried forward to the next invoice                               -0.99",
        "Amount due in USD                                                  0.00",
    ];
    assert!(preview.contains(&table.join("\n")), "{preview}");
    for word in [
        "DRAFT",
        "2026-01-01 to 2026-01-31 (UTC)",
        "an example",
        "voight audit verify-export",
    ] {
        assert!(preview.contains(word), "{word}: {preview}");
    }
}
