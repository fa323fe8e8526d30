//! Endpoint with the progress of its deliveries, as a store keeps it, and its steps.
//!
//! A store calls each step in its transaction: it reads the record, the state of the client's feed and the events that the
//! step needs, and writes the result. At most one claim of an endpoint is in progress at a time, whatever the number of
//! nodes.

use super::{
    ATTEMPT_LEASE, DeliveryLog, DeliveryRecord, DeliveryReport, DeliveryState, DisabledReason,
    DueAttempt, Endpoint, EndpointReport, EndpointState, FeedPage, MAX_ENDPOINTS, MAX_WAIT,
    after_attempt,
};
use crate::events::{ClientEvent, EventFeed, EventType, NewEvent};
use crate::vocabulary::Timestamp;
use std::ops::Range;

/// Endpoint with the progress of its deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointRecord {
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The progress of the deliveries.
    pub delivery: DeliveryState,
    /// The numbers of the records in the delivery log.
    pub log: DeliveryLog,
    /// The end of the lease of a claim in progress. After it, the endpoint can be claimed again.
    pub leased_until: Option<Timestamp>,
    /// The time of the next claim; `None` if nothing is to be sent. A store has an index by lane and time.
    pub due_at: Option<Timestamp>,
}

/// Lane of deliveries: failing endpoints never use the capacity that is reserved for healthy ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeliveryLane {
    /// Endpoints whose last attempt succeeded, and new ones.
    Healthy,
    /// Endpoints whose last attempt failed.
    Failing,
}

/// Result of the creation of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndpointCreation {
    /// The endpoint was created.
    Created(EndpointRecord),
    /// The call was repeated: an endpoint with this id exists.
    Existing(EndpointRecord),
    /// The client has [`MAX_ENDPOINTS`].
    LimitReached,
}

/// Claimed attempts of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointClaim {
    /// The new record.
    pub record: EndpointRecord,
    /// The attempts to make.
    pub attempts: Vec<DueAttempt>,
    /// Number of events that the retention deleted before the endpoint reached them, also of those that its filter does not
    /// accept.
    pub given_up: u64,
}

/// Outcomes of claimed attempts, or of a test.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeliveryConclusion {
    /// The end of the lease of the claim; `None` for a test. A conclusion ends no other claim than its own.
    pub lease: Option<Timestamp>,
    /// Attempts with an outcome, each with a uniformly distributed number for the jitter of its retry.
    pub attempts: Vec<ConcludedAttempt>,
    /// Attempts that were not made, because the service had no capacity for them.
    pub postponed: Vec<DueAttempt>,
}

/// Attempt with its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConcludedAttempt {
    /// The record for the log.
    pub record: DeliveryRecord,
    /// A uniformly distributed number.
    pub random: u32,
}

/// Result of concluded attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConclusionStep {
    /// The new record.
    pub record: EndpointRecord,
    /// The result for each event, in the order of the attempts; none for a test.
    pub reports: Vec<DeliveryReport>,
    /// Events of the endpoint, to append to the client's feed.
    pub events: Vec<NewEvent>,
    /// New records of the delivery log, with their numbers.
    pub new_records: Vec<(u64, DeliveryRecord)>,
    /// Numbers of the records to delete from the delivery log, which has a limit.
    pub removed_records: Range<u64>,
}

impl EndpointRecord {
    /// Decides the creation of an endpoint of a client with this feed, that has `count` endpoints; `stored` is the record
    /// with the same id.
    ///
    /// The first event that is sent is the next one of the feed.
    pub fn creation(
        endpoint: Endpoint,
        stored: Option<Self>,
        count: usize,
        feed: EventFeed,
    ) -> EndpointCreation {
        match stored {
            Some(record) => EndpointCreation::Existing(record),
            None if count >= MAX_ENDPOINTS => EndpointCreation::LimitReached,
            None => EndpointCreation::Created(Self {
                endpoint,
                delivery: DeliveryState::new(feed.last + 1),
                log: DeliveryLog::default(),
                leased_until: None,
                due_at: None,
            }),
        }
    }

    /// Returns the record after an event was appended to the client's feed; `None` if nothing changes.
    pub fn after_event(&self, now: Timestamp) -> Option<Self> {
        let unread_due = self.delivery.unread_due(now);
        let is_later = self.due_at.is_none_or(|due_at| due_at > unread_due);
        let is_due = is_later
            && self.endpoint.is_active()
            && !self.is_leased(now)
            && self.delivery.has_capacity();
        is_due.then(|| Self {
            due_at: Some(unread_due),
            ..self.clone()
        })
    }

    /// Returns the lane of the deliveries.
    pub const fn lane(&self) -> DeliveryLane {
        match self.delivery.failure_run {
            None => DeliveryLane::Healthy,
            Some(_) => DeliveryLane::Failing,
        }
    }

    /// Claims at most `limit` attempts, and one of a failing endpoint; `None` if the endpoint is not active, or if a claim is
    /// in progress.
    ///
    /// `unread` are events of the client from [`DeliveryState::cursor`] on, `replayed` those from the beginning of
    /// [`DeliveryState::replay`] on, both in order.
    pub fn claim(
        mut self,
        feed: EventFeed,
        unread: &[ClientEvent],
        replayed: &[ClientEvent],
        limit: usize,
        now: Timestamp,
    ) -> Option<EndpointClaim> {
        if !self.endpoint.is_active() || self.is_leased(now) {
            return None;
        }
        let limit = match self.lane() {
            DeliveryLane::Healthy => limit,
            DeliveryLane::Failing => 1,
        };
        let (delivery, given_up) = self.delivery.forget_before(feed.purged + 1);
        let page = |events: &[ClientEvent]| {
            if delivery.unread_due(now) > now {
                FeedPage::default()
            } else {
                FeedPage::new(&self.endpoint, events)
            }
        };
        let [unread_page, replayed_page] = [page(unread), page(replayed)];
        let claim = delivery.claim(now, &unread_page, &replayed_page, limit);
        self.delivery = claim.state;
        self.leased_until = (!claim.attempts.is_empty()).then(|| now.saturating_add(ATTEMPT_LEASE));
        Some(EndpointClaim {
            record: self.schedule(feed.last, now),
            attempts: claim.attempts,
            given_up,
        })
    }

    /// Concludes attempts at `now`, and ends their claim unless another one has begun.
    pub fn conclude(
        mut self,
        conclusion: DeliveryConclusion,
        feed: EventFeed,
        now: Timestamp,
    ) -> ConclusionStep {
        let mut reports = Vec::new();
        let mut events = Vec::new();
        let mut new_records = Vec::new();
        for ConcludedAttempt { record, random } in conclusion.attempts {
            if let Some(attempt) = record.delivery_attempt() {
                let step = after_attempt(self.delivery, attempt, record.outcome, now, random);
                self.delivery = step.state;
                reports.push(step.delivery);
                events.extend(
                    step.endpoint
                        .and_then(|report| self.endpoint.report(report, now)),
                );
            }
            new_records.push((self.log.append(), record));
        }
        for attempt in conclusion.postponed {
            self.delivery = self.delivery.postpone(attempt, now);
        }
        if self.leased_until == conclusion.lease {
            self.leased_until = None;
        }
        let removed_records = self.log.limit();
        let newest = feed.last + events.len() as u64;
        ConclusionStep {
            record: self.schedule(newest, now),
            reports,
            events,
            new_records,
            removed_records,
        }
    }

    /// Returns `true` if a claim is in progress. A lease that ends later than a new one would is of a clock that was set back.
    fn is_leased(&self, now: Timestamp) -> bool {
        self.leased_until
            .is_some_and(|end| end > now && end <= now.saturating_add(ATTEMPT_LEASE))
    }

    /// Returns the record with the time of its next claim.
    pub(super) fn schedule(mut self, newest: u64, now: Timestamp) -> Self {
        self.due_at = match self.leased_until {
            _ if !self.endpoint.is_active() => None,
            Some(end) if self.is_leased(now) => Some(end),
            _ => self.delivery.next_due(now, newest),
        };
        self
    }
}

impl DeliveryLane {
    /// All lanes.
    pub const ALL: [Self; 2] = [Self::Healthy, Self::Failing];

    /// Returns the time before which, and the time after which an endpoint is due at `now`.
    ///
    /// No wait is as long as the second condition demands, so such a time is of a clock that was set back.
    pub fn due_bounds(now: Timestamp) -> [Timestamp; 2] {
        [now, now.saturating_add(MAX_WAIT)]
    }
}

impl Endpoint {
    /// Applies the result of an attempt, and returns the event of it; `None` if the endpoint is not active any more.
    fn report(&mut self, report: EndpointReport, now: Timestamp) -> Option<NewEvent> {
        if !self.is_active() {
            return None;
        }
        Some(match report {
            EndpointReport::Failing { .. } => self.event(EventType::EndpointFailing),
            EndpointReport::Disabled(reason) => {
                self.disable(reason, now);
                self.event(EventType::EndpointDisabled)
            }
        })
    }

    const fn disable(&mut self, reason: DisabledReason, at: Timestamp) {
        self.state = EndpointState::Disabled { reason, at };
    }
}

#[cfg(test)]
mod tests;
