//! Rows as comma-separated values (RFC 4180). No value needs quotation marks or can be a formula.

use super::{COLUMNS, text};
use std::io::{self, Write};
use voight_domain::snapshot::SnapshotRow;
use voight_domain::verdict::Answer;

/// Returns the header line.
pub(super) fn header() -> String {
    format!("{}\r\n", COLUMNS.join(","))
}

/// Writes a line. Missing values are empty.
pub(super) fn write_row(out: &mut dyn Write, row: &SnapshotRow) -> io::Result<()> {
    let SnapshotRow {
        address,
        answer,
        detail,
        ..
    } = row;
    write!(
        out,
        "{address},{},{},{},{},{},{},{},{}\r\n",
        text::status(detail.status),
        answer.is_bot,
        text::score(answer.score),
        detail.checks,
        detail
            .last_check_at
            .map(|at| at.to_string())
            .unwrap_or_default(),
        detail.layer.map(text::layer).unwrap_or_default(),
        detail.decided_by.map(text::decided_by).unwrap_or_default(),
        row.amount
            .map(|amount| amount.to_string())
            .unwrap_or_default(),
    )
}

/// Returns the header line of a file of changes.
pub(super) fn changes_header() -> &'static str {
    "address,draft_is_bot,draft_score,is_bot,score\r\n"
}

/// Writes a line of a file of changes. `draft` is the answer of the draft.
pub(super) fn write_change(
    out: &mut dyn Write,
    (row, draft): &(SnapshotRow, Answer),
) -> io::Result<()> {
    let address = row.address;
    let answer = row.answer;
    let draft_score = text::score(draft.score);
    let score = text::score(answer.score);
    write!(
        out,
        "{address},{},{draft_score},{},{score}\r\n",
        draft.is_bot, answer.is_bot
    )
}
