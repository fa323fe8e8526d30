//! Verifies raw evidence, its summaries and its indexes.

use super::record::{ensure_key, require, time};
use super::{corrupt, ensure};
use crate::read_records::ReadRecords;
use crate::record::{EvidenceSummary, EvidenceTotal};
use crate::table::{self, KeyRange, tail};
use crate::{Order, Read};
use std::ops::ControlFlow;
use voight_domain::check::{EvidenceBatch, EvidenceShare};
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::CheckId;

pub(super) fn head(view: &impl Read, key: &[u8], head: &EvidenceSummary) -> Result<(), StoreError> {
    let check = check(key)?;
    ensure_key(key, &table::evidence_head(check))?;
    require(view, &table::by_expiry(head.keep_until, check))?;
    require(view, &table::evidence_total())?;
    let waits = view.holds(&table::unsettled(head.opened_at, check))?;
    ensure(waits != head.judged, "it is settled and waits, or neither")?;
    let (mut bytes, mut share) = (0, None);
    view.scan(&table::evidence_of(check), Order::Ascending, |_, batch| {
        bytes += batch.body.len() as u64;
        share.get_or_insert_with(|| EvidenceShare::of(&batch));
        ControlFlow::Continue(())
    })?;
    ensure(share.is_none_or(|share| head.share == share), "its evidence counts for another share than it says")?;
    ensure(bytes == head.bytes, "its batches have more or fewer bytes than it says")
}

pub(super) fn batch(view: &impl Read, key: &[u8], batch: &EvidenceBatch) -> Result<(), StoreError> {
    let check = batch.challenge.check;
    ensure_key(key, &table::evidence(check, batch.number))?;
    require(view, &table::evidence_head(check)).map(drop)
}

pub(super) fn due(view: &impl Read, key: &[u8]) -> Result<(), StoreError> {
    let head = require(view, &table::evidence_head(check(key)?))?;
    ensure(head.keep_until == time(key, 1)?, "its check's evidence is kept until another time")
}

pub(super) fn unsettled(view: &impl Read, key: &[u8]) -> Result<(), StoreError> {
    let head = require(view, &table::evidence_head(check(key)?))?;
    ensure(head.opened_at == time(key, 1)?, "its check was opened at another time")?;
    ensure(!head.judged, "its check is settled")
}

pub(super) fn total(view: &impl Read, total: EvidenceTotal) -> Result<(), StoreError> {
    let mut bytes = 0_u64;
    view.scan(&KeyRange::<EvidenceSummary>::all(), Order::Ascending, |_, head| {
        bytes = bytes.saturating_add(head.bytes);
        ControlFlow::Continue(())
    })?;
    ensure(bytes == total.0, "there are more or fewer bytes of evidence than it says")
}

fn check(key: &[u8]) -> Result<CheckId, StoreError> {
    tail(key).map(CheckId::from_bytes).ok_or_else(|| corrupt("its key is too short"))
}
