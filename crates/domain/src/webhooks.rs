//! Webhooks: endpoints of clients, signatures of requests, and decisions about their delivery.
//!
//! The events of a client are its feed: numbered, ordered, and stored for 30 days. An endpoint has a cursor in that feed
//! and a bounded set of pending events ([`DeliveryState`]); there is no other queue. A worker claims due attempts
//! ([`EndpointRecord::claim`]), sends requests with the headers of [`Endpoint::sign`], and concludes them
//! ([`EndpointRecord::conclude`]). The format of requests is [Standard Webhooks 1.0](https://www.standardwebhooks.com/).

mod attempt;
mod claim;
mod delivery;
mod delivery_slots;
mod endpoint;
mod endpoint_change;
mod endpoint_name;
mod endpoint_record;
mod failure_run;
mod record;
mod replay;
mod schedule;
mod signature;
#[cfg(test)]
mod testing;

pub use attempt::{AttemptError, AttemptOutcome, DueAttempt};
pub use claim::{Claim, FeedPage, MIN_FEED_PAGE};
pub use delivery::{
    ATTEMPT_LEASE, DeliveryReport, DeliveryState, DeliveryStep, EndpointReport, MAX_PENDING,
    PendingDelivery, ReplayRange, after_attempt,
};
pub use delivery_slots::DeliverySlots;
pub use endpoint::{
    DisabledReason, Endpoint, EndpointError, EndpointState, EventFilter, FilterChange,
    MAX_ENDPOINTS, MAX_FILTER_CONTEXTS, MAX_URL_LENGTH, ROTATION_OVERLAP, SignatureKind,
    SignatureKindError,
};
pub use endpoint_change::{AuditedChange, EndpointChange, EndpointChangeStep};
pub use endpoint_name::EndpointName;
pub use endpoint_record::{
    ConcludedAttempt, ConclusionStep, DeliveryConclusion, DeliveryLane, EndpointClaim,
    EndpointCreation, EndpointRecord,
};
pub use failure_run::{DISABLE_AFTER, FailureRun, REPORT_AFTER};
pub use record::{DeliveryLog, DeliveryRecord, MAX_LOG_RECORDS, MAX_RESPONSE_BYTES};
pub use replay::ReplayError;
pub use schedule::{MAX_RETRY_AFTER, MAX_WAIT, OVERLOAD_PENALTY, RetrySchedule};
pub use signature::{WebhookHeaders, WebhookId, WebhookIdError};
