//! Operation of the admin API in the OpenAPI document.

use super::EVERYWHERE;
use crate::admin::AdminRoute;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use voight_api::ErrorId;
use voight_api::openapi::{NamedSchemas, add_schema, answer_headers, error_responses};

/// Errors of an operation with a request body, in addition to those of all operations.
const WITH_BODY: [ErrorId; 5] = [
    ErrorId::InvalidJson,
    ErrorId::InvalidRequest,
    ErrorId::RequestTimeout,
    ErrorId::PayloadTooLarge,
    ErrorId::UnsupportedMediaType,
];

/// Tags with their descriptions. The tag of an operation is the first segment of its path.
pub(super) const TAGS: [(&str, &str); 12] = [
    ("clients", "Clients: billing accounts."),
    ("keys", "API keys of clients."),
    ("contexts", "Contexts, their verdicts, labels, clusters, recordings and replays."),
    ("calibration", "Answers compared with labels."),
    ("invoices", "Invoices of clients."),
    ("usage", "Lookups of clients."),
    ("audit", "The audit log, and exports of ledgers."),
    ("erasures", "Erasure of addresses."),
    ("tokens", "Named admin tokens."),
    ("signing-keys", "Keys that sign receipts and heads of ledgers."),
    ("store", "The store and its dumps."),
    ("service", "The service itself."),
];

/// Body of a 200 response.
enum Answer {
    /// Success envelope around a value of this schema.
    Enveloped(Value),
    /// Stream of this media type.
    Stream(&'static str),
}

/// Description of an operation, with the schemas that it needs.
pub(super) struct AdminOperation {
    pub(super) method: &'static str,
    /// Path below `/admin/v1`.
    pub(super) path: &'static str,
    id: &'static str,
    summary: &'static str,
    query: &'static [(&'static str, bool, &'static str)],
    request: Option<Value>,
    answer: Answer,
    collect: Vec<fn(&mut NamedSchemas)>,
}

fn reference<T: ToSchema>() -> Value {
    json!({ "$ref": format!("#/components/schemas/{}", T::name()) })
}

impl AdminOperation {
    fn new(
        method: &'static str,
        path: &'static str,
        (id, summary): (&'static str, &'static str),
        answer: Answer,
    ) -> Self {
        Self { method, path, id, summary, query: &[], request: None, answer, collect: Vec::new() }
    }

    /// Creates an operation that returns one value.
    pub(super) fn one<T: ToSchema>(
        method: &'static str,
        path: &'static str,
        names: (&'static str, &'static str),
    ) -> Self {
        let operation = Self::new(method, path, names, Answer::Enveloped(reference::<T>()));
        Self { collect: vec![add_schema::<T>], ..operation }
    }

    /// Creates an operation that returns a list.
    pub(super) fn list<T: ToSchema>(
        method: &'static str,
        path: &'static str,
        names: (&'static str, &'static str),
    ) -> Self {
        let items = json!({ "type": "array", "items": reference::<T>() });
        Self { collect: vec![add_schema::<T>], ..Self::new(method, path, names, Answer::Enveloped(items)) }
    }

    /// Creates an operation that returns a stream of this media type.
    pub(super) fn stream(
        method: &'static str,
        path: &'static str,
        names: (&'static str, &'static str),
        media: &'static str,
    ) -> Self {
        Self::new(method, path, names, Answer::Stream(media))
    }

    /// Creates an operation for a route without a description.
    pub(super) fn undescribed(method: &'static str) -> Self {
        Self::new(method, "", ("", ""), Answer::Enveloped(json!({})))
    }

    /// Sets the type of the request body.
    pub(super) fn takes<T: ToSchema>(mut self) -> Self {
        self.collect.push(add_schema::<T>);
        Self { request: Some(reference::<T>()), ..self }
    }

    /// Adds the schema of a line of the streamed response.
    pub(super) fn with_lines_of<T: ToSchema>(mut self) -> Self {
        self.collect.push(add_schema::<T>);
        self
    }

    /// Sets the query parameters: name, `true` if required, description.
    pub(super) fn query(self, query: &'static [(&'static str, bool, &'static str)]) -> Self {
        Self { query, ..self }
    }

    /// Adds the schemas that the operation needs.
    pub(super) fn schemas(&self, into: &mut NamedSchemas) {
        self.collect.iter().for_each(|collect| collect(into));
    }

    /// Returns the OpenAPI operation object.
    pub(super) fn describe(&self, route: &AdminRoute, responses: &mut Map<String, Value>) -> Value {
        let in_path = route.path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        let in_path =
            in_path.map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }));
        let in_query = self.query.iter().map(|(name, required, description)| {
            let schema = json!({ "type": "string" });
            json!({ "name": name, "in": "query", "required": required, "description": description, "schema": schema })
        });
        let mut described = error_responses(self.errors().into_iter(), responses);
        described["200"] = json!({ "description": "Success", "headers": answer_headers(), "content": self.content() });
        let mut operation = json!({
            "operationId": self.id,
            "tags": [tag(&route.path)],
            "summary": self.summary,
            "x-permission": format!("{:?}", route.permission),
            "parameters": in_path.chain(in_query).collect::<Vec<_>>(),
            "responses": described,
            "security": [{ "admin_token": [] }],
        });
        if let Some(schema) = &self.request {
            operation["requestBody"] =
                json!({ "required": true, "content": { "application/json": { "schema": schema } } });
        }
        operation
    }

    /// Returns the errors that the operation can return.
    pub(super) fn errors(&self) -> Vec<ErrorId> {
        let with_body = self.request.is_some().then_some(WITH_BODY).into_iter().flatten();
        let with_names = [ErrorId::InvalidRequest, ErrorId::NotFound, ErrorId::Conflict];
        EVERYWHERE.into_iter().chain(with_body).chain(with_names).collect()
    }

    fn content(&self) -> Value {
        match &self.answer {
            Answer::Stream(media) => json!({ *media: { "schema": { "type": "string" } } }),
            Answer::Enveloped(schema) => {
                let envelope = json!({
                    "type": "object",
                    "required": ["success", "data"],
                    "properties": { "success": { "const": true }, "data": schema },
                });
                json!({ "application/json": { "schema": envelope } })
            }
        }
    }
}

/// Returns the tag of a path: its first segment if that is a tag, otherwise `service`.
fn tag(path: &str) -> &'static str {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    TAGS.into_iter().map(|(name, _)| name).find(|name| *name == first).unwrap_or("service")
}
