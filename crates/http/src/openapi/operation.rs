//! One operation.

use super::responses::{answer_headers, errors};
use crate::error_table::ErrorId;
use serde_json::{Map, Value, json};

/// Every tag, with its description.
pub(super) const TAGS: [(&str, &str); 6] = [
    ("Lookups", "Query the verdict of an address in a context. Each answered lookup is billed."),
    ("Contexts", "Register and change contexts."),
    ("Checks", "Create sessions for visitors, and redeem the receipts of their checks."),
    ("Usage", "Read the ledger of the client: counts, head, export."),
    ("Invoices", "Read the invoices of the client."),
    ("Service", "Keys of signatures, this document, liveness."),
];

/// What every operation may answer, whoever asks.
const COMMON_ERRORS: [ErrorId; 5] =
    [ErrorId::MethodNotAllowed, ErrorId::UriTooLong, ErrorId::HeadersTooLarge, ErrorId::Internal, ErrorId::Unavailable];

/// What an operation that needs a key may answer besides.
const API_KEY_ERRORS: [ErrorId; 5] =
    [ErrorId::RateLimited, ErrorId::InvalidKey, ErrorId::Forbidden, ErrorId::KeyInBrowser, ErrorId::ClientSuspended];

/// What an operation that reads a body may answer besides.
const BODY_ERRORS: [ErrorId; 5] = [
    ErrorId::InvalidJson,
    ErrorId::InvalidRequest,
    ErrorId::RequestTimeout,
    ErrorId::PayloadTooLarge,
    ErrorId::UnsupportedMediaType,
];

/// What an answer's body is.
pub(crate) enum ResponseBody {
    /// The success envelope around the component of this name.
    Enveloped(&'static str),
    /// The component of this name, as it is.
    Plain(&'static str),
    /// Any JSON object.
    Object,
    /// Text of one of these media types.
    Text(&'static [&'static str]),
}

/// An operation as its endpoint describes it.
pub(crate) struct Operation {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) id: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) description: &'static str,
    pub(crate) needs_key: bool,
    pub(crate) parameters: Vec<Value>,
    /// The component that the request's body is.
    pub(crate) request: Option<&'static str>,
    pub(crate) answer: ResponseBody,
    /// Headers of the 200 besides those that every answer has: name, whether it is always there, description.
    pub(crate) headers: &'static [(&'static str, bool, &'static str)],
    /// Errors of its own.
    pub(crate) errors: &'static [ErrorId],
}

impl Operation {
    /// The operation object.
    pub(super) fn describe(&self, shared: &mut Map<String, Value>) -> Value {
        let mut responses = errors(self.all_errors(), shared);
        responses["200"] = self.success();
        let mut operation = json!({
            "operationId": self.id,
            "tags": [self.tag()],
            "summary": self.summary,
            "description": self.description,
            "parameters": self.parameters,
            "responses": responses,
            "security": if self.needs_key { json!([{ "api_key": [] }]) } else { json!([]) },
        });
        if let Some(component) = self.request {
            let schema = reference(component);
            operation["requestBody"] =
                json!({ "required": true, "content": { "application/json": { "schema": schema } } });
        }
        operation
    }

    /// The tag, by the resource in the path.
    fn tag(&self) -> &'static str {
        let resource = self.path.strip_prefix("/api/v1/").and_then(|path| path.split('/').next());
        match resource {
            Some("users") => "Lookups",
            Some("register" | "contexts") => "Contexts",
            Some("sessions" | "receipts") => "Checks",
            Some("usage") => "Usage",
            Some("invoices") => "Invoices",
            _ => "Service",
        }
    }

    pub(super) fn all_errors(&self) -> impl Iterator<Item = ErrorId> {
        let with_key = self.needs_key.then_some(API_KEY_ERRORS).into_iter().flatten();
        let with_body = self.request.is_some().then_some(BODY_ERRORS).into_iter().flatten();
        COMMON_ERRORS.into_iter().chain(with_key).chain(with_body).chain(self.errors.iter().copied())
    }

    fn success(&self) -> Value {
        let mut headers = answer_headers();
        for (name, always, description) in self.headers {
            headers[*name] = json!({ "required": always, "description": description, "schema": { "type": "string" } });
        }
        json!({ "description": "Success", "headers": headers, "content": self.answer.content() })
    }
}

impl ResponseBody {
    /// The content of the 200, by media type.
    fn content(&self) -> Value {
        let json = |schema: Value| json!({ "application/json": { "schema": schema } });
        match self {
            Self::Enveloped(component) => json(envelope(component)),
            Self::Plain(component) => json(reference(component)),
            Self::Object => json(json!({ "type": "object" })),
            Self::Text(types) => {
                types.iter().map(|media| ((*media).to_owned(), json!({ "schema": { "type": "string" } }))).collect()
            }
        }
    }
}

fn reference(component: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{component}") })
}

/// The success envelope.
fn envelope(component: &str) -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["success", "data"],
        "properties": {
            "success": { "const": true },
            "test": { "const": true, "description": "Only there in the sandbox." },
            "data": reference(component),
        },
    })
}
