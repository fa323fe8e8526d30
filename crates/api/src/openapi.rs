//! Parts of the OpenAPI documents.

mod invoice;
mod operation;
mod responses;
mod schemas;

pub use invoice::invoice_schema;
pub use operation::{Operation, ResponseBody, TAGS};
pub use responses::{ERROR, answer_headers, error_schema, errors as error_responses, header_components};
pub use schemas::{
    NamedSchemas, add_schema, address_schema, context_id_pattern, idempotency_key, optional_query, origin_schema,
    origins_schema, query,
};
