//! Log of deliveries.

use super::{AttemptOutcome, DueAttempt};
use crate::vocabulary::Timestamp;
use std::str::Utf8Chunk;
use std::time::Duration;

/// Maximum length of a stored response in bytes.
pub const MAX_RESPONSE_BYTES: usize = 4096;

/// Record of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryRecord {
    /// The number of the event in the client's feed; 0 for a test.
    pub event: u64,
    /// The number of the attempt, from 1.
    pub attempt: u8,
    /// The time of the attempt.
    pub at: Timestamp,
    /// The time until the outcome.
    pub duration: Duration,
    /// The outcome.
    pub outcome: AttemptOutcome,
    /// The first [`MAX_RESPONSE_BYTES`] of the response as text. It is written by the receiver and may contain any
    /// character, and data of the event.
    pub response: String,
}

impl DeliveryRecord {
    /// Creates the record of an attempt, with the beginning of the response.
    pub fn new(
        attempt: DueAttempt,
        at: Timestamp,
        duration: Duration,
        outcome: AttemptOutcome,
        response: &[u8],
    ) -> Self {
        Self {
            event: attempt.event,
            attempt: attempt.number,
            at,
            duration,
            outcome,
            response: beginning(response),
        }
    }

    /// Returns the record without the response, which may repeat an address that is erased.
    #[must_use]
    pub fn without_response(self) -> Self {
        Self {
            response: String::new(),
            ..self
        }
    }
}

/// Returns the first [`MAX_RESPONSE_BYTES`] as text of at most that length.
///
/// Bytes that are not UTF-8 become U+FFFD. A character that the limit cuts is left out.
fn beginning(response: &[u8]) -> String {
    let bytes = &response[..response.len().min(MAX_RESPONSE_BYTES)];
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    let is_cut = bytes.len() < response.len();
    if is_cut
        && bytes
            .utf8_chunks()
            .last()
            .is_some_and(|chunk| is_incomplete(&chunk))
    {
        text.pop();
    }
    text.truncate(text.floor_char_boundary(MAX_RESPONSE_BYTES));
    text
}

/// Returns `true` if the chunk ends within a character that more bytes could complete.
fn is_incomplete(chunk: &Utf8Chunk<'_>) -> bool {
    str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retention::RetentionPolicy;
    use proptest::prelude::*;

    fn record(response: &[u8]) -> DeliveryRecord {
        let attempt = DueAttempt {
            event: 7,
            number: 2,
        };
        let outcome = AttemptOutcome::Answered {
            status: 500,
            retry_after: None,
        };
        let at = Timestamp::from_millis(1_795_000_000_000);
        DeliveryRecord::new(attempt, at, Duration::from_millis(12), outcome, response)
    }

    #[test]
    fn short_response_is_stored_completely() {
        assert_eq!(record(b"").response, "");
        assert_eq!(
            record("no d\u{e9}j\u{e0}".as_bytes()).response,
            "no d\u{e9}j\u{e0}"
        );
        assert_eq!(record(b"\xff\0a\xc3").response, "\u{fffd}\0a\u{fffd}");
        let full = "a".repeat(MAX_RESPONSE_BYTES);
        assert_eq!(record(full.as_bytes()).response, full);
    }

    #[test]
    fn long_response_is_cut_at_a_character() {
        for (character, padding) in [("\u{e9}", 1), ("\u{20ac}", 2), ("\u{1f680}", 3)] {
            let text = "a".repeat(padding) + &character.repeat(MAX_RESPONSE_BYTES);
            let response = record(text.as_bytes()).response;
            assert!(text.starts_with(&response), "{character}");
            let missing_bytes = MAX_RESPONSE_BYTES - response.len();
            assert!(missing_bytes < character.len(), "{character}");
        }
    }

    #[test]
    fn record_without_response_keeps_the_rest() {
        let cleared_record =
            record(b"0x52908400098527886e0f7030069857d2e4169ee7").without_response();
        assert_eq!(cleared_record, record(b""));
    }

    #[test]
    fn records_are_deleted_after_14_days() {
        let now: Timestamp = "2026-11-29T00:00:00Z".parse().unwrap();
        assert_eq!(
            RetentionPolicy::deliveries_before(now).to_string(),
            "2026-11-15T00:00:00Z"
        );
    }

    proptest! {
        #[test]
        fn stored_response_is_bounded(byte: u8, length in 0_usize..9_000, tail: Vec<u8>) {
            let response = [vec![byte; length], tail].concat();
            let stored_length = record(&response).response.len();
            prop_assert!(stored_length <= MAX_RESPONSE_BYTES);
            prop_assert!(stored_length + 3 >= response.len().min(MAX_RESPONSE_BYTES));
        }
    }
}
