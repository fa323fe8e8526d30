//! The audit log: gapless, chained, and ending where its head says.

use super::check::{number, require};
use super::{corrupt, ensure};
use crate::Read;
use crate::table;
use voight_domain::metering::ChainHead;
use voight_domain::ports::StoreError;
use voight_domain::registry::{AuditAction, AuditEntry, AuditHead};

/// The first format whose audit log is chained.
const FIRST_CHAINED_FORMAT: u32 = 3;

/// The audit log as far as a walk has come.
#[derive(Debug)]
pub(super) struct AuditLogState {
    /// The last entry's number.
    seq: u64,
    /// The head after it; `None` behind a damaged entry, where it cannot be known.
    head: Option<ChainHead>,
}

impl Default for AuditLogState {
    fn default() -> Self {
        let AuditHead { seq, head } = AuditHead::genesis();
        Self { seq, head: Some(head) }
    }
}

impl AuditLogState {
    /// Goes on behind a damaged entry, or one that does not fit.
    pub(super) fn after_damage(&mut self, key: &[u8]) {
        *self = Self { seq: number(key).unwrap_or(self.seq), head: None };
    }

    pub(super) fn entry(&mut self, view: &impl Read, key: &[u8], entry: &AuditEntry) -> Result<(), StoreError> {
        let seq = number(key)?;
        ensure(self.seq.checked_add(1) == Some(seq), "one or more before it are missing")?;
        if seq == 1 && is_chained(view)? {
            require(view, &table::audit_head())?;
        }
        if entry.action == AuditAction::SigningKeyRotated {
            require(view, &table::signing_key())?;
        }
        if entry.action == AuditAction::AdminTokenCreated {
            // A token is never removed, so its record must be there.
            let id = entry.subject.parse().map_err(|_| corrupt("its subject is no id of an admin token"))?;
            require(view, &table::admin_token(id))?;
        }
        let head = self.head.map(|head| AuditHead { seq: self.seq, head }.extended_by(entry).head);
        *self = Self { seq, head };
        Ok(())
    }

    /// Passes if the log ends there. The key of its end comes right behind those of the entries.
    pub(super) fn end(&self, view: &impl Read, end: &AuditHead) -> Result<(), StoreError> {
        if !is_chained(view)? {
            return Ok(());
        }
        ensure(end.seq == self.seq, "the audit log ends before or after where it says")?;
        ensure(
            self.head.is_none_or(|head| head == end.head),
            "the audit log's chain does not end in the head that it says",
        )
    }
}

/// Whether the store has come to a format with a chain over the log.
fn is_chained(view: &impl Read) -> Result<bool, StoreError> {
    let identity = crate::typed::ReadRecords::fetch(view, &table::identity())?;
    Ok(identity.ok_or_else(|| corrupt("the identity of its store is missing"))?.format() >= FIRST_CHAINED_FORMAT)
}
