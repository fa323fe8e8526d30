//! Webhook endpoints of a history.

use super::{DAY, HistoryState, unknown_client};
use crate::generate::answered;
use crate::histories::operation::Operation;
use std::time::Duration;
use voight_domain::events::EventType;
use voight_domain::vocabulary::{Environment, Timestamp};
use voight_domain::webhooks::{
    AttemptError, AttemptOutcome, EndpointChange, EndpointName, EventFilter, FilterChange,
};

impl HistoryState {
    /// Creates an endpoint, or calls one of the latest.
    pub(super) fn endpoint(&mut self, now: Timestamp) -> Operation {
        if self.endpoints.is_empty() || self.rng.chance(10) {
            return self.create_endpoint(now);
        }
        let name = self.some_endpoint();
        let limit = self.small_number(6);
        match self.rng.below(30) {
            0..16 => Operation::Deliver(name, limit, self.outcomes()),
            16..19 => Operation::ClaimDeliveries(name, limit),
            19..26 => Operation::ChangeEndpoint(name, self.endpoint_changes()),
            26..28 => {
                let before = self.rng.chance(50).then(|| self.rng.below(20));
                Operation::Deliveries(name, before, limit)
            }
            28 => {
                let age = Duration::from_secs(self.rng.below(5 * DAY));
                let before = now.saturating_sub(age);
                if self.rng.chance(50) {
                    Operation::PurgeDeliveries(before)
                } else {
                    Operation::PurgeEvents(before)
                }
            }
            _ => Operation::DeleteEndpoint(name),
        }
    }

    fn create_endpoint(&mut self, now: Timestamp) -> Operation {
        let environment = if self.rng.chance(80) {
            Environment::Live
        } else {
            Environment::Sandbox
        };
        let client = self.some_client();
        let mut endpoint = self.make.endpoint(client, environment, now);
        if self.rng.chance(30) {
            endpoint.filter = self.event_filter();
        }
        if client != unknown_client() {
            self.endpoints.push(endpoint.name());
        }
        Operation::CreateEndpoint(endpoint)
    }

    /// Returns one of the latest endpoints, or sometimes the name of another client's endpoint.
    fn some_endpoint(&mut self) -> EndpointName {
        let latest = self.endpoints.len().saturating_sub(4);
        let name = *self.rng.pick(&self.endpoints[latest..]);
        let client = if self.rng.chance(4) {
            self.some_client()
        } else {
            name.client
        };
        EndpointName { client, ..name }
    }

    /// Returns one change in most cases; otherwise up to three.
    fn endpoint_changes(&mut self) -> Vec<EndpointChange> {
        let count = if self.rng.chance(80) {
            1
        } else {
            self.small_number(3)
        };
        (0..count).map(|_| self.endpoint_change()).collect()
    }

    fn endpoint_change(&mut self) -> EndpointChange {
        match self.rng.below(12) {
            0 => EndpointChange::Url(format!("https://platform.example/{}", self.rng.below(99))),
            1 => EndpointChange::Filter(self.filter_change()),
            2 => EndpointChange::Rotate,
            3 => EndpointChange::Pause,
            4..8 => EndpointChange::Resume,
            8..10 => EndpointChange::ReplayEvent(1 + self.rng.below(20)),
            _ => EndpointChange::ReplayFrom(1 + self.rng.below(20)),
        }
    }

    /// Returns a change of one or both lists of a filter.
    fn filter_change(&mut self) -> FilterChange {
        let EventFilter { types, contexts } = self.event_filter();
        FilterChange {
            types: Some(types),
            contexts: self.rng.chance(50).then_some(contexts),
        }
    }

    fn event_filter(&mut self) -> EventFilter {
        let mut filter = EventFilter::default();
        if self.rng.chance(50) {
            let types = [EventType::KeyIssued, EventType::VerdictChanged];
            filter.types = types.into_iter().collect();
        } else {
            filter.contexts.insert(self.some_context().id);
        }
        filter
    }

    /// Returns outcomes of attempts. An endpoint succeeds or fails in most of them.
    fn outcomes(&mut self) -> Vec<Option<AttemptOutcome>> {
        let retry_after = Some(Duration::from_secs(self.rng.below(DAY)));
        let failures = [
            answered(500),
            answered(429),
            answered(410),
            AttemptOutcome::Failed(AttemptError::Timeout),
            AttemptOutcome::Answered {
                status: 503,
                retry_after,
            },
        ];
        let failure_chance = *self.rng.pick(&[10, 90]);
        let count = self.small_number(3);
        (0..count)
            .map(|_| {
                if self.rng.chance(10) {
                    None
                } else if self.rng.chance(failure_chance) {
                    Some(*self.rng.pick(&failures))
                } else {
                    Some(answered(204))
                }
            })
            .collect()
    }

    /// Returns a number from 1 to `max`.
    fn small_number(&mut self, max: u64) -> usize {
        usize::try_from(1 + self.rng.below(max)).unwrap_or(1)
    }
}
