//! Shape of a response, without the values that are drawn for each check.

use crate::oracle::wire::WireReply;
use serde_json::Value;

/// Returns the status, the headers in their order, and the body's members with their types and lengths.
pub(crate) fn shape(reply: &WireReply) -> String {
    let head: Vec<_> = reply.head.trim_end().lines().map(header).collect();
    let body: Value = serde_json::from_str(&reply.body).expect("a JSON body");
    format!("{} {}", head.join("; "), members(&body))
}

/// Removes values that differ between calls: ids, dates, and the length of the body, which depends on its members.
fn header(line: &str) -> String {
    match line.split_once(": ") {
        Some((name @ ("x-request-id" | "date"), value)) => {
            format!("{name}: {} characters", value.len())
        }
        Some(("content-length", _)) => "content-length".to_owned(),
        _ => line.to_owned(),
    }
}

fn members(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(_) => "number".to_owned(),
        Value::String(text) => format!("{} characters", text.len()),
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(members).collect::<Vec<_>>().join(", ")
        ),
        Value::Object(object) => {
            let members: Vec<_> = object
                .iter()
                .map(|(name, value)| format!("{name}: {}", members(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}
