//! Clock acknowledgement: recorded times, and an operator's acceptance of a rejected clock.

use super::read_all::{PAGE, read_clients};
use super::{OperatorService, ServiceError};
use crate::clock_guard::{AcknowledgedTime, ClockError, RecordedTime, is_behind};
use crate::metering::LedgerId;
use crate::ports::StoreError;
use crate::registry::{AuditAction, AuditEntry};
use crate::vocabulary::{Environment, Timestamp, check_text};

impl OperatorService {
    /// Returns the recorded times. Reads the meter of every ledger; and the audit log, if the clock is behind the last
    /// row.
    pub async fn recorded_time(&self) -> Result<RecordedTime, StoreError> {
        let last_row = self.last_row().await?;
        let acknowledgement = if is_behind(self.clock.now(), last_row) {
            self.accepted_time(last_row).await?
        } else {
            None
        };
        Ok(RecordedTime {
            last_row,
            accepted: acknowledgement,
        })
    }

    /// Writes to the audit log that an operator acknowledged a rejected clock.
    ///
    /// The subject of the entry is [`AcknowledgedTime::ignore_until`].
    pub async fn acknowledge_clock(
        &self,
        doubt: ClockError,
        accepted: AcknowledgedTime,
        reason: Option<String>,
    ) -> Result<(), ServiceError> {
        let detail = match reason {
            Some(reason) if reason.trim().is_empty() => {
                let message =
                    "the reason is empty; write why the clock is right, or give no reason at all";
                return Err(ServiceError::Invalid(message.into()));
            }
            Some(reason) => {
                check_text(&reason)
                    .map_err(|error| ServiceError::Invalid(format!("in the reason, {error}")))?;
                format!("{doubt}: {reason}")
            }
            None => doubt.to_string(),
        };
        let entry = self.audit(
            AuditAction::ClockAcknowledged,
            &accepted.ignore_until,
            detail,
        );
        Ok(self
            .store
            .append_audit(AuditEntry {
                at: accepted.at,
                ..entry
            })
            .await?)
    }

    /// Returns the date of the latest row of all ledgers.
    async fn last_row(&self) -> Result<Timestamp, StoreError> {
        let mut last = Timestamp::default();
        for client in read_clients(self.store.as_ref()).await? {
            for environment in [Environment::Live, Environment::Sandbox] {
                let meter = self
                    .store
                    .meter(LedgerId {
                        client: client.id,
                        environment,
                    })
                    .await?;
                last = last.max(meter.map(|meter| meter.last_at).unwrap_or_default());
            }
        }
        Ok(last)
    }

    /// Returns the latest acknowledgement of an operator that covers a row of this date.
    async fn accepted_time(&self, row: Timestamp) -> Result<Option<AcknowledgedTime>, StoreError> {
        let mut acknowledgement = None;
        let mut cursor = 0;
        loop {
            let records = self.store.audit(cursor, PAGE).await?;
            let mut latest = records
                .iter()
                .rev()
                .filter_map(|record| acknowledged_in(&record.entry));
            acknowledgement = latest
                .find(|accepted_entry| row <= accepted_entry.ignore_until)
                .or(acknowledgement);
            cursor = records.last().map_or(cursor, |record| record.seq);
            if records.len() < PAGE {
                return Ok(acknowledgement);
            }
        }
    }
}

/// Returns the acknowledged time in this entry.
fn acknowledged_in(entry: &AuditEntry) -> Option<AcknowledgedTime> {
    let ignore_until =
        (entry.action == AuditAction::ClockAcknowledged).then(|| entry.subject.parse().ok())??;
    Some(AcknowledgedTime {
        at: entry.at,
        ignore_until,
    })
}
