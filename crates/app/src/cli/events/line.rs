//! Lines of events.

use crate::exit::CommandError;
use crate::output::{printable, second};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Members of an event that a line shows.
#[derive(Debug, Deserialize)]
struct Event {
    client_id: String,
    client_name: Option<String>,
    number: u64,
    #[serde(rename = "type")]
    type_name: String,
    timestamp: String,
    data: Map<String, Value>,
}

/// Returns the headings of the lines.
pub(super) fn heading() -> String {
    columns("AT", "CLIENT", "NO", "TYPE", "ENV", "SUBJECT")
}

/// Formats an event as a line.
pub(super) fn event_line(data: &str) -> Result<String, CommandError> {
    let event: Event = serde_json::from_str(data).map_err(|error| {
        CommandError::internal(format!(
            "the server sent an event that cannot be read ({error}); use a command line of the server's version"
        ))
    })?;
    let client = event.client_name.as_ref().unwrap_or(&event.client_id);
    Ok(columns(
        &second(&event.timestamp),
        client,
        &event.number.to_string(),
        &event.type_name,
        event.data["environment"].as_str().unwrap_or("-"),
        &subject(&event.data),
    ))
}

/// Aligns the columns of a line, whose widths are fixed because later lines are unknown.
fn columns(
    at: &str,
    client: &str,
    number: &str,
    type_name: &str,
    env: &str,
    subject: &str,
) -> String {
    let client = printable(client);
    let subject = printable(subject);
    format!("{at:<19}  {client:<16}  {number:>6}  {type_name:<19}  {env:<7}  {subject}")
        .trim_end()
        .to_owned()
}

/// Formats the object of an event: the answer, and the members that name the object.
fn subject(data: &Map<String, Value>) -> String {
    let mut words = Vec::new();
    for (member, value) in data {
        match (member.as_str(), value) {
            ("environment" | "confidence", _) => {}
            ("isBot", Value::Bool(is_bot)) => {
                let answer = if *is_bot { "bot" } else { "human" };
                let score = data
                    .get("confidence")
                    .and_then(|confidence| confidence["score"].as_f64());
                words.push(
                    score.map_or_else(|| answer.to_owned(), |score| format!("{answer} {score:.2}")),
                );
            }
            ("row", value) => words.push(format!("row {value}")),
            (_, Value::String(text)) => words.push(text.clone()),
            (_, value) => words.push(value.to_string()),
        }
    }
    words.join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn line(event_type: &str, data: &Value) -> String {
        let event = json!({
            "client_id": "01kanc5xt6f3vq0d9g8m2y7rwb", "client_name": "acme", "id": "01kanc5xt6f3vq0d9g8m2y7rwb-7", "number": 7,
            "type": event_type, "timestamp": "2026-11-21T10:00:00.123Z", "data": data,
        });
        event_line(&event.to_string()).unwrap()
    }

    #[test]
    fn verdict_is_shown_with_its_answer() {
        let data = json!({
            "environment": "live", "context_id": "quest.01k", "eoa_address": "0xaa", "isBot": true,
            "confidence": { "score": 0.98 },
        });
        let flagged = line("verdict.flagged", &data);
        let fixed_columns =
            "2026-11-21 10:00:00  acme                   7  verdict.flagged      live     ";
        assert!(flagged.starts_with(fixed_columns), "{flagged}");
        for word in ["0xaa", "quest.01k", "bot 0.98"] {
            assert!(flagged.contains(word), "{flagged}");
        }
        assert!(!flagged.contains("score"), "{flagged}");
    }

    #[test]
    fn columns_begin_below_their_headings() {
        let cap_reached = line(
            "usage.cap_reached",
            &json!({ "environment": "sandbox", "row": 12 }),
        );
        let heading = heading();
        for (name, value) in [
            ("CLIENT", "acme"),
            ("TYPE", "usage."),
            ("SUBJECT", "row 12"),
        ] {
            assert_eq!(heading.find(name), cap_reached.find(value), "{name}");
        }
    }

    #[test]
    fn control_characters_of_a_name_are_escaped() {
        let invoice = line(
            "invoice.paid",
            &json!({ "environment": "live", "invoice_id": "a\u{1b}-1" }),
        );
        assert!(invoice.ends_with("a\\u{1b}-1"), "{invoice}");
    }

    #[test]
    fn unreadable_event_is_an_error() {
        assert!(event_line("{}").unwrap_err().message.contains("version"));
    }
}
