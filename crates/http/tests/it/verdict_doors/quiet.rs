//! Operations of the public API that reveal no verdict.

use super::world::{Caller, World, render};
use crate::common::ADDRESS;
use serde_json::{Value, json};

/// Operation that is no door, with a request.
#[derive(Debug)]
pub(crate) struct QuietOperation {
    /// Operation of the OpenAPI document.
    pub(crate) id: &'static str,
    method: &'static str,
    /// Path, in which `{context}` and `{webhook}` are those of the owner.
    path: &'static str,
    /// Returns the body for a context; null for none.
    body: fn(&str) -> Value,
}

const fn read(id: &'static str, path: &'static str) -> QuietOperation {
    QuietOperation {
        id,
        method: "GET",
        path,
        body: |_| Value::Null,
    }
}

const fn change(
    id: &'static str,
    method: &'static str,
    path: &'static str,
    body: fn(&str) -> Value,
) -> QuietOperation {
    QuietOperation {
        id,
        method,
        path,
        body,
    }
}

/// Operations in the order of their calls: an object is deleted last.
pub(crate) const QUIET_OPERATIONS: [QuietOperation; 20] = [
    read("getLiveness", "/livez"),
    read("getOpenApi", "/openapi.json"),
    read("getKeys", "/.well-known/voight-keys.json"),
    change(
        "registerContext",
        "POST",
        "/api/v1/register/context_id",
        |_| json!({"context_title": "other"}),
    ),
    change(
        "changeContext",
        "PATCH",
        "/api/v1/contexts/{context}",
        |_| json!({"retention_days": 10}),
    ),
    change(
        "createSession",
        "POST",
        "/api/v1/sessions",
        |context| json!({"context_id": context, "eoa_address": ADDRESS}),
    ),
    change(
        "createQuote",
        "POST",
        "/api/v1/quotes",
        |context| json!({"context_id": context, "units": 1}),
    ),
    read("getUsage", "/api/v1/usage"),
    read("getLedgerHead", "/api/v1/usage/head"),
    read("listInvoices", "/api/v1/invoices"),
    read(
        "getInvoice",
        "/api/v1/invoices/01kanc5xt6f3vq0d9g8m2y7rwb-1",
    ),
    change(
        "createWebhook",
        "POST",
        "/api/v1/webhooks",
        |_| json!({"url": "https://hooks.example/"}),
    ),
    read("listWebhooks", "/api/v1/webhooks"),
    read("getWebhook", "{webhook}"),
    change(
        "changeWebhook",
        "PATCH",
        "{webhook}",
        |_| json!({"state": "paused"}),
    ),
    change("rotateWebhook", "POST", "{webhook}/rotate", |_| Value::Null),
    change("testWebhook", "POST", "{webhook}/test", |_| Value::Null),
    read("listWebhookDeliveries", "{webhook}/deliveries"),
    change("deleteWebhook", "DELETE", "{webhook}", |_| Value::Null),
    change(
        "deleteSnapshot",
        "DELETE",
        "/api/v1/snapshots/01kanc5xt6f3vq0d9g8m2y7rwb",
        |_| Value::Null,
    ),
];

/// Calls all operations as the owner, and returns each with its response.
pub(crate) async fn call_all(world: &World) -> Vec<(&'static str, String)> {
    let context = world.context(Caller::Owner);
    let (_, webhook) = world.endpoint(Caller::Owner);
    let mut responses = Vec::new();
    for operation in &QUIET_OPERATIONS {
        let path = operation.path.replace("{context}", context);
        let path = path.replace("{webhook}", webhook);
        let body = (operation.body)(context);
        let body = (!body.is_null()).then(|| ("application/json", body.to_string()));
        let answer = world
            .send(Caller::Owner, operation.method, &path, body)
            .await;
        let is_missing = ["getInvoice", "deleteSnapshot"].contains(&operation.id);
        let expected_status = if is_missing { 404 } else { 200 };
        assert_eq!(
            answer.status, expected_status,
            "{}: {}",
            operation.id, answer.body
        );
        responses.push((operation.id, render(&answer)));
    }
    responses
}
