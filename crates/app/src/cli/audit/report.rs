//! Report of a verified ledger export, as text and JSON.

use crate::output::Table;
use serde::Serialize;
use voight_domain::ledger_audit::{KeySource, VerifiedExport};

/// Result of verifying one ledger.
#[derive(Debug, Serialize)]
pub(super) struct LedgerReport {
    client_id: String,
    name: String,
    environment: &'static str,
    exported_at: String,
    rows: u64,
    head: String,
    lookups: u64,
    free: u64,
    charged: u64,
    openings: u64,
    periods: Vec<PeriodLine>,
    /// Number of invoices, void ones included.
    invoices: u32,
    /// Number of void invoices.
    void: u32,
    heads: usize,
    /// `true` when the caller supplied the public keys; `false` when they are from the export itself.
    keys_given: bool,
}

#[derive(Debug, Serialize)]
struct PeriodLine {
    start: String,
    end: String,
    billable: u64,
    charged: u64,
    /// Number of the period's invoice; `None` while it is not invoiced.
    invoice: Option<u32>,
}

impl LedgerReport {
    /// Returns the number of rows of the ledger.
    pub(super) const fn rows(&self) -> u64 {
        self.rows
    }
}

impl From<VerifiedExport> for LedgerReport {
    fn from(export: VerifiedExport) -> Self {
        let VerifiedExport {
            header,
            lookups,
            free,
            periods,
            invoices,
            void,
            openings,
            saved_heads: kept,
            keys,
            uninvoiced: _,
        } = export;
        let periods = periods.iter().map(|end| PeriodLine {
            start: end.period.start.to_string(),
            end: end.period.end.to_string(),
            billable: end.billable,
            charged: end.charged,
            invoice: end.invoice,
        });
        Self {
            client_id: header.client.to_string(),
            name: header.name,
            environment: header.environment.label(),
            exported_at: header.exported_at.to_string(),
            rows: header.seq,
            head: header.head.to_string(),
            lookups,
            free,
            charged: lookups - free,
            openings,
            periods: periods.collect(),
            invoices,
            void,
            heads: kept,
            keys_given: keys == KeySource::Customer,
        }
    }
}

/// Formats the ledgers as a table with one line for each.
pub(super) fn table(ledgers: &[LedgerReport]) -> Table {
    let mut table = Table::new([
        "CLIENT",
        "LEDGER",
        "ROWS",
        "LOOKUPS",
        "FREE",
        "CHARGED",
        "PERIODS CLOSED",
        "INVOICES",
        "HEAD",
    ]);
    for ledger in ledgers {
        let periods = ledger.periods.len() as u64;
        let counts = [
            ledger.rows,
            ledger.lookups,
            ledger.free,
            ledger.charged,
            periods,
            ledger.invoices.into(),
        ]
        .map(|count| count.to_string());
        let head = ledger.head.chars().take(16).collect();
        let names = [ledger.name.clone(), ledger.environment.to_owned()];
        table.row(names.into_iter().chain(counts).chain([head]));
    }
    table
}

/// Formats all results of one ledger.
pub(super) fn record(ledger: &LedgerReport) -> String {
    let mut table = Table::default();
    table.row(["client", &format!("{} ({})", ledger.name, ledger.client_id)]);
    table.row(["ledger", ledger.environment]);
    table.row(["exported", &ledger.exported_at]);
    table.row([
        "rows",
        &format!(
            "{}: no gaps, in order of time, hash chain valid",
            ledger.rows
        ),
    ]);
    table.row(["head", &format!("{}, signed", ledger.head)]);
    table.row([
        "lookups",
        &format!(
            "{}: {} free, {} charged",
            ledger.lookups, ledger.free, ledger.charged
        ),
    ]);
    table.row([
        "openings",
        &format!("{} of them have a valid opening", ledger.openings),
    ]);
    for period in &ledger.periods {
        let PeriodLine {
            start,
            end,
            billable,
            charged,
            invoice,
        } = period;
        let invoice = invoice.map_or_else(
            || "not yet invoiced".to_owned(),
            |number| format!("on invoice {number}"),
        );
        table.row([
            "period",
            &format!("{start} to {end}: {billable} billable, {charged} charged, {invoice}"),
        ]);
    }
    table.row(["invoices", &invoices(ledger)]);
    table.row(["your heads", &saved_heads_text(ledger.heads)]);
    table.row([
        "keys",
        if ledger.keys_given {
            "those that you gave"
        } else {
            FROM_THE_FILE
        },
    ]);
    table.to_string()
}

const FROM_THE_FILE: &str = "those in the export; give the service's own with --keys, from /.well-known/voight-keys.json, against a forgery";

fn invoices(ledger: &LedgerReport) -> String {
    match (ledger.invoices, ledger.void) {
        (0, _) => "none".to_owned(),
        (all, void) => {
            format!(
                "{all}, {void} of them void: no gaps, amounts equal to the rows and price books"
            )
        }
    }
}

fn saved_heads_text(heads: usize) -> String {
    match heads {
        0 => "none; only saved heads prove that the chain was not replaced (--saved-heads)"
            .to_owned(),
        heads => format!("{heads}, and all are in the chain"),
    }
}
