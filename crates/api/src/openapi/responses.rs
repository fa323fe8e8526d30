//! Error responses from the error table. Each is a component that the operations share.

use crate::{ErrorId, ErrorSpec};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Names of the headers of every response.
const ALWAYS: [&str; 4] = [
    "x-request-id",
    "cache-control",
    "ratelimit",
    "ratelimit-policy",
];

/// Name of the schema of all errors.
pub(super) const ERROR: &str = "Error";

/// Returns the shared headers by name.
pub(super) fn header_components() -> Value {
    json!({
        "x-request-id": {
            "required": true,
            "description": "Id of the request: the caller's own if it sent a plain one, else a random one.",
            "schema": { "type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$" },
        },
        "cache-control": { "required": true, "schema": { "type": "string" } },
        "ratelimit": {
            "description": "Remaining requests of an authenticated caller (draft-ietf-httpapi-ratelimit-headers).",
            "schema": { "type": "string" },
        },
        "ratelimit-policy": { "description": "The limit that applies.", "schema": { "type": "string" } },
        "www-authenticate": {
            "required": true, "description": "Authentication scheme of the request.", "schema": { "type": "string" },
        },
        "allow": {
            "required": true, "description": "The methods that the path takes.", "schema": { "type": "string" },
        },
        "retry-after": {
            "required": true,
            "description": "Whole seconds after which to try again.",
            "schema": { "type": "string" },
        },
    })
}

/// Returns references to the headers of every response.
pub(super) fn answer_headers() -> Value {
    ALWAYS
        .into_iter()
        .map(|name| (name.to_owned(), header(name)))
        .collect()
}

fn header(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

/// Returns references to one response for each status; adds the responses to `shared`.
pub(super) fn errors(
    errors: impl Iterator<Item = ErrorId>,
    shared: &mut Map<String, Value>,
) -> Value {
    let mut by_status = BTreeMap::<u16, Vec<ErrorId>>::new();
    for error in errors {
        let same = by_status.entry(error.row().status).or_default();
        if !same.contains(&error) {
            same.push(error);
        }
    }
    let mut responses = Map::new();
    for (status, mut errors) in by_status {
        errors.sort_by_key(|error| error.row().id);
        let ids: Vec<_> = errors.iter().map(|error| error.row().id).collect();
        let name = format!("{status}.{}", ids.join("."));
        responses.insert(
            status.to_string(),
            json!({ "$ref": format!("#/components/responses/{name}") }),
        );
        shared
            .entry(name)
            .or_insert_with(|| response(status, &errors));
    }
    Value::Object(responses)
}

fn response(status: u16, errors: &[ErrorId]) -> Value {
    let descriptions: Vec<_> = errors
        .iter()
        .map(|error| description(error.row()))
        .collect();
    let mut headers = answer_headers();
    if let Some(name) = header_of(status) {
        headers[name] = header(name);
    }
    let schema = json!({ "$ref": format!("#/components/schemas/{ERROR}") });
    json!({
        "description": descriptions.join("\n"),
        "headers": headers,
        "content": { "application/json": { "schema": schema } },
    })
}

/// Describes an error as an item of a Markdown list.
fn description(
    ErrorSpec {
        id,
        code,
        cause,
        action,
        ..
    }: ErrorSpec,
) -> String {
    format!("- `{id}` `{code}`: {cause} {action}")
}

fn header_of(status: u16) -> Option<&'static str> {
    match status {
        401 => Some("www-authenticate"),
        405 => Some("allow"),
        429 | 503 => Some("retry-after"),
        _ => None,
    }
}

/// Returns the schema of all errors: the closed envelope, with the ids and codes of `errors`.
pub(super) fn error_schema(errors: impl Iterator<Item = ErrorId>) -> Value {
    let (mut ids, mut codes): (Vec<_>, Vec<_>) = errors
        .map(|error| (error.row().id, error.row().code))
        .unzip();
    for names in [&mut ids, &mut codes] {
        names.sort_unstable();
        names.dedup();
    }
    let mut schema = json!({
        "type": "object",
        "description": "Every error. The description of a response lists the ids that come with it.",
        "additionalProperties": false,
        "required": ["success", "error"],
        "properties": {
            "success": { "const": false },
            "error": {
                "type": "object",
                "additionalProperties": false,
                "required": ["id", "code", "message"],
                "properties": {
                    "id": { "type": "string", "description": "Stable for each cause. Each id has a page in the documentation of the service: `/docs/reference/errors/{id}.html`.", "enum": ids },
                    "code": { "type": "string", "description": "Error code for programs.", "enum": codes },
                    "message": { "type": "string", "description": "Cause of the error and remedy, for people." },
                },
            },
        },
    });
    if codes.contains(&ErrorId::QuotaExceeded.row().code) {
        schema["properties"]["error"]["properties"]["remaining"] = json!({
            "type": "integer",
            "minimum": 0,
            "description": "Number of lookups that the cap still allows; only with 402 of a batch or a quote.",
        });
    }
    schema
}
