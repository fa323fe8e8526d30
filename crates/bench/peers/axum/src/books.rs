//! What is kept.

use serde::Deserialize;

/// What is kept of an API key: its HMAC.
pub type Key = [u8; 32];

/// A lookup.
#[derive(Debug, Clone)]
pub struct Question {
    /// Whose key it comes with.
    pub key: Key,
    /// What makes it safe to be sent again.
    pub idempotency_key: Option<String>,
    /// The context.
    pub context: String,
    /// The address, in lower case.
    pub address: String,
}

/// The row of a lookup.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Its number.
    pub seq: u64,
    /// What was answered.
    pub is_bot: bool,
    /// How certain that is.
    pub score: f64,
}

/// What a check has found about some addresses.
#[derive(Debug, Clone, Deserialize)]
pub struct Verdicts {
    /// The context.
    pub context_id: String,
    /// The addresses.
    pub addresses: Vec<String>,
    /// Whether they are bots.
    pub is_bot: bool,
    /// How certain that is.
    pub score: f64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// No client has this key.
    UnknownKey,
    /// The client has no such context.
    UnknownContext,
    /// The idempotency key was used for another question.
    KeyReused,
    /// The books cannot be read or written.
    Broken(String),
}

/// The books. What has returned is on the disk.
pub trait Books: Send + Sync + 'static {
    /// Adds the client with this key, if it is not there.
    fn add_client(&self, key: Key) -> impl Future<Output = Result<(), Failure>> + Send;
    /// Ties a new context to a client.
    fn register(&self, key: Key, context: String) -> impl Future<Output = Result<(), Failure>> + Send;
    /// Keeps what was found.
    fn decide(&self, key: Key, found: Verdicts) -> impl Future<Output = Result<(), Failure>> + Send;
    /// The row of a lookup: a new one, or the one that its idempotency key has.
    fn look_up(&self, question: Question) -> impl Future<Output = Result<Row, Failure>> + Send;
    /// How many rows a client has.
    fn count(&self, key: Key) -> impl Future<Output = Result<u64, Failure>> + Send;
}
