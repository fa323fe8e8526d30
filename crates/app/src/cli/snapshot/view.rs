//! Snapshots as text.

use crate::output::{Table, minute, optional};
use voight_api::public::{AmountUnit, PauseReason, Snapshot, SnapshotState, UploadSummary};

/// Returns a table of snapshots.
pub(super) fn list(snapshots: &[Snapshot]) -> Table {
    let mut table = Table::new([
        "SNAPSHOT",
        "CONTEXT",
        "STATE",
        "ADDRESSES",
        "LOOKED UP",
        "CREATED",
    ])
    .with_numbers([3, 4]);
    for snapshot in snapshots {
        table.row([
            snapshot.id.clone(),
            snapshot.context_id.clone(),
            state(snapshot).to_owned(),
            snapshot.addresses.to_string(),
            snapshot.units.to_string(),
            minute(&snapshot.created_at),
        ]);
    }
    table
}

/// Returns a table of the properties of a snapshot.
pub(super) fn one(snapshot: &Snapshot) -> Table {
    let mut table = Table::new(["SNAPSHOT", &snapshot.id]);
    for (name, value) in [
        ("context", snapshot.context_id.clone()),
        ("state", state(snapshot).to_owned()),
        ("resumes", time(snapshot.resumes_at.as_deref())),
        ("addresses", snapshot.addresses.to_string()),
        ("looked up", snapshot.units.to_string()),
        ("changed since the draft", snapshot.changed.to_string()),
        ("reward", optional(snapshot.amount.as_deref())),
        ("created", minute(&snapshot.created_at)),
        ("draft since", time(snapshot.drafted_at.as_deref())),
        ("final since", time(snapshot.finalized_at.as_deref())),
        ("expires", minute(&snapshot.expires_at)),
    ] {
        table.row([name.to_owned(), value]);
    }
    table
}

/// Returns a table of how a file is read, and of what is looked up.
pub(super) fn summary(summary: &UploadSummary) -> Table {
    let unit = summary.unit.map_or("-", |unit| match unit {
        AmountUnit::Base => "base units",
        AmountUnit::Tokens => "tokens",
    });
    let ignored_columns = summary.ignored_columns.join(", ");
    let mut table = Table::new(["ADDRESSES", &summary.addresses.to_string()]);
    for (name, value) in [
        ("duplicates", summary.duplicates.to_string()),
        ("without an amount", summary.without_amount.to_string()),
        (
            "sum in base units",
            optional(summary.sum_base_units.as_deref()),
        ),
        (
            "sum in tokens",
            summary
                .sum_tokens
                .clone()
                .unwrap_or_else(|| "unknown without --decimals".to_owned()),
        ),
        ("column of the addresses", summary.address_column.clone()),
        (
            "column of the amounts",
            optional(summary.amount_column.as_deref()),
        ),
        ("unit in the file", unit.to_owned()),
        (
            "ignored columns",
            optional(Some(ignored_columns.as_str()).filter(|names| !names.is_empty())),
        ),
        (
            "ignored lines",
            if summary.empty_lines == 0 {
                "none".to_owned()
            } else {
                format!("{} empty", summary.empty_lines)
            },
        ),
    ] {
        table.row([name.to_owned(), value]);
    }
    table
}

/// Returns a time as a cell; `-` without one.
fn time(time: Option<&str>) -> String {
    optional(time.map(minute).as_deref())
}

fn state(snapshot: &Snapshot) -> &'static str {
    match (snapshot.pause, snapshot.state) {
        (Some(PauseReason::KeyRefused), _) => {
            "paused: the API key is revoked, has expired or lacks the scope"
        }
        (Some(PauseReason::ClientSuspended), _) => "paused: the client is suspended or closed",
        (Some(PauseReason::ContextRefused), _) => "paused: the key may not use the context",
        (Some(PauseReason::CapReached), _) => "paused: a cap is reached",
        (None, SnapshotState::Uploading) => "uploading",
        (None, SnapshotState::Running) => "running",
        (None, SnapshotState::Draft) => "draft",
        (None, SnapshotState::Finalizing) => "finalizing",
        (None, SnapshotState::Final) => "final",
    }
}
