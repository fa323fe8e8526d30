//! Segments of idempotency records.

use std::time::Duration;
use voight_domain::vocabulary::Timestamp;

/// Segment of idempotency records that expire within the same hour.
///
/// Records with distant digests thus share pages, and are removed together after they expire. A segment is named by a
/// time before which none of its records expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Segment(pub Timestamp);

impl Segment {
    /// Range of the expiry times of one segment.
    const SEGMENT_SPAN: Duration = Duration::from_hours(1);

    /// Returns the default segment of a record: that of the hour in which it expires.
    pub const fn for_hour(until: Timestamp) -> Self {
        let millis = until.as_millis();
        let span = 3_600_000;
        Self(Timestamp::from_millis(
            millis.saturating_sub(millis.rem_euclid(span)),
        ))
    }

    /// Returns `true` if the segment may contain a record that expires at `until`.
    pub fn accepts(self, until: Timestamp) -> bool {
        self.0 <= until && until.saturating_since(self.0) < Self::SEGMENT_SPAN
    }

    /// Returns `true` if all records of the segment expired before `now`.
    pub fn is_expired(self, now: Timestamp) -> bool {
        self.0.saturating_add(Self::SEGMENT_SPAN) <= now
    }
}
