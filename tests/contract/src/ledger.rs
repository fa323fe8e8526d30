//! Invariants of every ledger.

use voight_domain::metering::{ChainHead, LedgerId, LookupRow, MeterState, RowKind};
use voight_domain::ports::LedgerEntry;

/// Checks that row numbers have no gaps and times never decrease. Numbers start at 1, and no two period-end rows are
/// adjacent.
#[track_caller]
pub(crate) fn assert_gapless(entries: &[LedgerEntry]) {
    for (seq, entry) in (1..).zip(entries) {
        assert_eq!(entry.row.seq, seq, "the sequence numbers have a gap");
    }
    assert!(
        entries.is_sorted_by_key(|entry| entry.row.at),
        "the timestamps decrease"
    );
    let is_marker = |entry: &LedgerEntry| matches!(entry.row.kind, RowKind::PeriodEnd(_));
    let empty = entries.windows(2).any(|pair| pair.iter().all(is_marker));
    assert!(!empty, "a period without a lookup has an end marker");
}

/// Checks that the meter's head is the hash chain over all rows.
#[track_caller]
pub(crate) fn assert_chained(meter: &MeterState, entries: &[LedgerEntry], ledger: LedgerId) {
    assert_eq!(
        meter.seq,
        entries.len() as u64,
        "the meter and the number of rows differ"
    );
    assert_eq!(
        meter.head,
        chain(entries, ledger),
        "the head differs from the chain over the rows"
    );
}

/// Returns the hash chain over these rows.
pub(crate) fn chain(entries: &[LedgerEntry], ledger: LedgerId) -> ChainHead {
    let genesis = ChainHead::genesis(ledger);
    entries
        .iter()
        .fold(genesis, |head, entry| head.extend(&entry.row.to_bytes()))
}

/// Checks that every lookup's commitment can be opened, except for the oldest ones. Period-end rows have no opening.
#[track_caller]
pub(crate) fn assert_openings(entries: &[LedgerEntry]) {
    for entry in entries.iter().skip_while(|entry| entry.opening.is_none()) {
        let is_lookup = matches!(entry.row.kind, RowKind::Lookup(_));
        assert_eq!(
            entry.opening.is_some(),
            is_lookup,
            "the opening of row {} does not match it",
            entry.row.seq
        );
    }
}

/// Returns the lookups among the rows.
pub(crate) fn lookups(entries: &[LedgerEntry]) -> Vec<LookupRow> {
    let lookup = |entry: &LedgerEntry| match entry.row.kind {
        RowKind::Lookup(lookup) => Some(lookup),
        RowKind::PeriodEnd(_) => None,
    };
    entries.iter().filter_map(lookup).collect()
}
