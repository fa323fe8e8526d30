//! Verifies the audit log: no gaps, an intact hash chain, and an end that matches its head.

use super::key::number;
use super::record::{StoredRecord, VerifyRecord, require};
use super::state::AuditLogState;
use super::{corrupt, ensure};
use crate::table;
use voight_domain::ports::StoreError;
use voight_domain::registry::{AuditAction, AuditEntry, AuditHead};
use voight_engine::Read;

impl VerifyRecord for AuditEntry {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let log = &mut record.state.audit;
        let seq = number(record.key)?;
        ensure(
            log.seq.checked_add(1) == Some(seq),
            "one or more before it are missing",
        )?;
        if seq == 1 {
            require(record.view, &table::audit_head())?;
        }
        if self.action == AuditAction::SigningKeyRotated {
            require(record.view, &table::signing_key())?;
        }
        if self.action == AuditAction::AdminTokenCreated {
            // Tokens are never removed, so the record must exist.
            let id = self
                .subject
                .parse()
                .map_err(|_| corrupt("its subject is not an id of an admin token"))?;
            require(record.view, &table::admin_token(id))?;
        }
        if self.action == AuditAction::UserInvited {
            // The records of removed users remain, so the record must exist.
            let id = self
                .subject
                .parse()
                .map_err(|_| corrupt("its subject is not an id of a user"))?;
            require(record.view, &table::user(id))?;
        }
        let head = log
            .head
            .map(|head| AuditHead { seq: log.seq, head }.extended_by(self).head);
        *log = AuditLogState { seq, head };
        Ok(())
    }
}

impl VerifyRecord for AuditHead {
    /// Verifies the end of the log. The key of the head sorts directly after the entries.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let log = &record.state.audit;
        ensure(
            self.seq == log.seq,
            "the audit log ends before or after where it says",
        )?;
        ensure(
            log.head.is_none_or(|head| head == self.head),
            "the audit log's chain does not end in the head that it says",
        )
    }
}
