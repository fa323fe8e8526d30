//! Ids and types of exported records.

use voight_domain::services::LookupRecord;
use voight_domain::vocabulary::Environment;

/// Returns the id of a record, which is unique and never changes.
pub(super) fn event_id(record: &LookupRecord) -> String {
    format!(
        "{}/{}/{}",
        record.ledger.client,
        record.ledger.environment.label(),
        record.seq
    )
}

/// Returns the event type, which differs between environments so that sandbox lookups are not billed.
pub(super) const fn event_type(
    record: &LookupRecord,
    live: &'static str,
    sandbox: &'static str,
) -> &'static str {
    match record.ledger.environment {
        Environment::Live => live,
        Environment::Sandbox => sandbox,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use voight_domain::metering::LedgerId;
    use voight_domain::metering::{Commitment, LookupRow};
    use voight_domain::verdict::{Answer, Confidence};
    use voight_domain::vocabulary::{ClientId, KeyId};

    /// Returns a lookup with this sequence number.
    pub(in crate::usage_formats) fn record(environment: Environment, seq: u64) -> LookupRecord {
        LookupRecord {
            ledger: LedgerId {
                client: ClientId::from_bytes([1; 16]),
                environment,
            },
            seq,
            at: "2026-11-21T10:00:00.250Z".parse().unwrap(),
            context: "spring.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap(),
            key: KeyId::from_bytes([2; 16]),
            row: LookupRow {
                context: 1,
                key: 1,
                free: seq < 2,
                answer: Answer {
                    is_bot: true,
                    score: Confidence::from_hundredths(69),
                },
                commitment: Commitment([0xab; 32]),
                idempotency: None,
                cap: None,
            },
        }
    }

    #[test]
    fn two_ledgers_of_a_client_have_no_name_in_common() {
        assert_eq!(
            event_id(&record(Environment::Live, 7)),
            "01040g2081040g2081040g2081/live/7"
        );
        assert_eq!(
            event_id(&record(Environment::Sandbox, 7)),
            "01040g2081040g2081040g2081/test/7"
        );
    }
}
