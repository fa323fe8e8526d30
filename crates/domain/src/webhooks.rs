//! Webhooks: endpoints of clients, signatures of requests, and decisions about their delivery.
//!
//! The events of a client are its feed: numbered, ordered, and stored for 30 days. An endpoint has a cursor in that feed
//! and a bounded set of pending events ([`DeliveryState`]); there is no other queue. A worker reads the state, claims due
//! attempts, sends requests with the headers of [`Endpoint::sign`], and passes each outcome to [`after_attempt`]. The
//! format of requests is [Standard Webhooks 1.0](https://www.standardwebhooks.com/).

mod attempt;
mod claim;
mod delivery;
mod endpoint;
mod failure_run;
mod record;
mod replay;
mod schedule;
mod signature;

pub use attempt::{AttemptError, AttemptOutcome, DueAttempt};
pub use claim::{Claim, FeedPage};
pub use delivery::{
    ATTEMPT_LEASE, DeliveryReport, DeliveryState, DeliveryStep, EndpointReport, MAX_PENDING,
    PendingDelivery, ReplayRange, after_attempt,
};
pub use endpoint::{
    DisabledReason, Endpoint, EndpointChange, EndpointError, EndpointRules, EndpointState,
    EventFilter, MAX_ENDPOINTS, MAX_FILTER_CONTEXTS, MAX_FILTER_TYPES, MAX_URL_LENGTH, NewEndpoint,
    ROTATION_OVERLAP, SignatureKind, SignatureKindError,
};
pub use failure_run::{DISABLE_AFTER, FailureRun, REPORT_AFTER};
pub use record::{DeliveryRecord, MAX_RESPONSE_BYTES};
pub use replay::ReplayError;
pub use schedule::{MAX_RETRY_AFTER, OVERLOAD_PENALTY, RetrySchedule};
pub use signature::{WebhookHeaders, WebhookId, WebhookIdError};
