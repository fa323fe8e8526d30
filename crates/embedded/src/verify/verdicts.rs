//! Verifies verdicts and their timelines.

use super::key::bytes;
use super::record::{StoredRecord, VerifyRecord, ensure_key, parse_context_key, require};
use super::{corrupt, ensure};
use crate::read_records::ReadRecords;
use crate::table::{self, tail};
use voight_domain::ports::StoreError;
use voight_domain::verdict::{Event, EventKind, Verdict};
use voight_domain::vocabulary::EoaAddress;
use voight_engine::{Order, Read};

impl VerifyRecord for Verdict {
    /// Checks that a verdict has an event: both are written together.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let context_key = parse_context_key(record.view, record.key)?;
        let address = tail(record.key)
            .map(EoaAddress::from_bytes)
            .ok_or_else(|| corrupt("its key is too short"))?;
        ensure_key(record.key, &table::verdict(context_key, &address))?;
        let first = record.view.collect(
            &table::timeline(context_key, &address),
            Order::Ascending,
            1,
            |_, _| (),
        )?;
        ensure(!first.is_empty(), "its timeline is missing")
    }
}

impl VerifyRecord for Event {
    /// Checks that an event that changed a verdict has one: both are written together.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let context_key = parse_context_key(record.view, record.key)?;
        let address = EoaAddress::from_bytes(bytes(record.key, 9)?);
        let number = u64::from_be_bytes(bytes(record.key, 29)?);
        ensure_key(record.key, &table::event(context_key, &address, number))?;
        let has_verdict = match &self.kind {
            EventKind::Judged { observation, .. } => observation.is_some(),
            EventKind::Rejected { .. } => false,
            EventKind::ClusterLimitExceeded { limit, .. } => limit.flagged,
            EventKind::Overridden { .. }
            | EventKind::LayerChanged { .. }
            | EventKind::Replayed { .. } => true,
        };
        if has_verdict {
            require(record.view, &table::verdict(context_key, &address))?;
        }
        // Last, because it changes the state: after a failed read of the at.view the record is verified again.
        record.state.counts_up(record.key)
    }
}
