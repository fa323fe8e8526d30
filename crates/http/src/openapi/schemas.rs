//! Schemas: those of the handlers' types, and those that a type cannot express.

use crate::api;
use serde_json::{Map, Value, json};
use utoipa::openapi::schema::{AnyOfBuilder, ArrayBuilder, ObjectBuilder, Schema, Type};

const ADDRESS_LOWER: &str = "^0x[0-9a-f]{40}$";
const ADDRESS_UPPER: &str = "^0x[0-9A-F]{40}$";
const CONTEXT_ID: &str = "^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?\\.[0-7][0-9a-hjkmnp-tv-z]{25}$";
/// A bare token, or a quoted string.
const IDEMPOTENCY_KEY: &str = r#"^(?:[!#-+\--:<-\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$"#;
/// Names and four- or five-digit ports: what a pattern can say of an origin. The last label begins with a letter, because a
/// host that ends in a number is an IPv4 address.
const ORIGIN: &str =
    "^https?://(?:[a-z0-9_-]{1,63}\\.){0,3}[a-z][a-z0-9_-]{0,62}(?::(?:[1-9][0-9]{3}|[1-5][0-9]{4}))?$";

/// The schemas of what goes over the wire, by name.
pub(super) fn components() -> Value {
    let mut schemas = Vec::new();
    api::schemas(&mut schemas);
    let named = schemas.into_iter().filter_map(|(name, schema)| Some((name, serde_json::to_value(schema).ok()?)));
    let written = api::written_schemas().into_iter().map(|(name, schema)| (name.to_owned(), schema));
    Value::Object(named.chain(written).collect::<Map<_, _>>())
}

/// An address: two patterns of one case. Mixed case with a correct checksum is taken too, which no pattern can say.
pub(crate) fn address_schema() -> Schema {
    let pattern = |pattern: &str| ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern));
    AnyOfBuilder::new()
        .item(pattern(ADDRESS_LOWER))
        .item(pattern(ADDRESS_UPPER))
        .description(Some("An account address; mixed case has to be a correct EIP-55 checksum."))
        .into()
}

/// Origins as a browser's `location.origin` prints them.
pub(crate) fn origins_schema() -> Schema {
    let origin = ObjectBuilder::new().schema_type(Type::String).pattern(Some(ORIGIN)).max_length(Some(255));
    ArrayBuilder::new()
        .items(origin)
        .max_items(Some(10))
        .description(Some("Origins that may host checks, narrowing the client's; an empty list means the client's."))
        .into()
}

/// The form of a context id.
pub(crate) fn context_id_pattern() -> Value {
    json!({ "type": "string", "pattern": CONTEXT_ID, "maxLength": 91 })
}

/// A required query parameter.
pub(crate) fn query(name: &str, description: &str, schema: impl serde::Serialize) -> Value {
    json!({ "name": name, "in": "query", "required": true, "description": description, "schema": schema })
}

/// A query parameter that may be left out.
pub(crate) fn optional_query(name: &str, description: &str, schema: impl serde::Serialize) -> Value {
    json!({ "name": name, "in": "query", "required": false, "description": description, "schema": schema })
}

/// The `Idempotency-Key` header.
pub(crate) fn idempotency_key() -> Value {
    json!({
        "name": "Idempotency-Key",
        "in": "header",
        "required": false,
        "description": "Makes a retry safe: for 24 hours the same key with the same parameters is answered as the first \
            time, with Idempotency-Replayed: true, and never billed twice.",
        "schema": { "type": "string", "pattern": IDEMPOTENCY_KEY },
    })
}
