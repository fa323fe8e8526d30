//! Port of webhook endpoints and their deliveries.

use super::StoreError;
use crate::events::ClientEvent;
use crate::registry::AuditEntry;
use crate::vocabulary::{ClientId, Timestamp};
use crate::webhooks::{
    AuditedChange, DeliveryConclusion, DeliveryLane, DeliveryRecord, DeliveryReport, DueAttempt,
    Endpoint, EndpointClaim, EndpointCreation, EndpointName, EndpointRecord, ReplayError,
};
use async_trait::async_trait;
use std::collections::BTreeMap;

/// Result of changes: the record after them, or the reason why they are rejected.
pub type EndpointOutcome = Result<EndpointRecord, ReplayError>;

/// Claimed attempts of an endpoint, with what they send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedDeliveries {
    /// The endpoint at the time of the claim.
    pub endpoint: Endpoint,
    /// The end of the lease, which the conclusion of the attempts names; `None` without attempts.
    pub lease: Option<Timestamp>,
    /// The attempts, each with its event.
    pub attempts: Vec<(DueAttempt, ClientEvent)>,
    /// Number of events that the retention deleted before the endpoint reached them, also of those that its filter does not
    /// accept.
    pub given_up: u64,
}

impl ClaimedDeliveries {
    /// Joins a claim with the events of its attempts. An attempt whose event is deleted is omitted.
    pub fn new(claim: EndpointClaim, mut events: BTreeMap<u64, ClientEvent>) -> Self {
        let attempts = claim
            .attempts
            .into_iter()
            .filter_map(|attempt| Some((attempt, events.remove(&attempt.event)?)));
        Self {
            attempts: attempts.collect(),
            lease: claim.record.leased_until,
            endpoint: claim.record.endpoint,
            given_up: claim.given_up,
        }
    }
}

/// Record of a delivery log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedDelivery {
    /// The number of the record in the log of the endpoint, from 1.
    pub number: u64,
    /// The record.
    pub record: DeliveryRecord,
}

/// Stores webhook endpoints, the progress of their deliveries, and their logs.
///
/// Every port that appends an event to a client's feed calls [`EndpointRecord::after_event`] for each endpoint of the client
/// in the same transaction.
///
/// - `appended_event_makes_endpoints_due`: an active endpoint without a claim in progress is due as soon as its client has
///   a new event.
/// - `endpoint_change_and_audit_are_one`: the audit entry of a creation, change or deletion is appended in the same
///   transaction, if and only if something changes.
#[async_trait]
pub trait EndpointStore: Send + Sync {
    /// Stores a new endpoint.
    ///
    /// Reads the endpoint with the same id, the number of the client's endpoints and the state of its feed, calls
    /// [`EndpointRecord::creation`], and writes the result. A missing client is a `Conflict`.
    ///
    /// - `endpoint_is_created_once`: a repeated call with the same id changes nothing.
    /// - `endpoint_limit_is_exact`: under any concurrency a client has at most
    ///   [`MAX_ENDPOINTS`](crate::webhooks::MAX_ENDPOINTS) endpoints.
    async fn create_endpoint(
        &self,
        endpoint: Endpoint,
        audit: AuditEntry,
    ) -> Result<EndpointCreation, StoreError>;

    /// Returns an endpoint of a client.
    ///
    /// - `endpoint_is_of_one_client`: the endpoint of another client is `None`.
    async fn endpoint(&self, name: EndpointName) -> Result<Option<EndpointRecord>, StoreError>;

    /// Returns all endpoints of a client, in the order of their ids, which is that of their times.
    async fn endpoints(&self, client: ClientId) -> Result<Vec<EndpointRecord>, StoreError>;

    /// Applies changes in order at the adapter's own clock; `None` if the endpoint does not exist.
    ///
    /// Reads the record and the state of the client's feed, calls [`EndpointRecord::with_changes`], and writes the complete
    /// result. If one of the changes is rejected, the call writes nothing.
    ///
    /// - `endpoint_change_keeps_progress`: a change other than a replay loses and repeats no event.
    async fn change_endpoint(
        &self,
        name: EndpointName,
        changes: Vec<AuditedChange>,
    ) -> Result<Option<EndpointOutcome>, StoreError>;

    /// Deletes an endpoint with its log; returns `false` if it does not exist.
    ///
    /// - `deleted_endpoint_leaves_nothing`: no record of its log can be read afterwards, and it is never due.
    async fn delete_endpoint(
        &self,
        name: EndpointName,
        audit: AuditEntry,
    ) -> Result<bool, StoreError>;

    /// Returns at most `limit` endpoints of a lane that are due at the adapter's own clock, the longest overdue first, those of
    /// equal times in any order.
    ///
    /// - `due_endpoints_are_listed_by_time`: exactly the endpoints of the lane whose `due_at` is at most the first of
    ///   [`DeliveryLane::due_bounds`] or after the second; no other endpoint is read.
    /// - `clock_jump_delays_no_longer`: a jump of the clock loses no event, and delays deliveries by at most its length.
    async fn due_endpoints(
        &self,
        lane: DeliveryLane,
        limit: usize,
    ) -> Result<Vec<EndpointName>, StoreError>;

    /// Claims at most `limit` attempts of an endpoint at the adapter's own clock; `None` if the endpoint does not exist, is
    /// not active, or has a claim in progress.
    ///
    /// Reads the record, the state of the client's feed, and the next unread and replayed events, of each `limit` or
    /// [`MIN_FEED_PAGE`](crate::webhooks::MIN_FEED_PAGE), whichever is more; calls [`EndpointRecord::claim`]; and writes the
    /// result.
    ///
    /// - `claim_is_exclusive`: under any concurrency, at all nodes together, at most one claim of an endpoint is in
    ///   progress until its lease ends.
    /// - `claims_lose_no_event`: after any sequence of claims, conclusions and crashes, every event that the endpoint
    ///   accepts is concluded, pending, or not before the cursor.
    async fn claim_deliveries(
        &self,
        name: EndpointName,
        limit: usize,
    ) -> Result<Option<ClaimedDeliveries>, StoreError>;

    /// Concludes attempts at the adapter's own clock, and ends their claim; `None` if the endpoint does not exist.
    ///
    /// Reads the record and the state of the client's feed, calls [`EndpointRecord::conclude`], and writes the record, its
    /// log and the events of the endpoint. A caller that does not know the outcome of the call does not repeat it: the lease
    /// ends by itself, and a repeated call would log the attempts again.
    ///
    /// - `conclusion_is_atomic`: the progress, the log and the events are written together or not at all.
    /// - `delivery_log_is_bounded`: the log keeps the newest
    ///   [`MAX_LOG_RECORDS`](crate::webhooks::MAX_LOG_RECORDS) records, numbered without gaps.
    async fn conclude_deliveries(
        &self,
        name: EndpointName,
        conclusion: DeliveryConclusion,
    ) -> Result<Option<Vec<DeliveryReport>>, StoreError>;

    /// Returns at most `limit` records of the log of an endpoint before number `before`, newest first.
    ///
    /// - `deliveries_are_paged_in_order`: the pages together hold every record once.
    async fn deliveries(
        &self,
        name: EndpointName,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<NumberedDelivery>, StoreError>;

    /// Deletes at most `limit` records of attempts before `before`, in the order of their numbers up to the first record of
    /// each endpoint that is not older; returns their number.
    ///
    /// - `old_deliveries_are_purged`: exactly these records are deleted.
    async fn purge_deliveries(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError>;
}
