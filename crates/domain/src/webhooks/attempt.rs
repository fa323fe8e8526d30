//! Attempts to deliver an event, and their outcomes.

use crate::outbound::TargetError;
use crate::ports::{OutboundError, OutboundResponse};
use crate::vocabulary::Timestamp;
use std::fmt;
use std::time::Duration;

/// Attempt that is due: its event, and its number among the attempts for this event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueAttempt {
    /// The number of the event in the client's feed.
    pub event: u64,
    /// The number of the attempt, from 1.
    pub number: u8,
}

/// Outcome of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// The receiver has answered.
    Answered {
        /// The HTTP status.
        status: u16,
        /// The time to wait by the header `Retry-After`; zero for a date that has passed.
        retry_after: Option<Duration>,
    },
    /// The receiver has not answered, or was not called.
    Failed(AttemptError),
}

/// Error of an attempt without an answer. The names are stable: they are stored and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptError {
    /// The URL is not permitted.
    TargetRejected,
    /// The name has no address, or none that is permitted.
    NameUnresolved,
    /// No connection was established in time.
    Unreachable,
    /// The TLS handshake failed, for example because of an untrusted certificate.
    Tls,
    /// The answer did not arrive in time.
    Timeout,
    /// The connection broke, or the answer is not HTTP.
    BrokenAnswer,
}

impl AttemptOutcome {
    /// Returns the outcome of a request that ended at `now`; `None` if it was not made, because the service has no capacity
    /// for it or may not open connections.
    pub fn from_result(
        result: &Result<OutboundResponse, OutboundError>,
        now: Timestamp,
    ) -> Option<Self> {
        match result {
            Ok(response) => Some(Self::Answered {
                status: response.status,
                retry_after: response.retry_after.map(|wait| wait.delay(now)),
            }),
            Err(error) => AttemptError::from_outbound(error).map(Self::Failed),
        }
    }

    /// Returns `true` for a status of 200 to 299: the event is delivered. A redirect is a failure.
    pub const fn is_success(self) -> bool {
        matches!(
            self,
            Self::Answered {
                status: 200..=299,
                ..
            }
        )
    }

    /// Returns `true` for the status 410: the receiver asks that nothing be sent any more.
    pub const fn is_gone(self) -> bool {
        matches!(self, Self::Answered { status: 410, .. })
    }

    /// Returns `true` for the statuses 429, 502 and 504: the receiver or its proxy is overloaded.
    pub const fn is_overload(self) -> bool {
        matches!(
            self,
            Self::Answered {
                status: 429 | 502 | 504,
                ..
            }
        )
    }

    /// Returns the pause that the receiver asks for; `None` if it asks for none.
    pub(super) const fn retry_after(self) -> Option<Duration> {
        match self {
            Self::Answered { retry_after, .. } => retry_after,
            Self::Failed(_) => None,
        }
    }

    /// Returns the HTTP status; `None` without an answer.
    pub const fn status(self) -> Option<u16> {
        match self {
            Self::Answered { status, .. } => Some(status),
            Self::Failed(_) => None,
        }
    }
}

impl AttemptError {
    /// All errors.
    pub const ALL: [Self; 6] = [
        Self::TargetRejected,
        Self::NameUnresolved,
        Self::Unreachable,
        Self::Tls,
        Self::Timeout,
        Self::BrokenAnswer,
    ];

    /// Returns the error of a request; `None` if the request was not made.
    const fn from_outbound(error: &OutboundError) -> Option<Self> {
        Some(match error {
            OutboundError::Disabled | OutboundError::Busy => return None,
            // A platform does not learn which names have addresses in the operator's network.
            OutboundError::Resolve(_)
            | OutboundError::Target(TargetError::Blocked(_) | TargetError::NoAddress) => {
                Self::NameUnresolved
            }
            OutboundError::Target(_) | OutboundError::Header(_) => Self::TargetRejected,
            OutboundError::ConnectTimeout(_)
            | OutboundError::Connect(_)
            | OutboundError::Proxy(_) => Self::Unreachable,
            OutboundError::Tls(_) => Self::Tls,
            OutboundError::Timeout(_) => Self::Timeout,
            OutboundError::TooLarge { .. } | OutboundError::BrokenResponse(_) => Self::BrokenAnswer,
        })
    }

    /// Returns the error as stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TargetRejected => "target_rejected",
            Self::NameUnresolved => "name_unresolved",
            Self::Unreachable => "unreachable",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::BrokenAnswer => "broken_answer",
        }
    }
}

impl fmt::Display for AttemptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_2xx_is_a_success() {
        for status in 100..=599 {
            let outcome = AttemptOutcome::Answered {
                status,
                retry_after: None,
            };
            assert_eq!(outcome.is_success(), status / 100 == 2, "{status}");
            assert_eq!(outcome.is_gone(), status == 410, "{status}");
            let is_overload = [429, 502, 504].contains(&status);
            assert_eq!(outcome.is_overload(), is_overload, "{status}");
        }
        for error in AttemptError::ALL {
            let outcome = AttemptOutcome::Failed(error);
            assert!(!outcome.is_success() && !outcome.is_gone() && !outcome.is_overload());
        }
    }
}
