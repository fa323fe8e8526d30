//! Error answers, from the table of errors.

use crate::error_table::ErrorId;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The headers that every answer has.
pub(super) fn answer_headers() -> Value {
    json!({
        "x-request-id": {
            "required": true,
            "description": "Names the request: the caller's own id if it sent a plain one, else one of ours.",
            "schema": { "type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$" },
        },
        "cache-control": { "required": true, "schema": { "type": "string" } },
        "ratelimit": {
            "required": false,
            "description": "What an authenticated caller may still do (draft-ietf-httpapi-ratelimit-headers).",
            "schema": { "type": "string" },
        },
        "ratelimit-policy": {
            "required": false,
            "description": "The limit that applies.",
            "schema": { "type": "string" },
        },
    })
}

/// One response for each status, closed: `error.code` and `error.id` are those that can come with it.
pub(super) fn errors(errors: impl Iterator<Item = ErrorId>) -> Value {
    let mut by_status = BTreeMap::<u16, Vec<ErrorId>>::new();
    for error in errors {
        let same = by_status.entry(error.row().status).or_default();
        if !same.contains(&error) {
            same.push(error);
        }
    }
    let responses: Map<_, _> =
        by_status.into_iter().map(|(status, errors)| (status.to_string(), response(status, &errors))).collect();
    Value::Object(responses)
}

fn response(status: u16, errors: &[ErrorId]) -> Value {
    let mut codes: Vec<_> = errors.iter().map(|error| error.row().code).collect();
    codes.dedup();
    let ids: Vec<_> = errors.iter().map(|error| error.row().id).collect();
    let words: Vec<_> = errors.iter().map(|error| error.row().message).collect();
    let mut headers = answer_headers();
    if let Some((name, description)) = header_of(status) {
        headers[name] = json!({ "required": true, "description": description, "schema": { "type": "string" } });
    }
    json!({
        "description": words.join(" / "),
        "headers": headers,
        "content": { "application/json": { "schema": envelope(&codes, &ids) } },
    })
}

fn header_of(status: u16) -> Option<(&'static str, &'static str)> {
    match status {
        401 => Some(("www-authenticate", "How to authenticate.")),
        405 => Some(("allow", "The methods that the path takes.")),
        429 | 503 => Some(("retry-after", "Whole seconds after which to try again.")),
        _ => None,
    }
}

/// The error envelope (requirement, section 2.3).
fn envelope(codes: &[&str], ids: &[&str]) -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["success", "error"],
        "properties": {
            "success": { "const": false },
            "error": {
                "type": "object",
                "additionalProperties": false,
                "required": ["id", "code", "message"],
                "properties": {
                    "id": { "type": "string", "enum": ids },
                    "code": { "type": "string", "enum": codes },
                    "message": { "type": "string" },
                },
            },
        },
    })
}
