//! Operation in the OpenAPI document.

use super::responses::{answer_headers, errors};
use crate::ErrorId;
use serde_json::{Map, Value, json};

/// Tags with their descriptions.
pub const TAGS: [(&str, &str); 6] = [
    ("Lookups", "Query the verdict of an address in a context. Each answered lookup is billed."),
    ("Contexts", "Register and change contexts."),
    ("Checks", "Create sessions for visitors, and redeem the receipts of their checks."),
    ("Usage", "Read the ledger of the client: counts, head, export."),
    ("Invoices", "Read the invoices of the client."),
    ("Service", "Keys of signatures, this document, liveness."),
];

/// Errors of every operation.
const COMMON_ERRORS: [ErrorId; 5] =
    [ErrorId::MethodNotAllowed, ErrorId::UriTooLong, ErrorId::HeadersTooLarge, ErrorId::Internal, ErrorId::Unavailable];

/// Additional errors of operations that need a key.
const API_KEY_ERRORS: [ErrorId; 5] =
    [ErrorId::RateLimited, ErrorId::InvalidKey, ErrorId::Forbidden, ErrorId::KeyInBrowser, ErrorId::ClientSuspended];

/// Additional errors of operations with a request body.
const BODY_ERRORS: [ErrorId; 5] = [
    ErrorId::InvalidJson,
    ErrorId::InvalidRequest,
    ErrorId::RequestTimeout,
    ErrorId::PayloadTooLarge,
    ErrorId::UnsupportedMediaType,
];

/// Body of a 200 response.
pub enum ResponseBody {
    /// Success envelope around the component with this name.
    Enveloped(&'static str),
    /// Component with this name, without an envelope.
    Plain(&'static str),
    /// JSON object without a schema.
    Object,
    /// Text of one of these media types.
    Text(&'static [&'static str]),
}

/// Operation, as its endpoint describes it.
pub struct Operation {
    /// HTTP method in lower case.
    pub method: &'static str,
    /// Path with the names of its parameters.
    pub path: &'static str,
    /// Operation id.
    pub id: &'static str,
    /// Summary in one line.
    pub summary: &'static str,
    /// Description.
    pub description: &'static str,
    /// `true` if the operation requires an API key.
    pub needs_key: bool,
    /// Parameters in path, query and headers.
    pub parameters: Vec<Value>,
    /// Component of the request body.
    pub request: Option<&'static str>,
    /// Body of a 200 response.
    pub answer: ResponseBody,
    /// Additional headers of the 200 response: name, `true` if always present, description.
    pub headers: &'static [(&'static str, bool, &'static str)],
    /// Errors of this operation only.
    pub errors: &'static [ErrorId],
}

impl Operation {
    /// Returns the OpenAPI operation object.
    pub fn describe(&self, shared: &mut Map<String, Value>) -> Value {
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

    /// Returns the tag, which depends on the resource in the path.
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

    /// Returns the errors that the operation can return.
    pub fn all_errors(&self) -> impl Iterator<Item = ErrorId> {
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
    /// Returns the content of the 200 response by media type.
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

/// Returns the schema of the success envelope.
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
