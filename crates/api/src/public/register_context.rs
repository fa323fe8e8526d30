//! Registration of contexts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Context to register.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterContext {
    /// Title, the first part of the context id.
    #[schema(
        pattern = "^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$",
        examples("spring_quest")
    )]
    pub context_title: String,
}

/// Registered context.
#[derive(Debug, Serialize, ToSchema)]
pub struct RegisteredContext {
    /// Context id: `<context_title>.<suffix>`.
    pub context_id: String,
}
