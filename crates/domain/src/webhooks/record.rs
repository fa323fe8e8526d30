//! Log of deliveries.

use super::{AttemptOutcome, DueAttempt};
use crate::vocabulary::{EoaAddress, Timestamp};
use std::ops::Range;
use std::str::Utf8Chunk;
use std::time::Duration;

/// Maximum length of a stored response in bytes.
pub const MAX_RESPONSE_BYTES: usize = 4096;
/// Maximum number of records in the log of an endpoint. The oldest are deleted first.
pub const MAX_LOG_RECORDS: u64 = 1_000;

/// Numbers of the records in the log of an endpoint, from 1, without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeliveryLog {
    /// Number of the last record; 0 before the first one.
    pub last: u64,
    /// Number of the last record that was deleted; 0 before the first deletion.
    pub purged: u64,
}

impl DeliveryLog {
    /// Assigns the number of a new record.
    pub const fn append(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Deletes the oldest records above [`MAX_LOG_RECORDS`]; returns their numbers.
    pub fn limit(&mut self) -> Range<u64> {
        self.purge(self.last.saturating_sub(MAX_LOG_RECORDS))
    }

    /// Deletes the records up to number `last`; returns their numbers.
    pub fn purge(&mut self, last: u64) -> Range<u64> {
        let first = self.purged + 1;
        self.purged = self.purged.max(last);
        first..self.purged + 1
    }
}

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

    /// Returns `true` for a test, which is no attempt to deliver an event.
    pub const fn is_test(&self) -> bool {
        self.event == 0
    }

    /// Returns the attempt; `None` for a test.
    pub fn delivery_attempt(&self) -> Option<DueAttempt> {
        (!self.is_test()).then_some(DueAttempt {
            event: self.event,
            number: self.attempt,
        })
    }

    /// Returns `true` if the response contains the address, in letters of any case.
    pub fn is_about(&self, address: EoaAddress) -> bool {
        let response = self.response.to_ascii_lowercase();
        response.contains(&data_encoding::HEXLOWER.encode(address.as_bytes()))
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
    fn log_keeps_the_newest_records() {
        let mut log = DeliveryLog::default();
        for number in 1..=MAX_LOG_RECORDS {
            assert_eq!(log.append(), number);
            assert!(log.limit().is_empty());
        }
        log.append();
        log.append();
        assert_eq!(log.limit(), 1..3);
        assert_eq!(log.purge(5), 3..6);
        assert!(log.purge(4).is_empty(), "deleted before");
        let expected_log = DeliveryLog {
            last: MAX_LOG_RECORDS + 2,
            purged: 5,
        };
        assert_eq!(log, expected_log);
    }

    #[test]
    fn response_that_repeats_an_address_is_about_it() {
        let address: EoaAddress = "0x52908400098527886e0f7030069857d2e4169ee7"
            .parse()
            .unwrap();
        for response in [
            "no bot: 0x52908400098527886E0F7030069857D2E4169EE7!",
            "52908400098527886e0f7030069857d2e4169ee7",
        ] {
            assert!(record(response.as_bytes()).is_about(address), "{response}");
        }
        assert!(!record(b"0x52908400098527886e0f7030069857d2e4169ee8").is_about(address));
    }

    #[test]
    fn test_is_no_attempt_to_deliver() {
        let delivery = record(b"");
        assert_eq!(
            delivery.delivery_attempt(),
            Some(DueAttempt {
                event: 7,
                number: 2
            })
        );
        let test = DeliveryRecord {
            event: 0,
            ..delivery
        };
        assert_eq!(test.delivery_attempt(), None);
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
