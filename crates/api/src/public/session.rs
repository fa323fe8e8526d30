//! Sessions that a platform creates for its visitors.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Session to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateSession {
    /// Context that this key may use.
    pub context_id: String,
    /// Address of the platform's signed-in visitor.
    #[schema(schema_with = crate::openapi::address_schema)]
    pub eoa_address: String,
}

/// Session token.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedSession {
    /// Token that the page passes to the component as `session`.
    pub session: String,
    /// Time of expiry, RFC 3339 in UTC.
    #[schema(format = DateTime)]
    pub expires_at: String,
}
