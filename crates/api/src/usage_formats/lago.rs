//! Events for [Lago](https://github.com/getlago/lago-openapi). Each line is the body of one request to its `POST
//! /api/v1/events/batch`.

use super::event_id;
use serde::Serialize;
use std::io::{self, Write};
use voight_domain::services::LookupRecord;

/// Maximum number of events that Lago accepts in one request.
const BATCH: usize = 100;

#[derive(Serialize)]
struct Batch<'a> {
    events: Vec<LagoEvent<'a>>,
}

#[derive(Serialize)]
struct LagoEvent<'a> {
    /// Id by which Lago detects a duplicate event.
    transaction_id: String,
    external_subscription_id: String,
    code: &'static str,
    /// Seconds since 1970. No period ends within a second.
    timestamp: i64,
    properties: Properties<'a>,
}

/// Properties as strings. Lago's schema requires "exactly one of a string, an integer or a number", and a whole number matches
/// two of them.
#[derive(Serialize)]
struct Properties<'a> {
    seq: String,
    context_id: &'a str,
    key_id: String,
    free: String,
    is_bot: String,
    score: String,
    commitment: String,
}

/// Writes the records in batches.
pub(super) fn write(records: &[LookupRecord], out: &mut dyn Write) -> io::Result<()> {
    for records in records.chunks(BATCH) {
        serde_json::to_writer(
            &mut *out,
            &Batch {
                events: records.iter().map(LagoEvent::from).collect(),
            },
        )?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

impl<'a> From<&'a LookupRecord> for LagoEvent<'a> {
    fn from(record: &'a LookupRecord) -> Self {
        let row = &record.row;
        Self {
            transaction_id: event_id::event_id(record),
            external_subscription_id: record.ledger.client.to_string(),
            code: event_id::event_type(record, "voight_lookup", "voight_lookup_test"),
            timestamp: record.at.as_seconds(),
            properties: Properties {
                seq: record.seq.to_string(),
                context_id: record.context.as_str(),
                key_id: record.key.to_string(),
                free: row.free.to_string(),
                is_bot: row.answer.is_bot.to_string(),
                score: row.answer.score.to_string(),
                commitment: row.commitment.to_string(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::event_id::tests::record;
    use super::*;
    use serde_json::{Value, json};
    use voight_domain::vocabulary::Environment;

    fn batches(count: u64) -> Vec<Value> {
        let records: Vec<_> = (1..=count)
            .map(|seq| record(Environment::Live, seq))
            .collect();
        let mut out = Vec::new();
        write(&records, &mut out).unwrap();
        out.split_inclusive(|byte| *byte == b'\n')
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect()
    }

    #[test]
    fn record_is_an_event_of_a_subscription() {
        let expected_event = json!({
            "transaction_id": "01040g2081040g2081040g2081/live/1",
            "external_subscription_id": "01040g2081040g2081040g2081",
            "code": "voight_lookup",
            "timestamp": 1_795_255_200,
            "properties": {
                "seq": "1",
                "context_id": "spring.01k0ab3cdefghjkmnpqrstvwxy",
                "key_id": "02081040g2081040g2081040g2",
                "free": "true",
                "is_bot": "true",
                "score": "0.69",
                "commitment": "ab".repeat(32),
            },
        });
        assert_eq!(batches(1), [json!({ "events": [expected_event] })]);
        assert_eq!(
            LagoEvent::from(&record(Environment::Sandbox, 1)).code,
            "voight_lookup_test"
        );
    }

    #[test]
    fn no_batch_is_larger_than_lago_takes() {
        let sizes = |count| -> Vec<_> {
            batches(count)
                .iter()
                .map(|batch| batch["events"].as_array().unwrap().len())
                .collect()
        };
        assert_eq!(sizes(100), [100]);
        assert_eq!(sizes(201), [100, 100, 1]);
        assert!(sizes(0).is_empty());
    }
}
