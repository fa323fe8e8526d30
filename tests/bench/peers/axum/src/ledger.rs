//! Storage port of the peers.

use serde::Deserialize;

/// Stored form of an API key: its HMAC.
pub type Key = [u8; 32];

/// Lookup to answer.
#[derive(Debug, Clone)]
pub struct Question {
    /// API key of the client, as its HMAC.
    pub key: Key,
    /// Idempotency key of the request.
    pub idempotency_key: Option<String>,
    /// Context id.
    pub context: String,
    /// Address in lower case.
    pub address: String,
}

/// Ledger row of a lookup.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Sequence number.
    pub seq: u64,
    /// Verdict of the response.
    pub is_bot: bool,
    /// Score of the verdict.
    pub score: f64,
}

/// Verdicts on some addresses.
#[derive(Debug, Clone, Deserialize)]
pub struct Verdicts {
    /// Context id.
    pub context_id: String,
    /// Addresses.
    pub addresses: Vec<String>,
    /// Verdict on all these addresses.
    pub is_bot: bool,
    /// Score of the verdict.
    pub score: f64,
}

/// Reason of a failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// No client has this key.
    UnknownKey,
    /// The client has no such context.
    UnknownContext,
    /// The idempotency key was used for another lookup.
    KeyReused,
    /// The storage cannot be read or written.
    Broken(String),
}

/// Storage of a peer. A write is durable when its call returns.
pub trait Books: Send + Sync + 'static {
    /// Adds the client with this key, unless it exists.
    fn add_client(&self, key: Key) -> impl Future<Output = Result<(), Failure>> + Send;
    /// Registers a context for a client.
    fn register(&self, key: Key, context: String) -> impl Future<Output = Result<(), Failure>> + Send;
    /// Stores verdicts.
    fn decide(&self, key: Key, found: Verdicts) -> impl Future<Output = Result<(), Failure>> + Send;
    /// Returns the row of a lookup: a new one, or the one of its idempotency key.
    fn look_up(&self, question: Question) -> impl Future<Output = Result<Row, Failure>> + Send;
    /// Returns the number of rows of a client.
    fn count(&self, key: Key) -> impl Future<Output = Result<u64, Failure>> + Send;
}
