//! Verifies raw evidence, its summaries and its indexes.

use super::key::time;
use super::record::{StoredRecord, VerifyRecord, ensure_key, require};
use super::{corrupt, ensure};
use crate::read_records::ReadRecords;
use crate::record::{EvidenceByExpiry, EvidenceSummary, EvidenceTotal, UnjudgedCheck};
use crate::table::{self, KeyRange, tail};
use std::ops::ControlFlow;
use voight_domain::check::{EvidenceBatch, EvidenceShare};
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::CheckId;
use voight_engine::{Order, Read};

impl VerifyRecord for EvidenceSummary {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let check = check(record.key)?;
        ensure_key(record.key, &table::evidence_head(check))?;
        require(record.view, &table::by_expiry(self.keep_until, check))?;
        require(record.view, &table::evidence_total())?;
        let waits = record
            .view
            .holds(&table::unsettled(self.opened_at, check))?;
        ensure(waits != self.judged, "it is settled and waits, or neither")?;
        let mut bytes = 0;
        let mut share = None;
        record
            .view
            .scan(&table::evidence_of(check), Order::Ascending, |_, batch| {
                bytes += batch.body.len() as u64;
                share.get_or_insert_with(|| EvidenceShare::from_first_batch(&batch));
                ControlFlow::Continue(())
            })?;
        ensure(
            share.is_none_or(|share| self.share == share),
            "its evidence counts for another share than it says",
        )?;
        ensure(
            bytes == self.bytes,
            "its batches have more or fewer bytes than it says",
        )
    }
}

impl VerifyRecord for EvidenceBatch {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let check = self.challenge.check;
        ensure_key(record.key, &table::evidence(check, self.number))?;
        require(record.view, &table::evidence_head(check)).map(drop)
    }
}

impl VerifyRecord for EvidenceByExpiry {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let head = require(record.view, &table::evidence_head(check(record.key)?))?;
        ensure(
            head.keep_until == time(record.key, 1)?,
            "its check's evidence is kept until another time",
        )
    }
}

impl VerifyRecord for UnjudgedCheck {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let head = require(record.view, &table::evidence_head(check(record.key)?))?;
        ensure(
            head.opened_at == time(record.key, 1)?,
            "its check was opened at another time",
        )?;
        ensure(!head.judged, "its check is settled")
    }
}

impl VerifyRecord for EvidenceTotal {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let mut bytes = 0_u64;
        record.view.scan(
            &KeyRange::<EvidenceSummary>::all(),
            Order::Ascending,
            |_, head| {
                bytes = bytes.saturating_add(head.bytes);
                ControlFlow::Continue(())
            },
        )?;
        ensure(
            bytes == self.0,
            "there are more or fewer bytes of evidence than it says",
        )
    }
}

fn check(key: &[u8]) -> Result<CheckId, StoreError> {
    tail(key)
        .map(CheckId::from_bytes)
        .ok_or_else(|| corrupt("its key is too short"))
}
