//! Rules of outbound connections: which targets and which addresses the service may call.
//!
//! Platforms name the targets of some calls, so that a target may be an attempt to reach the operator's own network
//! (server-side request forgery). Adapters ask [`OutboundPolicy`] at each attempt.

mod address;
mod policy;
mod proxy;
mod retry_after;
mod special_networks;
mod target;

pub use address::BlockedAddress;
pub use policy::{HTTPS_PORT, OutboundPolicy};
pub use proxy::{ProxyUrl, ProxyUrlError};
pub use retry_after::RetryAfter;
pub use special_networks::{METADATA_ADDRESSES, MetadataAddress, SPECIAL_NETWORKS, SpecialNetwork};
pub use target::{MAX_TARGET_CHARS, OutboundHost, TargetError, TargetUrl};
