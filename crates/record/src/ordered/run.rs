//! Where claims lie.

use crate::Encode;
use std::time::Duration;
use voight_domain::codec::DecodeError;
use voight_domain::metering::IdempotencyRecord;
use voight_domain::vocabulary::Timestamp;

/// A run of claims: some that end within the same hour lie together, so that claims whose digests are far apart share pages,
/// and go together when they have ended. It is named by a time that none of them ends before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Segment(pub Timestamp);

impl Segment {
    /// The ends of all claims of a run lie within this.
    const SEGMENT_SPAN: Duration = Duration::from_hours(1);

    /// The run of a claim that nobody else has put into one: that of the hour in which it ends.
    pub const fn for_hour(until: Timestamp) -> Self {
        let (millis, span) = (until.as_millis(), 3_600_000);
        Self(Timestamp::from_millis(millis.saturating_sub(millis.rem_euclid(span))))
    }

    /// Whether a claim that ends at `until` may be in it.
    pub fn accepts(self, until: Timestamp) -> bool {
        self.0 <= until && until.saturating_since(self.0) < Self::SEGMENT_SPAN
    }

    /// Whether all of its claims have ended before `now`.
    pub fn is_expired(self, now: Timestamp) -> bool {
        self.0.saturating_add(Self::SEGMENT_SPAN) <= now
    }
}

/// A claim in stores up to format 5, where it was found by its digest alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimByDigest(pub IdempotencyRecord);

impl Encode for ClaimByDigest {
    fn encode(&self) -> Vec<u8> {
        self.0.encode()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        IdempotencyRecord::decode(bytes).map(Self)
    }
}
