//! Rows of webhook endpoints.

use super::{DELIVERY_PAGE, PageLimits, PublicRoute, RequestContent, ResponseBody};
use crate::ErrorId;
use crate::openapi::{optional_query, schema_of};
use crate::public::{
    ChangeWebhook, CreateWebhook, DeletedWebhook, ReplayWebhook, WebhookDeliveries,
    WebhookDelivery, WebhookEndpoint, WebhookEndpoints,
};
use crate::route::Method;
use serde_json::{Value, json};
use voight_domain::vocabulary::Scope;

/// Errors of requests that name an endpoint and have no body.
const ENDPOINT_ERRORS: &[ErrorId] = &[ErrorId::InvalidRequest, ErrorId::WebhookNotFound];

/// Create a webhook endpoint.
pub const CREATE_WEBHOOK: PublicRoute = PublicRoute {
    method: Method::Post,
    path: "/api/v1/webhooks",
    id: "createWebhook",
    summary: "Create a webhook endpoint",
    description: "Creates a URL to which the events of the client are sent, in the environment of the key, from the next \
        event on. Only this response and that to a rotation contain the secret that verifies the signatures. A client has at \
        most ten endpoints. Needs the scope webhooks:write.",
    scope: Some(Scope::WebhooksWrite),
    parameters: Vec::new,
    request: Some(RequestContent::Json(schema_of::<CreateWebhook>)),
    response: ResponseBody::Enveloped(schema_of::<WebhookEndpoint>),
    headers: &[],
    errors: &[ErrorId::WebhookConflict, ErrorId::WebhooksDisabled],
};

/// List the webhook endpoints.
pub const LIST_WEBHOOKS: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/webhooks",
    id: "listWebhooks",
    summary: "List the webhook endpoints",
    description: "All endpoints of the client in the environment of the key, in the order of their creation. Needs the scope \
        webhooks:write.",
    scope: Some(Scope::WebhooksWrite),
    parameters: Vec::new,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<WebhookEndpoints>),
    headers: &[],
    errors: &[ErrorId::InvalidRequest],
};

/// Show a webhook endpoint.
pub const GET_WEBHOOK: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/webhooks/{id}",
    id: "getWebhook",
    summary: "Show a webhook endpoint",
    description: "The settings and the state of an endpoint. Needs the scope webhooks:write.",
    scope: Some(Scope::WebhooksWrite),
    parameters: endpoint_parameters,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<WebhookEndpoint>),
    headers: &[],
    errors: ENDPOINT_ERRORS,
};

/// Change a webhook endpoint.
pub const CHANGE_WEBHOOK: PublicRoute = PublicRoute {
    method: Method::Patch,
    path: "/api/v1/webhooks/{id}",
    id: "changeWebhook",
    summary: "Change a webhook endpoint",
    description: "Changes the URL, the filter or the state. A paused or disabled endpoint misses no event that is stored: its \
        events are sent when it is active again. Needs the scope webhooks:write.",
    scope: Some(Scope::WebhooksWrite),
    parameters: endpoint_parameters,
    request: Some(RequestContent::Json(schema_of::<ChangeWebhook>)),
    response: ResponseBody::Enveloped(schema_of::<WebhookEndpoint>),
    headers: &[],
    errors: &[ErrorId::WebhookNotFound, ErrorId::WebhooksDisabled],
};

/// Delete a webhook endpoint.
pub const DELETE_WEBHOOK: PublicRoute = PublicRoute {
    method: Method::Delete,
    path: "/api/v1/webhooks/{id}",
    id: "deleteWebhook",
    summary: "Delete a webhook endpoint",
    description: "Deletes an endpoint with its delivery log. Events that are not delivered yet are not sent to it. Needs the \
        scope webhooks:write.",
    scope: Some(Scope::WebhooksWrite),
    parameters: endpoint_parameters,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<DeletedWebhook>),
    headers: &[],
    errors: ENDPOINT_ERRORS,
};

/// Rotate the key of a webhook endpoint.
pub const ROTATE_WEBHOOK: PublicRoute = PublicRoute {
    method: Method::Post,
    path: "/api/v1/webhooks/{id}/rotate",
    id: "rotateWebhook",
    summary: "Rotate the key of a webhook endpoint",
    description: "Replaces the key that signs requests, and returns the new one. For 24 hours requests have a signature by \
        each of the two keys. Needs the scope webhooks:write.",
    scope: Some(Scope::WebhooksWrite),
    parameters: endpoint_parameters,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<WebhookEndpoint>),
    headers: &[],
    errors: ENDPOINT_ERRORS,
};

/// Send a test to a webhook endpoint.
pub const TEST_WEBHOOK: PublicRoute = PublicRoute {
    method: Method::Post,
    path: "/api/v1/webhooks/{id}/test",
    id: "testWebhook",
    summary: "Send a test to a webhook endpoint",
    description: "Sends an event of the type endpoint.test at once, also to a paused or disabled endpoint, and returns the \
        outcome. A failed test is not repeated and does not disable the endpoint. A client has at most two tests in progress. \
        Needs the scope webhooks:write.",
    scope: Some(Scope::WebhooksWrite),
    parameters: endpoint_parameters,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<WebhookDelivery>),
    headers: &[],
    errors: &[
        ErrorId::InvalidRequest,
        ErrorId::WebhookNotFound,
        ErrorId::WebhooksDisabled,
    ],
};

/// Send events to a webhook endpoint again.
pub const REPLAY_WEBHOOK: PublicRoute = PublicRoute {
    method: Method::Post,
    path: "/api/v1/webhooks/{id}/replay",
    id: "replayWebhook",
    summary: "Send events to a webhook endpoint again",
    description: "Sends one event, or all events since a time or after an event, again. Each keeps its id, by which the \
        receiver recognises it. Events that the filter excludes are not sent, except one that the request names; events are \
        stored for 30 days. Needs the scope webhooks:write.",
    scope: Some(Scope::WebhooksWrite),
    parameters: endpoint_parameters,
    request: Some(RequestContent::Json(schema_of::<ReplayWebhook>)),
    response: ResponseBody::Enveloped(schema_of::<WebhookEndpoint>),
    headers: &[],
    errors: &[
        ErrorId::NotFound,
        ErrorId::WebhookNotFound,
        ErrorId::WebhookConflict,
    ],
};

/// List the deliveries to a webhook endpoint.
pub const LIST_WEBHOOK_DELIVERIES: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/webhooks/{id}/deliveries",
    id: "listWebhookDeliveries",
    summary: "List the deliveries to a webhook endpoint",
    description: "The attempts of the last 14 days, at most the newest 1,000, newest first. Read without `before` first, then \
        with the `next_before` of the page before. Needs the scope webhooks:write.",
    scope: Some(Scope::WebhooksWrite),
    parameters: delivery_parameters,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<WebhookDeliveries>),
    headers: &[],
    errors: ENDPOINT_ERRORS,
};

fn endpoint_parameters() -> Vec<Value> {
    vec![json!({
        "name": "id",
        "in": "path",
        "required": true,
        "description": "The id of a webhook endpoint of this client.",
        "schema": { "type": "string", "pattern": "^[0-7][0-9a-hjkmnp-tv-z]{25}$" },
    })]
}

fn delivery_parameters() -> Vec<Value> {
    let number = json!({ "type": "integer", "minimum": 1, "maximum": i64::MAX });
    let PageLimits { default, max } = DELIVERY_PAGE;
    let limit = json!({ "type": "integer", "minimum": 1, "maximum": max, "default": default });
    let mut parameters = endpoint_parameters();
    parameters.push(optional_query(
        "before",
        "Number of the attempt before which the page starts; the newest attempt without it.",
        number,
    ));
    parameters.push(optional_query(
        "limit",
        "Maximum number of attempts in the response.",
        limit,
    ));
    parameters
}
