//! An operation of the admin API.

use super::EVERYWHERE;
use crate::admin::AdminRoute;
use crate::error_table::ErrorId;
use crate::openapi::{answer_headers, error_responses};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// Schemas with their names in the document.
pub(super) type NamedSchemas = Vec<(String, RefOr<Schema>)>;

/// Errors of an operation with a body, beside those of all.
const WITH_BODY: [ErrorId; 5] = [
    ErrorId::InvalidJson,
    ErrorId::InvalidRequest,
    ErrorId::RequestTimeout,
    ErrorId::PayloadTooLarge,
    ErrorId::UnsupportedMediaType,
];

/// Every tag, by the first segment of the path, with its description.
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

/// The body of a 200.
enum Answer {
    /// The success envelope around this schema.
    Enveloped(Value),
    /// This media type, streamed.
    Stream(&'static str),
}

/// An operation as it is described, with the schemas that it needs.
pub(super) struct AdminOperation {
    pub(super) method: &'static str,
    /// The path below `/admin/v1`.
    pub(super) path: &'static str,
    id: &'static str,
    summary: &'static str,
    query: &'static [(&'static str, bool, &'static str)],
    request: Option<Value>,
    answer: Answer,
    collect: Vec<fn(&mut NamedSchemas)>,
}

/// Adds the schema of a type, and those that it refers to.
fn collect<T: ToSchema>(into: &mut NamedSchemas) {
    into.push((T::name().into_owned(), T::schema()));
    T::schemas(into);
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

    /// An operation that answers with one value.
    pub(super) fn one<T: ToSchema>(
        method: &'static str,
        path: &'static str,
        names: (&'static str, &'static str),
    ) -> Self {
        let operation = Self::new(method, path, names, Answer::Enveloped(reference::<T>()));
        Self { collect: vec![collect::<T>], ..operation }
    }

    /// An operation that answers with a list.
    pub(super) fn list<T: ToSchema>(
        method: &'static str,
        path: &'static str,
        names: (&'static str, &'static str),
    ) -> Self {
        let items = json!({ "type": "array", "items": reference::<T>() });
        Self { collect: vec![collect::<T>], ..Self::new(method, path, names, Answer::Enveloped(items)) }
    }

    /// An operation that answers with a stream of this media type.
    pub(super) fn stream(
        method: &'static str,
        path: &'static str,
        names: (&'static str, &'static str),
        media: &'static str,
    ) -> Self {
        Self::new(method, path, names, Answer::Stream(media))
    }

    /// An operation of which only the route is known.
    pub(super) fn undescribed(method: &'static str) -> Self {
        Self::new(method, "", ("", ""), Answer::Enveloped(json!({})))
    }

    /// The operation with a body.
    pub(super) fn takes<T: ToSchema>(mut self) -> Self {
        self.collect.push(collect::<T>);
        Self { request: Some(reference::<T>()), ..self }
    }

    /// The operation with the schema of a line of its stream.
    pub(super) fn with_lines_of<T: ToSchema>(mut self) -> Self {
        self.collect.push(collect::<T>);
        self
    }

    /// The operation with query parameters: name, `true` if it is required, description.
    pub(super) fn query(self, query: &'static [(&'static str, bool, &'static str)]) -> Self {
        Self { query, ..self }
    }

    /// Adds the schemas that the operation needs.
    pub(super) fn schemas(&self, into: &mut NamedSchemas) {
        self.collect.iter().for_each(|collect| collect(into));
    }

    /// The operation object.
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

    /// The errors that the operation may answer with.
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

/// The tag of a path: its first segment, if that is a tag.
fn tag(path: &str) -> &'static str {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    TAGS.into_iter().map(|(name, _)| name).find(|name| *name == first).unwrap_or("service")
}
