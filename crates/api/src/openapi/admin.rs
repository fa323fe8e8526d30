//! OpenAPI document of the admin API.

use super::NamedSchemas;
use super::document::{DocumentParts, add_request_body, named_schemas};
use super::responses::{answer_headers, errors};
use crate::admin::routes::ADMIN_ROUTES;
use crate::route::{AdminRoute, ResponseSchema};
use serde_json::{Map, Value, json};

const DESCRIPTION: &str = "API for operators. The command line speaks this API. A request carries an admin token, as \
    `Authorization: Bearer` or as a proof of it (POST /admin/v1/handshake). Each operation names the permission that the role of \
    the token needs. Where an id is expected, the unique beginning of it is accepted, the name of a client in place of its id, \
    and client/title in place of the id of a context.";

/// Tags with their descriptions. The tag of an operation is the first segment of its path.
const TAGS: [(&str, &str); 13] = [
    ("clients", "Clients: billing accounts."),
    ("keys", "API keys of clients."),
    (
        "contexts",
        "Contexts, their verdicts, labels, clusters, recordings and replays.",
    ),
    ("calibration", "Answers compared with labels."),
    ("invoices", "Invoices of clients."),
    ("usage", "Lookups of clients."),
    ("audit", "The audit log, and exports of ledgers."),
    ("events", "Events of clients."),
    ("erasures", "Erasure of addresses."),
    ("tokens", "Named admin tokens."),
    (
        "signing-keys",
        "Keys that sign receipts and heads of ledgers.",
    ),
    ("store", "The store and its dumps."),
    ("service", "The service itself."),
];

/// Builds the document of the admin API in OpenAPI 3.1.
pub fn admin_document() -> Value {
    let mut paths = Map::new();
    let mut responses = Map::new();
    let mut component_schemas = NamedSchemas::new();
    for route in ADMIN_ROUTES {
        let path = paths.entry(route.full_path()).or_insert_with(|| json!({}));
        path[route.method.as_str().to_lowercase()] =
            describe(route, &mut responses, &mut component_schemas);
    }
    let parts = DocumentParts {
        title: "Voight: admin API",
        description: DESCRIPTION,
        server: "The admin listener that this document was read from.",
        tags: &TAGS,
        paths,
        responses,
        schemas: named_schemas(component_schemas, allow_absence),
        security_schemes: json!({
            "admin_token": {
                "type": "http",
                "scheme": "bearer",
                "description": "The admin token of the data directory, or a named one.",
            },
        }),
    };
    parts.into_document(ADMIN_ROUTES.iter().flat_map(AdminRoute::errors))
}

/// Returns the OpenAPI operation object of a route.
fn describe(
    route: &AdminRoute,
    responses: &mut Map<String, Value>,
    schemas: &mut NamedSchemas,
) -> Value {
    let in_path = route
        .path
        .split('{')
        .skip(1)
        .filter_map(|tail| tail.split('}').next());
    let in_path =
        in_path.map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }));
    let in_query = route.query.iter().map(|(name, required, description)| {
        let schema = json!({ "type": "string" });
        json!({ "name": name, "in": "query", "required": required, "description": description, "schema": schema })
    });
    let mut operation_responses = errors(route.errors(), responses);
    let content = content(route.response, schemas);
    operation_responses["200"] =
        json!({ "description": "Success", "headers": answer_headers(), "content": content });
    let mut operation = json!({
        "operationId": route.id,
        "tags": [tag(route.path)],
        "summary": route.summary,
        "x-permission": format!("{:?}", route.permission),
        "parameters": in_path.chain(in_query).collect::<Vec<_>>(),
        "responses": operation_responses,
        "security": [{ "admin_token": [] }],
    });
    add_request_body(&mut operation, route.request, schemas);
    operation
}

/// Returns the content of the 200 response by media type.
fn content(response: ResponseSchema, schemas: &mut NamedSchemas) -> Value {
    let data = match response {
        ResponseSchema::Stream(media_types, lines) => {
            // The schema of a line is a component to which the summary refers.
            let _ = lines.map(|lines| lines(schemas));
            return media_types
                .iter()
                .map(|media_type| ((*media_type).to_owned(), text()))
                .collect();
        }
        ResponseSchema::One(schema) | ResponseSchema::OneOrPage(schema) => schema(schemas),
        ResponseSchema::List(schema) => json!({ "type": "array", "items": schema(schemas) }),
    };
    let envelope = json!({
        "type": "object",
        "required": ["success", "data"],
        "properties": { "success": { "const": true }, "data": data },
    });
    let mut content = json!({ "application/json": { "schema": envelope } });
    if matches!(response, ResponseSchema::OneOrPage(_)) {
        content["text/html"] = text();
    }
    content
}

/// Returns the media type object of a text.
fn text() -> Value {
    json!({ "schema": { "type": "string" } })
}

/// Returns the tag of a path: its first segment if that is a tag, otherwise `service`.
fn tag(path: &str) -> &'static str {
    let first = path
        .trim_start_matches('/')
        .split('/')
        .next()
        .unwrap_or_default();
    TAGS.into_iter()
        .map(|(name, _)| name)
        .find(|name| *name == first)
        .unwrap_or("service")
}

/// Describes the members of an optional flattened struct as absent where the generator describes the struct as `null`.
fn allow_absence(schema: &mut Value) {
    let Some(parts) = schema.get_mut("allOf").and_then(Value::as_array_mut) else {
        return;
    };
    for part in parts.iter_mut().filter_map(Value::as_object_mut) {
        if let Some(Value::Array(mut ways)) = part.remove("oneOf") {
            for way in ways.iter_mut().filter(|way| way["type"] == "null") {
                *way = json!({ "type": "object" });
            }
            part.insert("anyOf".to_owned(), Value::Array(ways));
        }
    }
}
