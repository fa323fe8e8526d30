//! Verifies the audit log: no gaps, an intact hash chain, and an end that matches its head.

use super::record::{number, require};
use super::{corrupt, ensure};
use crate::Read;
use crate::table;
use voight_domain::metering::ChainHead;
use voight_domain::ports::StoreError;
use voight_domain::registry::{AuditAction, AuditEntry, AuditHead};

/// State of the verification of the audit log.
#[derive(Debug)]
pub(super) struct AuditLogState {
    /// Number of the last entry.
    seq: u64,
    /// Head after that entry; `None` after a damaged entry, where it is unknown.
    head: Option<ChainHead>,
}

impl Default for AuditLogState {
    fn default() -> Self {
        let AuditHead { seq, head } = AuditHead::genesis();
        Self { seq, head: Some(head) }
    }
}

impl AuditLogState {
    /// Continues after a damaged or inconsistent entry.
    pub(super) fn after_damage(&mut self, key: &[u8]) {
        *self = Self { seq: number(key).unwrap_or(self.seq), head: None };
    }

    pub(super) fn entry(&mut self, view: &impl Read, key: &[u8], entry: &AuditEntry) -> Result<(), StoreError> {
        let seq = number(key)?;
        ensure(self.seq.checked_add(1) == Some(seq), "one or more before it are missing")?;
        if seq == 1 {
            require(view, &table::audit_head())?;
        }
        if entry.action == AuditAction::SigningKeyRotated {
            require(view, &table::signing_key())?;
        }
        if entry.action == AuditAction::AdminTokenCreated {
            // Tokens are never removed, so the record must exist.
            let id = entry.subject.parse().map_err(|_| corrupt("its subject is no id of an admin token"))?;
            require(view, &table::admin_token(id))?;
        }
        let head = self.head.map(|head| AuditHead { seq: self.seq, head }.extended_by(entry).head);
        *self = Self { seq, head };
        Ok(())
    }

    /// Verifies the end of the log. The key of the head sorts directly after the entries.
    pub(super) fn end(&self, end: &AuditHead) -> Result<(), StoreError> {
        ensure(end.seq == self.seq, "the audit log ends before or after where it says")?;
        ensure(
            self.head.is_none_or(|head| head == end.head),
            "the audit log's chain does not end in the head that it says",
        )
    }
}
