//! Record of completed backups in the audit log.

use super::OperatorService;
use crate::ports::StoreError;
use crate::registry::AuditAction;
use crate::vocabulary::Timestamp;

/// Maximum number of audit entries that are read at once.
const PAGE: u64 = 500;

/// Newest completed backup that the audit log names, up to one of its entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NewestBackup {
    /// Number of the last audit entry that was read.
    pub last_read: u64,
    /// Time at which the backup was complete; `None` if no entry names a backup.
    pub completed_at: Option<Timestamp>,
}

impl OperatorService {
    /// Writes the audit entry of a backup with this number of records, whose last byte was sent.
    pub async fn record_backup(&self, records: u64) -> Result<(), StoreError> {
        let identity = self.store.info().identity;
        let detail = format!("{records} records");
        let entry = self.audit(AuditAction::StoreBackedUp, &identity, detail);
        self.store.append_audit(entry).await
    }

    /// Returns the newest backup. Reads the audit entries after those of `known`, from the newest on until one names a backup.
    pub async fn newest_backup(&self, known: NewestBackup) -> Result<NewestBackup, StoreError> {
        let last_entry = self.store.audit_head().await?.seq;
        let mut end = last_entry;
        while end > known.last_read {
            let start = end.saturating_sub(PAGE).max(known.last_read);
            let limit = usize::try_from(end - start).unwrap_or(usize::MAX);
            let records = self.store.audit(start, limit).await?;
            let mut entries = records.iter().rev().map(|record| &record.entry);
            if let Some(entry) = entries.find(|entry| entry.action == AuditAction::StoreBackedUp) {
                return Ok(NewestBackup {
                    last_read: last_entry,
                    completed_at: Some(entry.at),
                });
            }
            end = start;
        }
        Ok(NewestBackup {
            last_read: last_entry,
            ..known
        })
    }
}
