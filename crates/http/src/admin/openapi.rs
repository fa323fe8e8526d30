//! OpenAPI document of the admin API: the registered routes with the types that their handlers read and write.
//!
//! `GET /openapi.json` of the admin listener serves it without a token, since it does not describe the installation.

mod operation;
mod operations;

use super::admin_routes;
use actix_web::HttpResponse;
use actix_web::http::header;
use operation::AdminOperation;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use voight_api::ErrorId;
use voight_api::openapi::{ERROR, NamedSchemas, error_schema, header_components, origin_schema};

/// Path of the document.
pub(super) const PATH: &str = "/openapi.json";
const CACHE: &str = "public, max-age=300";
const DESCRIPTION: &str = "API for operators. The command line speaks this API. A request carries an admin token, as \
    `Authorization: Bearer` or as a proof of it (POST /admin/v1/handshake). Each operation names the permission that the role of \
    the token needs. Where an id is expected, the unique beginning of it is accepted, the name of a client in place of its id, \
    and client/title in place of the id of a context.";

static TEXT: LazyLock<String> = LazyLock::new(|| admin_openapi_document().to_string());

/// Serves the document.
pub(super) async fn show() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, CACHE))
        .insert_header(header::ContentType::json())
        .body(TEXT.as_str())
}

/// Returns the document in OpenAPI 3.1. A registered route without a description appears with its method and permission only.
pub fn admin_openapi_document() -> Value {
    let described = operations::operations();
    let (mut paths, mut responses, mut schemas) = (Map::new(), Map::new(), Map::new());
    let mut errors = Vec::new();
    for route in admin_routes() {
        let found = described.iter().find(|one| (one.method, one.path) == (route.method, route.path.as_str()));
        let bare = AdminOperation::undescribed(route.method);
        let operation = found.unwrap_or(&bare);
        errors.extend(operation.errors());
        let path = paths.entry(format!("/admin/v1{}", route.path)).or_insert_with(|| json!({}));
        path[route.method.to_lowercase()] = operation.describe(&route, &mut responses);
        let mut named = NamedSchemas::new();
        operation.schemas(&mut named);
        for (name, schema) in named {
            if let Ok(mut schema) = serde_json::to_value(schema) {
                allow_absence(&mut schema);
                schemas.insert(name, schema);
            }
        }
    }
    schemas.insert("Origin".to_owned(), origin_schema());
    schemas.insert(ERROR.to_owned(), error_schema(errors.into_iter()));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Voight: admin API",
            "version": env!("CARGO_PKG_VERSION"),
            "description": DESCRIPTION,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/", "description": "The admin listener that this document was read from." }],
        "tags": operation::TAGS.map(|(name, description)| json!({ "name": name, "description": description })),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": responses,
            "headers": header_components(),
            "securitySchemes": {
                "admin_token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The admin token of the data directory, or a named one.",
                },
            },
        },
    })
}

/// Describes the members of an optional flattened struct as absent where the generator describes the struct as `null`.
fn allow_absence(schema: &mut Value) {
    let Some(parts) = schema.get_mut("allOf").and_then(Value::as_array_mut) else { return };
    for part in parts.iter_mut().filter_map(Value::as_object_mut) {
        if let Some(Value::Array(mut ways)) = part.remove("oneOf") {
            for way in ways.iter_mut().filter(|way| way["type"] == "null") {
                *way = json!({ "type": "object" });
            }
            part.insert("anyOf".to_owned(), Value::Array(ways));
        }
    }
}

/// Errors that every operation of the admin API can return.
const EVERYWHERE: [ErrorId; 9] = [
    ErrorId::RateLimited,
    ErrorId::BadAdminToken,
    ErrorId::RoleForbidden,
    ErrorId::MethodNotAllowed,
    ErrorId::UriTooLong,
    ErrorId::HeadersTooLarge,
    ErrorId::MisdirectedAdminRequest,
    ErrorId::Internal,
    ErrorId::Unavailable,
];
