//! OpenAPI document, generated from the types that the handlers read and write and from the error table.

use crate::api;
use serde_json::{Map, Value, json};
use voight_api::openapi::{ERROR, NamedSchemas, Operation, TAGS, error_schema, header_components};

/// Description of the service in the document.
const DESCRIPTION: &str = "Decides whether an account address (EOA) is controlled by a bot, per context. \
    Obtain an API key, register a context, attach the window to a frontend element, and query the result. \
    Addresses are taken in lower case, in upper case, or in mixed case with a correct EIP-55 checksum.";

/// Builds the document in OpenAPI 3.1.
pub fn document() -> Value {
    let (mut paths, mut responses) = (Map::new(), Map::new());
    let operations = api::operations();
    for operation in &operations {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = operation.describe(&mut responses);
    }
    let mut schemas = components();
    schemas[ERROR] = error_schema(operations.iter().flat_map(Operation::all_errors));
    let tags = TAGS.map(|(name, description)| json!({ "name": name, "description": description }));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Voight",
            "version": env!("CARGO_PKG_VERSION"),
            "description": DESCRIPTION,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/", "description": "The service that this document was read from." }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": responses,
            "headers": header_components(),
            "securitySchemes": {
                "api_key": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "x-api-key",
                    "description": "A secret key of the client. Never send it from a browser.",
                },
            },
        },
    })
}

/// Returns the schemas of the public API by name.
fn components() -> Value {
    let mut schemas = NamedSchemas::new();
    api::schemas(&mut schemas);
    let named = schemas.into_iter().filter_map(|(name, schema)| Some((name, serde_json::to_value(schema).ok()?)));
    let written = api::written_schemas().into_iter().map(|(name, schema)| (name.to_owned(), schema));
    Value::Object(named.chain(written).collect::<Map<_, _>>())
}
