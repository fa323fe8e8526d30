//! Changes of an endpoint by its client or an operator.

use super::{EndpointRecord, EndpointState, FilterChange, ReplayError};
use crate::events::EventFeed;
use crate::registry::AuditEntry;
use crate::vocabulary::Timestamp;

/// Change of an endpoint by its client or an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndpointChange {
    /// Replaces the URL.
    Url(String),
    /// Changes the filter.
    Filter(FilterChange),
    /// Replaces the key. For [`ROTATION_OVERLAP`](super::ROTATION_OVERLAP) requests also have a signature by the former
    /// key.
    Rotate,
    /// Pauses an active endpoint.
    Pause,
    /// Activates a paused or disabled endpoint.
    Resume,
    /// Sends one event again.
    ReplayEvent(u64),
    /// Sends all events from this number on again.
    ReplayFrom(u64),
}

/// Change of an endpoint with its audit entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedChange {
    /// The change.
    pub change: EndpointChange,
    /// The entry, which is appended to the audit log if the change changes something.
    pub audit: AuditEntry,
}

/// Result of changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointChangeStep {
    /// The new record.
    pub record: EndpointRecord,
    /// The entries of the changes that changed something, in order.
    pub audit: Vec<AuditEntry>,
}

impl EndpointRecord {
    /// Applies changes in order at `now`, all or none.
    ///
    /// A change that the state already has, or excludes, changes nothing, and its entry is dropped.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] if too many events are pending for the replay of another one.
    pub fn with_changes(
        self,
        changes: Vec<AuditedChange>,
        feed: EventFeed,
        now: Timestamp,
    ) -> Result<EndpointChangeStep, ReplayError> {
        let mut record = self;
        let mut entries = Vec::new();
        for AuditedChange { change, audit } in changes {
            let changed_record = record.clone().with_change(change, now)?;
            if changed_record != record {
                record = changed_record.schedule(feed.last, now);
                entries.push(audit);
            }
        }
        Ok(EndpointChangeStep {
            record,
            audit: entries,
        })
    }

    /// Returns the record after one change, with the former time of its next claim.
    fn with_change(mut self, change: EndpointChange, now: Timestamp) -> Result<Self, ReplayError> {
        let endpoint = &mut self.endpoint;
        match change {
            EndpointChange::Url(url) => endpoint.url = url,
            EndpointChange::Filter(change) => {
                endpoint.filter = std::mem::take(&mut endpoint.filter).with_change(change);
            }
            EndpointChange::Rotate => {
                endpoint.generation = endpoint.generation.saturating_add(1);
                endpoint.rotated_at = Some(now);
            }
            EndpointChange::Pause if endpoint.is_active() => endpoint.state = EndpointState::Paused,
            EndpointChange::Resume if !endpoint.is_active() => {
                endpoint.state = EndpointState::Active;
                self.delivery = self.delivery.resume();
            }
            EndpointChange::Pause | EndpointChange::Resume => {}
            EndpointChange::ReplayEvent(event) => {
                self.delivery = self.delivery.replay_event(event, now)?;
            }
            EndpointChange::ReplayFrom(first) => {
                self.delivery = self.delivery.replay_from(first);
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhooks::{EndpointCreation, MAX_PENDING, testing};
    use std::time::Duration;

    fn now() -> Timestamp {
        Timestamp::from_millis(1_795_000_000_000)
    }

    fn feed() -> EventFeed {
        EventFeed {
            last: 2_000,
            ..EventFeed::default()
        }
    }

    fn record() -> EndpointRecord {
        let endpoint = testing::endpoint(now());
        match EndpointRecord::creation(endpoint, None, 0, feed()) {
            EndpointCreation::Created(record) => record,
            creation => panic!("{creation:?}"),
        }
    }

    fn change(
        record: EndpointRecord,
        changes: &[EndpointChange],
    ) -> Result<EndpointChangeStep, ReplayError> {
        let audited_changes = changes
            .iter()
            .enumerate()
            .map(|(index, change)| testing::audited(change.clone(), &index.to_string()));
        let later = now().saturating_add(Duration::from_secs(1));
        record.with_changes(audited_changes.collect(), feed(), later)
    }

    #[test]
    fn change_that_changes_nothing_is_not_audited() {
        use EndpointChange::{Pause, ReplayEvent, ReplayFrom, Resume, Rotate, Url};
        let rows: [(&[EndpointChange], &[&str]); 6] = [
            (&[], &[]),
            (&[Resume, Pause, Pause, Resume], &["1", "3"]),
            (&[Url(record().endpoint.url), Rotate, Rotate], &["1", "2"]),
            (&[ReplayFrom(2_001), ReplayEvent(2_001)], &[]),
            (&[ReplayFrom(1), ReplayFrom(1)], &["0"]),
            (&[ReplayEvent(1), ReplayEvent(2)], &["0", "1"]),
        ];
        for (changes, expected_details) in rows {
            let step = change(record(), changes).unwrap();
            let details: Vec<_> = step
                .audit
                .iter()
                .map(|entry| entry.detail.as_str())
                .collect();
            assert_eq!(details, expected_details, "{changes:?}");
        }
    }

    #[test]
    fn unchanged_record_keeps_its_due_time() {
        let due_record = record().after_event(now()).unwrap();
        let step = change(due_record.clone(), &[EndpointChange::Resume]).unwrap();
        assert_eq!(step.record, due_record);
    }

    #[test]
    fn rejected_replay_rejects_all_changes() {
        let replays = (0..MAX_PENDING as u64).map(EndpointChange::ReplayEvent);
        let full_record = change(record(), &replays.collect::<Vec<_>>())
            .unwrap()
            .record;
        let changes = [EndpointChange::Pause, EndpointChange::ReplayEvent(1_500)];
        let outcome = change(full_record, &changes);
        assert_eq!(outcome, Err(ReplayError::TooManyPending));
    }
}
