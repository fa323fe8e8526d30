//! Extractors of request data. Their errors are returned in the envelope.

mod access;
mod authorized;
mod body;
mod caller;
mod client_ip;
mod idempotency;
mod json;
mod query;

pub use access::{
    AccessPolicy, EventAccess, LookupAccess, RegistryAccess, SessionAccess, UsageAccess,
    WebhookAccess,
};
pub(crate) use authorized::Authorisation;
pub use authorized::{Authorized, RequestInput};
pub use body::read_body;
pub(crate) use body::spool_body;
pub use caller::Caller;
pub use client_ip::{ClientIp, Hop, hops};
pub(crate) use idempotency::idempotency_key;
pub use json::{Json, parse_json, read_json};
pub(crate) use json::{LargeJson, OptionalJson, read_json_up_to};
pub(crate) use query::{NoQuery, first_value, number, page_limit, plain_pair};
pub use query::{Query, parse_query};
