//! Rows as newline-delimited JSON. No text needs an escape sequence.

use super::{COLUMNS, text};
use std::fmt::Display;
use std::io::{self, Write};
use voight_domain::snapshot::SnapshotRow;

/// Writes an object and a line feed. Missing values are `null`; an amount is a string, because it may exceed 2^53.
pub(super) fn write_row(out: &mut dyn Write, row: &SnapshotRow) -> io::Result<()> {
    let SnapshotRow {
        address,
        answer,
        detail,
        ..
    } = row;
    let values: [&dyn Display; COLUMNS.len()] = [
        &quoted(Some(address)),
        &quoted(Some(text::status(detail.status))),
        &answer.is_bot,
        &text::score(answer.score),
        &detail.checks,
        &quoted(detail.last_check_at),
        &quoted(detail.layer.map(text::layer)),
        &quoted(detail.decided_by.map(text::decided_by)),
        &quoted(row.amount),
    ];
    let mut separator = '{';
    for (name, value) in COLUMNS.into_iter().zip(values) {
        write!(out, "{separator}\"{name}\":{value}")?;
        separator = ',';
    }
    out.write_all(b"}\n")
}

fn quoted(value: Option<impl Display>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| format!("\"{value}\""))
}
