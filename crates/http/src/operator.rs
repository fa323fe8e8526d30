//! Operators at the admin listener: the `Host` of their requests, their token, and its holder.

mod caller;
mod host;
mod token;

pub(crate) use caller::Caller;
pub(crate) use host::{METRICS, OwnHosts, READINESS, require_own_host};
pub(crate) use token::{authenticate, is_current, named_token};
