//! Fuzz targets, one for each parser of untrusted bytes.

mod evidence;
mod http;
mod ledger_audit;
mod ownership;
mod policy;
mod program;
mod store;
mod text;
mod tokens;
mod upload;

pub use evidence::evidence;
pub use http::{forwarded, json, query};
pub use ledger_audit::{export, heads, keys};
pub use ownership::{browser_key, frame_key, wallet_signature};
pub use policy::{labels, policy};
pub use program::{config, store_url};
pub use store::{dump, record};
pub use text::{
    address, api_key, client_name, context_id, id, idempotency_key, origin, pepper, scope, span,
    timestamp, title,
};
pub use tokens::{challenge, receipt, request_proof, session};
pub use upload::upload;

/// Parser under test.
#[derive(Debug, Clone, Copy)]
pub struct FuzzTarget {
    /// Name of its corpus, and argument of `cargo xtask fuzz`.
    pub name: &'static str,
    /// Parses these bytes; returns `true` if they were accepted. Panics if an invariant of the parser is violated.
    pub run: fn(&[u8]) -> bool,
}

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        /// All targets.
        pub const TARGETS: &[FuzzTarget] = &[$(FuzzTarget { name: stringify!($name), run: $name }),*];
    };
}

targets![
    address,
    api_key,
    browser_key,
    challenge,
    client_name,
    config,
    context_id,
    dump,
    evidence,
    export,
    forwarded,
    frame_key,
    heads,
    id,
    idempotency_key,
    json,
    keys,
    labels,
    origin,
    pepper,
    policy,
    query,
    receipt,
    record,
    request_proof,
    scope,
    session,
    span,
    store_url,
    timestamp,
    title,
    upload,
    wallet_signature,
];
