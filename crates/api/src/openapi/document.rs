//! Frame of an OpenAPI document, which both APIs share.

use super::responses::{ERROR, error_schema, header_components};
use super::{NamedSchemas, SchemaFn, origin_schema};
use crate::ErrorId;
use serde_json::{Map, Value, json};

/// Parts in which the documents differ.
pub(super) struct DocumentParts<'a> {
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    /// Description of the only server.
    pub(super) server: &'static str,
    /// Tags with their descriptions.
    pub(super) tags: &'a [(&'static str, &'static str)],
    /// Operations by path and method.
    pub(super) paths: Map<String, Value>,
    /// Shared responses by name.
    pub(super) responses: Map<String, Value>,
    /// Schemas by name, except for those of origins and errors.
    pub(super) schemas: Map<String, Value>,
    pub(super) security_schemes: Value,
}

impl DocumentParts<'_> {
    /// Builds the document in OpenAPI 3.1. `errors` are those of all operations.
    pub(super) fn into_document(mut self, errors: impl Iterator<Item = ErrorId>) -> Value {
        self.schemas.insert("Origin".to_owned(), origin_schema());
        self.schemas.insert(ERROR.to_owned(), error_schema(errors));
        let tags = self
            .tags
            .iter()
            .map(|(name, description)| json!({ "name": name, "description": description }));
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": self.title,
                "version": env!("CARGO_PKG_VERSION"),
                "description": self.description,
                "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
            },
            "servers": [{ "url": "/", "description": self.server }],
            "tags": tags.collect::<Vec<_>>(),
            "paths": self.paths,
            "components": {
                "schemas": self.schemas,
                "responses": self.responses,
                "headers": header_components(),
                "securitySchemes": self.security_schemes,
            },
        })
    }
}

/// Returns the schemas by name, after `adapt` has changed each.
pub(super) fn named_schemas(named: NamedSchemas, adapt: fn(&mut Value)) -> Map<String, Value> {
    let schemas = named
        .into_iter()
        .filter_map(|(name, schema)| Some((name, serde_json::to_value(schema).ok()?)));
    let mut schemas: Map<_, _> = schemas.collect();
    schemas.values_mut().for_each(adapt);
    schemas
}

/// Adds the request body to an operation that has one.
pub(super) fn add_request_body(
    operation: &mut Value,
    request: Option<SchemaFn>,
    schemas: &mut NamedSchemas,
) {
    if let Some(schema) = request {
        let schema = schema(schemas);
        operation["requestBody"] =
            json!({ "required": true, "content": { "application/json": { "schema": schema } } });
    }
}
