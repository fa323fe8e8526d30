//! Types of events: one row each.

use crate::codec::DecodeError;
use std::fmt;
use std::str::FromStr;

/// Error returned for a text that is not the name of an event type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no event type {0:?}; the types are {names}", names = EventType::names())]
pub struct EventTypeError(String);

/// Declares the event types: the code in records, the name, and the meaning. A code is never reused.
macro_rules! event_types {
    ($($variant:ident = $code:literal $name:literal $meaning:literal;)*) => {
        /// Type of an event. The names are stable: clients filter by them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EventType { $(#[doc = $meaning] $variant = $code),* }

        impl EventType {
            /// All types, in the order of their codes.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns the name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// Returns the meaning, for documentation.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning),* }
            }
        }
    };
}

event_types! {
    VerdictFlagged = 0 "verdict.flagged" "An address that the client has looked up was flagged as a bot.";
    VerdictChanged = 1 "verdict.changed" "An address has its first verdict, or the answer for an address that the client has looked up changed.";
    ContextCreated = 2 "context.created" "A context was registered.";
    ContextChanged = 3 "context.changed" "Settings or the key of a context changed, or it was removed from the archive.";
    ContextArchived = 4 "context.archived" "A context was archived.";
    KeyIssued = 5 "key.issued" "An API key was issued.";
    KeyRotated = 6 "key.rotated" "An API key has a new secret.";
    KeyRevoked = 7 "key.revoked" "An API key was revoked.";
    Allowance80 = 8 "usage.allowance_80" "80 % of the free allowance is used.";
    Allowance100 = 9 "usage.allowance_100" "The free allowance is used up: the next lookup is charged.";
    Budget80 = 10 "usage.budget_80" "80 % of the period's budget is spent.";
    Budget100 = 11 "usage.budget_100" "The period's budget is spent.";
    CapReached = 12 "usage.cap_reached" "A cap is reached: further lookups are rejected until the next period.";
    InvoiceIssued = 13 "invoice.issued" "An invoice was issued.";
    InvoicePaid = 14 "invoice.paid" "An invoice was paid.";
    InvoiceVoided = 15 "invoice.voided" "An invoice was voided.";
    SnapshotDraft = 16 "snapshot.draft" "All addresses of a snapshot are looked up.";
    SnapshotFinal = 17 "snapshot.final" "A snapshot is final.";
    SnapshotPaused = 18 "snapshot.paused" "The job of a snapshot does not continue for now.";
    KeyExpiring = 19 "key.expiring" "An API key expires within a week.";
    EndpointFailing = 20 "endpoint.failing" "Every delivery to a webhook endpoint has failed for an hour.";
    EndpointDisabled = 21 "endpoint.disabled" "A webhook endpoint was disabled: it has failed for five days, or answered 410.";
    EndpointTest = 22 "endpoint.test" "The test of a webhook endpoint, which is in no feed.";
}

impl EventType {
    /// Returns the code in records.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the type with this code.
    pub fn from_code(code: u8) -> Result<Self, DecodeError> {
        Self::ALL
            .iter()
            .copied()
            .find(|event_type| event_type.code() == code)
            .ok_or(DecodeError::OutOfRange("the type of an event"))
    }

    fn names() -> String {
        let names: Vec<_> = Self::ALL
            .iter()
            .map(|event_type| event_type.as_str())
            .collect();
        names.join(", ")
    }
}

impl FromStr for EventType {
    type Err = EventTypeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|event_type| event_type.as_str() == text)
            .ok_or_else(|| EventTypeError(text.to_owned()))
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Set of event types: the filter of a feed. The empty filter of a request is the set of all types.
///
/// ```
/// use voight_domain::events::{EventType, EventTypeSet};
///
/// let types: EventTypeSet = [EventType::VerdictFlagged].into_iter().collect();
/// assert!(types.contains(EventType::VerdictFlagged));
/// assert!(!types.contains(EventType::KeyIssued));
/// assert!(EventTypeSet::ALL.contains(EventType::KeyIssued));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventTypeSet(u64);

impl EventTypeSet {
    /// All types, those of later versions included.
    pub const ALL: Self = Self(u64::MAX);

    /// Returns the types; `None` for all, those of later versions included.
    pub fn types(self) -> Option<Vec<EventType>> {
        let is_listed = |event_type: &EventType| self.contains(*event_type);
        (self != Self::ALL).then(|| EventType::ALL.iter().copied().filter(is_listed).collect())
    }

    /// Returns the set as stored: one bit for each code.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the stored set.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns `true` if the type is in the set.
    pub const fn contains(self, event_type: EventType) -> bool {
        self.0 & (1 << event_type.code()) != 0
    }
}

impl Default for EventTypeSet {
    fn default() -> Self {
        Self::ALL
    }
}

impl FromIterator<EventType> for EventTypeSet {
    fn from_iter<I: IntoIterator<Item = EventType>>(types: I) -> Self {
        Self(
            types
                .into_iter()
                .fold(0, |bits, event_type| bits | 1 << event_type.code()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_round_trip() {
        for (index, event_type) in EventType::ALL.iter().enumerate() {
            assert_eq!(usize::from(event_type.code()), index);
            assert_eq!(EventType::from_code(event_type.code()), Ok(*event_type));
            assert_eq!(event_type.as_str().parse(), Ok(*event_type));
            assert!(event_type.meaning().ends_with('.'), "{event_type}");
        }
        assert!(EventType::ALL.len() < 64, "a set has 64 bits");
    }

    #[test]
    fn unknown_name_lists_the_types() {
        let error = "verdict.gone".parse::<EventType>().unwrap_err().to_string();
        assert!(
            error.starts_with("there is no event type \"verdict.gone\""),
            "{error}"
        );
        assert!(
            error.contains("verdict.flagged, verdict.changed"),
            "{error}"
        );
        assert!(EventType::from_code(63).is_err());
    }
}
