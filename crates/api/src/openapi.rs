//! OpenAPI documents, generated from the route tables, the wire types and the error table.

mod admin;
mod document;
mod public;
mod responses;
mod schemas;

pub use admin::admin_document;
pub use public::public_document;
pub use schemas::{NamedSchemas, SchemaFn};
pub(crate) use schemas::{
    address_schema, context_id_pattern, idempotency_key, optional_query, origins_schema, query,
    schema_of,
};

use schemas::origin_schema;
