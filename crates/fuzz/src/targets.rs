//! One target for each parser of bytes from outside.

mod binding;
mod evidence;
mod http;
mod policy;
mod program;
mod proof;
mod store;
mod text;
mod tokens;

pub use binding::{browser_key, frame_key, wallet_signature};
pub use evidence::evidence;
pub use http::{forwarded, json, query};
pub use policy::{labels, policy};
pub use program::{config, store_url};
pub use proof::{export, heads, keys};
pub use store::{dump, record};
pub use text::{
    address, api_key, client_name, context_id, id, idempotency_key, origin, pepper, scope, span, timestamp, title,
};
pub use tokens::{challenge, receipt, request_proof, session};

/// A parser under test.
#[derive(Debug, Clone, Copy)]
pub struct FuzzTarget {
    /// Its name, which is that of its corpus and is given to `cargo xtask fuzz`.
    pub name: &'static str,
    /// Gives the parser these bytes and says whether it accepted them. Panics if one of the parser's promises is broken.
    pub run: fn(&[u8]) -> bool,
}

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        /// Every target.
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
    wallet_signature,
];
