//! Rows as comma-separated values (RFC 4180). No value needs quotation marks or can be a formula.

use super::{COLUMNS, text};
use std::io::{self, Write};
use voight_domain::snapshot::SnapshotRow;

/// Returns the header line.
pub(super) fn header() -> String {
    format!("{}\r\n", COLUMNS.join(","))
}

/// Writes a line. Missing values are empty.
pub(super) fn write_row(out: &mut dyn Write, row: &SnapshotRow) -> io::Result<()> {
    let SnapshotRow { address, answer, detail, .. } = row;
    write!(
        out,
        "{address},{},{},{},{},{},{},{},{},{},{}\r\n",
        text::status(detail.status),
        answer.is_bot,
        text::score(answer.score),
        detail.checks,
        detail.last_check_at.map(|at| at.to_string()).unwrap_or_default(),
        detail.layer.map(text::layer).unwrap_or_default(),
        detail.decided_by.map(text::decided_by).unwrap_or_default(),
        text::cluster(row).unwrap_or_default(),
        row.is_over_limit,
        row.amount.map(|amount| amount.to_string()).unwrap_or_default(),
    )
}
