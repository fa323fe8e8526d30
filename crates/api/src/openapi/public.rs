//! OpenAPI document of the public API.

use super::NamedSchemas;
use super::document::{DocumentParts, add_request_body, named_schemas};
use super::responses::{answer_headers, errors};
use crate::public::routes::{PUBLIC_ROUTES, PublicRoute, RequestContent, ResponseBody};
use serde_json::{Map, Value, json};

/// Description of the service in the document.
const DESCRIPTION: &str = "Decides whether an account address (EOA) is controlled by a bot, per context. \
    Obtain an API key, register a context, attach the window to a frontend element, and query the result. \
    Addresses are taken in lower case, in upper case, or in mixed case with a correct EIP-55 checksum.";

/// Tags with their descriptions.
const TAGS: [(&str, &str); 8] = [
    (
        "Lookups",
        "Query the verdict of an address in a context. Each answered lookup is billed.",
    ),
    ("Contexts", "Register and change contexts."),
    (
        "Checks",
        "Create sessions for visitors, and redeem the receipts of their checks.",
    ),
    (
        "Snapshots",
        "Look up long lists of addresses for rewards, and quote the cost.",
    ),
    (
        "Usage",
        "Read the ledger of the client: counts, head, export.",
    ),
    ("Invoices", "Read the invoices of the client."),
    (
        "Webhooks",
        "Send events to a URL, and read the log of the deliveries.",
    ),
    ("Service", "Keys of signatures, this document, liveness."),
];

/// Builds the document of the public API in OpenAPI 3.1.
pub fn public_document() -> Value {
    let mut paths = Map::new();
    let mut responses = Map::new();
    let mut component_schemas = NamedSchemas::new();
    for route in PUBLIC_ROUTES {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.as_str().to_lowercase()] =
            describe(route, &mut responses, &mut component_schemas);
    }
    let parts = DocumentParts {
        title: "Voight",
        description: DESCRIPTION,
        server: "The service that this document was read from.",
        tags: &TAGS,
        paths,
        responses,
        schemas: named_schemas(component_schemas, close),
        security_schemes: json!({
            "api_key": {
                "type": "apiKey",
                "in": "header",
                "name": "x-api-key",
                "description": "A secret key of the client. Never send it from a browser.",
            },
        }),
    };
    parts.into_document(PUBLIC_ROUTES.iter().flat_map(PublicRoute::all_errors))
}

/// Closes every object of a schema, because no other members are sent or accepted. The parts of a flattened struct become one
/// object, which can be closed.
fn close(schema: &mut Value) {
    if let Some(Value::Array(parts)) = schema
        .as_object_mut()
        .and_then(|schema| schema.remove("allOf"))
    {
        let mut properties = Map::new();
        let mut required_members = Vec::new();
        for mut part in parts {
            close(&mut part);
            properties.extend(
                part["properties"]
                    .as_object_mut()
                    .into_iter()
                    .flat_map(std::mem::take),
            );
            required_members.extend(
                part["required"]
                    .as_array_mut()
                    .into_iter()
                    .flat_map(std::mem::take),
            );
        }
        schema["type"] = json!("object");
        schema["properties"] = properties.into();
        schema["required"] = required_members.into();
    }
    match schema {
        Value::Array(items) => items.iter_mut().for_each(close),
        Value::Object(members) => {
            if members.contains_key("properties") {
                members.insert("additionalProperties".to_owned(), false.into());
            }
            members.values_mut().for_each(close);
        }
        _ => {}
    }
}

/// Returns the OpenAPI operation object of a route.
fn describe(
    route: &PublicRoute,
    shared: &mut Map<String, Value>,
    schemas: &mut NamedSchemas,
) -> Value {
    let mut responses = errors(route.all_errors(), shared);
    let mut headers = answer_headers();
    for (name, always, description) in route.headers {
        headers[*name] = json!({ "required": always, "description": description, "schema": { "type": "string" } });
    }
    let content = content(route.response, schemas);
    responses["200"] = json!({ "description": "Success", "headers": headers, "content": content });
    let mut operation = json!({
        "operationId": route.id,
        "tags": [tag(route.path)],
        "summary": route.summary,
        "description": route.description,
        "parameters": (route.parameters)(),
        "responses": responses,
        "security": if route.scope.is_some() { json!([{ "api_key": [] }]) } else { json!([]) },
    });
    match route.request {
        Some(RequestContent::Files(types)) => {
            let content: Map<String, Value> = types
                .iter()
                .map(|media| {
                    (
                        (*media).to_owned(),
                        json!({ "schema": { "type": "string" } }),
                    )
                })
                .collect();
            operation["requestBody"] = json!({ "required": true, "content": content });
        }
        Some(RequestContent::Json(schema)) => {
            add_request_body(&mut operation, Some(schema), schemas);
        }
        None => {}
    }
    operation
}

/// Returns the tag, which depends on the resource in the path.
fn tag(path: &str) -> &'static str {
    match path
        .strip_prefix("/api/v1/")
        .and_then(|path| path.split('/').next())
    {
        Some("users") => "Lookups",
        Some("register" | "contexts") => "Contexts",
        Some("sessions" | "receipts") => "Checks",
        Some("snapshots" | "quotes") => "Snapshots",
        Some("usage") => "Usage",
        Some("invoices") => "Invoices",
        Some("webhooks") => "Webhooks",
        _ => "Service",
    }
}

/// Returns the content of the 200 response by media type.
fn content(response: ResponseBody, schemas: &mut NamedSchemas) -> Value {
    let json = |schema: Value| json!({ "application/json": { "schema": schema } });
    match response {
        ResponseBody::Enveloped(schema) => json(envelope(&schema(schemas))),
        ResponseBody::Plain(schema) => json(schema(schemas)),
        ResponseBody::Object => json(json!({ "type": "object" })),
        ResponseBody::File(types) => types
            .iter()
            .map(|media| ((*media).to_owned(), json!({})))
            .collect(),
        ResponseBody::Text(types) => types
            .iter()
            .map(|media| {
                (
                    (*media).to_owned(),
                    json!({ "schema": { "type": "string" } }),
                )
            })
            .collect(),
    }
}

/// Returns the schema of the success envelope around `data`.
fn envelope(data: &Value) -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["success", "data"],
        "properties": {
            "success": { "const": true },
            "test": { "const": true, "description": "Only there in the sandbox." },
            "data": data,
        },
    })
}
