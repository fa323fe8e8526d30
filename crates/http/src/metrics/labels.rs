//! Values of the labels. Each has a meaning, which the reference page prints.

use voight_domain::check::GateRejection;
use voight_domain::ownership::OwnershipError;

/// Declares the values of a label, each with its meaning. The values of a type after `+` are values of the label, too.
macro_rules! label_values {
    (
        $(#[$meta:meta])* $name:ident
        $($variant:ident = $value:literal $meaning:literal;)*
        $(+ $more:ident($type:ty);)*
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum $name {
            $(#[doc = $meaning] $variant,)*
            $(#[doc = concat!("See [`", stringify!($type), "`].")] $more($type),)*
        }

        impl $name {
            /// Returns all values.
            pub(super) fn all() -> Vec<Self> {
                let labels = vec![$(Self::$variant),*];
                $(let labels = [labels, <$type>::ALL.map(Self::$more).to_vec()].concat();)*
                labels
            }

            /// Returns the value as printed.
            pub(crate) const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $value,)*
                    $(Self::$more(value) => value.as_str(),)*
                }
            }

            /// Returns the meaning of the value.
            #[cfg(test)]
            pub(super) fn meaning(self) -> String {
                match self {
                    $(Self::$variant => $meaning.to_owned(),)*
                    $(Self::$more(value) => value.to_string(),)*
                }
            }
        }
    };
}

label_values! {
    /// Outcome of a lookup.
    LookupLabel
    Recorded = "recorded" "the lookup was answered and has a row in the ledger";
    Replayed = "replayed" "the stored answer of the first request with the same idempotency key was returned, not billed";
    IdempotencyKeyReused = "idempotency_key_reused" "the idempotency key was used before with other parameters";
    CapReached = "cap_reached" "the client's cap on billable lookups is reached";
    InvalidKey = "invalid_key" "the API key was revoked or expired after the request was authenticated";
    ScopeMissing = "scope_missing" "the API key lost the scope of lookups after the request was authenticated";
    ClientSuspended = "client_suspended" "the client was suspended or closed after the request was authenticated";
    UnknownContext = "unknown_context" "the context does not exist, or this API key may not use it";
    Failed = "failed" "the store failed; the caller received 503";
}

label_values! {
    /// Outcome of redeeming a receipt.
    RedemptionLabel
    Valid = "valid" "the receipt was redeemed for the first time";
    Replayed = "replayed" "the stored answer of the first request with the same idempotency key was returned";
    Used = "used" "the receipt was redeemed before";
    Expired = "expired" "the receipt is older than ten minutes";
    Forged = "forged" "the receipt is not authentic, or is of a context that the API key may not use";
    InvalidKey = "invalid_key" "the API key was revoked or expired after the request was authenticated";
    IdempotencyKeyReused = "idempotency_key_reused" "the idempotency key was used before with another receipt";
    Failed = "failed" "the store failed; the caller received 503";
}

label_values! {
    /// Reason for rejecting a request or a connection.
    RejectionReason
    LoadShed = "load_shed" "no permit of the concurrency limit was free, or the request bodies in transit used too much memory";
    Draining = "draining" "the service is shutting down";
    ClockRejected = "clock_rejected" "the clock guard rejects the system clock";
    UriTooLong = "uri_too_long" "the request target exceeds its length limit";
    HeadersTooLarge = "headers_too_large" "the request headers exceed their size limit";
    NetworkConnections = "network_connections" "a network has too many open connections";
    AllConnections = "all_connections" "all connections are in use, and none of them waits for its client";
    ConnectionGaveWay = "connection_gave_way" "all connections are in use, and one that waited for its client was closed for a new one";
    NetworkInFlight = "network_in_flight" "a network has too many window requests in flight";
    ClientInFlight = "client_in_flight" "a client has too many requests in flight";
    ClientDownloads = "client_downloads" "a client has too many downloads in progress";
    BodyShare = "body_share" "the bodies in transit of a client or a network use too much memory";
    ClientScans = "client_scans" "too many uploads, files or reads of usage of a client wait";
    ScanTimeout = "scan_timeout" "an upload, a file or a read of usage has waited too long for those of others";
    ClientFiles = "client_files" "the temporary files of a client use its share of the disk";
    DiskReserve = "disk_reserve" "the temporary files of all clients use their space, or the disk has only its reserve left";
    CheckInFlight = "check_in_flight" "a check has too many calls in flight";
    RateLimited = "rate_limited" "a client exceeded a rate limit";
    ChecksRateLimited = "checks_rate_limited" "a network opened too many checks";
    BatchesRateLimited = "batches_rate_limited" "a check sent too many batches of evidence";
    InvalidKey = "invalid_key" "the API key is missing, repeated, malformed, unknown, revoked or expired";
    InvalidKeyRateLimited = "invalid_key_rate_limited" "a network sent too many invalid API keys";
    Forbidden = "forbidden" "the API key lacks the scope, its client is suspended or closed, or the caller's network is not on its list";
    KeyInBrowser = "key_in_browser" "a browser sent a secret API key";
    InvalidAdminToken = "invalid_admin_token" "the admin token is missing or wrong";
    InvalidAdminTokenRateLimited = "invalid_admin_token_rate_limited" "a network sent too many wrong admin tokens";
    CrossOrigin = "cross_origin" "a page other than the window called the window API";
    ContextUnknown = "context_unknown" "the window requested a context that does not exist";
    ContextClosed = "context_closed" "the window requested an archived context";
    ClientInactive = "client_inactive" "the window requested a context of a suspended or closed client";
    OriginNotAllowed = "origin_not_allowed" "the page's origin is not on the context's list of allowed origins";
    OriginMismatch = "origin_mismatch" "`originSite` is not a URL of the page that hosts the check";
    SessionInvalid = "session_invalid" "the session token is expired, malformed, or for another address or context";
    InvalidEvidence = "invalid_evidence" "the evidence does not follow the schema";
    + Gate(GateRejection);
    + Ownership(OwnershipError);
}

label_values! {
    /// State of the store.
    StoreState
    Ready = "ready" "the store serves all requests";
    Degraded = "degraded" "some machines of the database cluster are unreachable; requests of their clients receive 503";
    OutOfSpace = "out_of_space" "no disk space is left: writes fail, reads succeed";
    Unreachable = "unreachable" "the database does not respond";
    Failed = "failed" "the store has stopped permanently, and the service exits";
}

label_values! {
    /// Step of a check.
    CheckStep
    Open = "open" "the window opened a check";
    Ownership = "ownership" "the window proved ownership of the address";
    Evidence = "evidence" "the window sent a batch of evidence";
    Complete = "complete" "the window completed the check; its evidence was evaluated";
    Expire = "expire" "a check expired with evidence, which a background job evaluated";
}

label_values! {
    /// Outcome of a step of a check.
    CheckOutcome
    Accepted = "accepted" "the step was done";
    Rejected = "rejected" "the step was rejected; `voight_requests_rejected_total` has the reason";
    RateLimited = "rate_limited" "a rate limit or a limit of calls in flight was exceeded";
    Failed = "failed" "the service failed; the window received 5xx";
}

label_values! {
    /// Status of an address in a context, after a check.
    VerdictStatus
    Human = "human" "a decision for a human, or evidence for a human with a score of 0.1 or more";
    Bot = "bot" "the answer has `isBot` true";
    Unsure = "unsure" "the evidence supports neither a human nor a bot";
    Unknown = "unknown" "no check was conclusive";
}

label_values! {
    /// Layer of a check.
    CheckLayer
    Owned = "owned" "the check has proof that the visitor owns the address";
    Unverified = "unverified" "any visitor could have claimed the address";
}

label_values! {
    /// Database of an embedded store.
    DatabaseName
    Main = "main" "ledgers, verdicts, clients, keys, contexts and the audit log";
    Evidence = "evidence" "raw evidence";
}

label_values! {
    /// Outcome of an attempt to deliver an event to a webhook endpoint.
    DeliveryOutcome
    Delivered = "delivered" "the receiver answered with 2xx";
    Retried = "retried" "the attempt failed, and another one is scheduled";
    GivenUp = "given_up" "the last attempt failed, or the retention deleted the event before it was delivered";
    Superseded = "superseded" "the attempt was repeated or its event replayed meanwhile";
}

label_values! {
    /// Kind of rate limiter.
    LimiterName
    Lookup = "lookup" "lookups of a client";
    Register = "register" "registrations of a client";
    Usage = "usage" "reads of usage by a client";
    Key = "key" "requests of a network without a valid API key";
    Token = "token" "requests of a network without a valid admin token";
    Leak = "leak" "audit entries about a secret API key in a browser";
    Check = "check" "checks that a network opens";
    Batch = "batch" "batches of evidence of a check";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn values_are_unique_and_in_snake_case() {
        let names = |all: Vec<&'static str>| {
            let unique: HashSet<_> = all.iter().collect();
            assert_eq!(unique.len(), all.len(), "{all:?}");
            assert!(
                all.iter()
                    .all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_')),
                "{all:?}"
            );
        };
        names(
            LookupLabel::all()
                .into_iter()
                .map(LookupLabel::as_str)
                .collect(),
        );
        names(
            RedemptionLabel::all()
                .into_iter()
                .map(RedemptionLabel::as_str)
                .collect(),
        );
        names(
            CheckStep::all()
                .into_iter()
                .map(CheckStep::as_str)
                .collect(),
        );
        names(
            CheckOutcome::all()
                .into_iter()
                .map(CheckOutcome::as_str)
                .collect(),
        );
        names(
            VerdictStatus::all()
                .into_iter()
                .map(VerdictStatus::as_str)
                .collect(),
        );
        names(
            CheckLayer::all()
                .into_iter()
                .map(CheckLayer::as_str)
                .collect(),
        );
        names(
            LimiterName::all()
                .into_iter()
                .map(LimiterName::as_str)
                .collect(),
        );
        names(
            RejectionReason::all()
                .into_iter()
                .map(RejectionReason::as_str)
                .collect(),
        );
        names(
            StoreState::all()
                .into_iter()
                .map(StoreState::as_str)
                .collect(),
        );
    }
}
