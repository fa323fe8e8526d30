//! [CloudEvents 1.0](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md) in its JSON format, one event per
//! line.

use super::event_id;
use crate::serialize_score;
use serde::Serialize;
use std::io::{self, Write};
use voight_domain::services::LookupRecord;
use voight_domain::verdict::Confidence;

/// Source of the events. Receivers detect duplicates by source and id, so it does not depend on the URL of the service.
const SOURCE: &str = "/voight/ledger";

#[derive(Serialize)]
struct CloudEvent<'a> {
    specversion: &'static str,
    id: String,
    source: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    subject: String,
    time: String,
    datacontenttype: &'static str,
    data: Data<'a>,
}

#[derive(Serialize)]
struct Data<'a> {
    seq: u64,
    context_id: &'a str,
    key_id: String,
    free: bool,
    is_bot: bool,
    #[serde(serialize_with = "serialize_score")]
    score: Confidence,
    commitment: String,
}

/// Writes one event for each record.
pub(super) fn write(records: &[LookupRecord], out: &mut dyn Write) -> io::Result<()> {
    for record in records {
        serde_json::to_writer(&mut *out, &CloudEvent::from(record))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

impl<'a> From<&'a LookupRecord> for CloudEvent<'a> {
    fn from(record: &'a LookupRecord) -> Self {
        Self {
            specversion: "1.0",
            id: event_id::event_id(record),
            source: SOURCE,
            kind: event_id::event_type(record, "voight.lookup", "voight.lookup.test"),
            subject: record.ledger.client.to_string(),
            time: record.at.to_string(),
            datacontenttype: "application/json",
            data: Data {
                seq: record.seq,
                context_id: record.context.as_str(),
                key_id: record.key.to_string(),
                free: record.row.free,
                is_bot: record.row.answer.is_bot,
                score: record.row.answer.score,
                commitment: record.row.commitment.to_string(),
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

    #[test]
    fn record_is_an_event_of_its_client() {
        let mut out = Vec::new();
        write(
            &[
                record(Environment::Live, 1),
                record(Environment::Sandbox, 2),
            ],
            &mut out,
        )
        .unwrap();
        let events: Vec<Value> = out
            .split_inclusive(|byte| *byte == b'\n')
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect();
        let expected_event = json!({
            "specversion": "1.0",
            "id": "01040g2081040g2081040g2081/live/1",
            "source": "/voight/ledger",
            "type": "voight.lookup",
            "subject": "01040g2081040g2081040g2081",
            "time": "2026-11-21T10:00:00.25Z",
            "datacontenttype": "application/json",
            "data": {
                "seq": 1,
                "context_id": "spring.01k0ab3cdefghjkmnpqrstvwxy",
                "key_id": "02081040g2081040g2081040g2",
                "free": true,
                "is_bot": true,
                "score": 0.69,
                "commitment": "ab".repeat(32),
            },
        });
        assert_eq!(events[0], expected_event);
        assert_eq!(
            (&events[1]["type"], &events[1]["data"]["free"]),
            (&json!("voight.lookup.test"), &json!(false))
        );
        assert_eq!(events.len(), 2);
    }
}
