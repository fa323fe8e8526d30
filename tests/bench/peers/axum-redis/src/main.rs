//! Metered lookups with axum and Redis. Redis syncs its log before it responds.

use anyhow::Result;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{AsyncCommands, Client, RedisError, Script};
use std::time::Duration;
use voight_peer_axum::{Books, Failure, Key, Question, Row, Verdicts, serve, variable};

/// Response timeout of Redis. A rewrite of its log can block it for longer than the client's default of half a second.
const PATIENCE: Duration = Duration::from_secs(10);

#[tokio::main]
async fn main() -> Result<()> {
    // All requests share one connection, on which commands are pipelined.
    let patient = ConnectionManagerConfig::new().set_response_timeout(Some(PATIENCE));
    let connection = ConnectionManager::new_with_config(Client::open(variable("REDIS_URL")?)?, patient).await?;
    serve(Redis { connection, look_up: Script::new(include_str!("look_up.lua")) }).await
}

/// Data in Redis.
///
/// `clients` and `contexts` are hashes, and so are the verdicts of a context; the rows of a client are a stream.
struct Redis {
    connection: ConnectionManager,
    look_up: Script,
}

impl Redis {
    /// Returns the name of the client with this key.
    async fn client(&self, key: Key) -> Result<String, Failure> {
        let client: Option<String> = self.connection.clone().hget("clients", &key[..]).await.map_err(broken)?;
        client.ok_or(Failure::UnknownKey)
    }
}

impl Books for Redis {
    async fn add_client(&self, key: Key) -> Result<(), Failure> {
        self.connection.clone().hset_nx("clients", &key[..], "1").await.map_err(broken)
    }

    async fn register(&self, key: Key, context: String) -> Result<(), Failure> {
        let client = self.client(key).await?;
        self.connection.clone().hset("contexts", context, client).await.map_err(broken)
    }

    async fn decide(&self, key: Key, found: Verdicts) -> Result<(), Failure> {
        let client = self.client(key).await?;
        let mut connection = self.connection.clone();
        let owner: Option<String> = connection.hget("contexts", &found.context_id).await.map_err(broken)?;
        if owner != Some(client) {
            return Err(Failure::UnknownContext);
        }
        let verdict = format!("{} {}", u8::from(found.is_bot), found.score);
        let verdicts: Vec<_> = found.addresses.iter().map(|address| (address, &verdict)).collect();
        connection.hset_multiple(format!("verdicts:{}", found.context_id), &verdicts).await.map_err(broken)
    }

    async fn look_up(&self, question: Question) -> Result<Row, Failure> {
        let Question { key, idempotency_key, context, address } = question;
        let mut invocation = self.look_up.prepare_invoke();
        invocation.arg(&key[..]).arg(context).arg(address).arg(idempotency_key.unwrap_or_default());
        let answer: Vec<String> = invocation.invoke_async(&mut self.connection.clone()).await.map_err(broken)?;
        match answer.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["row", id, is_bot, score] => row(id, is_bot, score).ok_or_else(|| Failure::Broken(format!("row {id}"))),
            ["unknown key"] => Err(Failure::UnknownKey),
            ["unknown context"] => Err(Failure::UnknownContext),
            ["key reused"] => Err(Failure::KeyReused),
            _ => Err(Failure::Broken(format!("{answer:?}"))),
        }
    }

    async fn count(&self, key: Key) -> Result<u64, Failure> {
        let client = self.client(key).await?;
        self.connection.clone().xlen(format!("usage:{client}")).await.map_err(broken)
    }
}

/// Parses the row with this id in its stream, for example `12-0`.
fn row(id: &str, is_bot: &str, score: &str) -> Option<Row> {
    let seq = id.strip_suffix("-0")?.parse().ok()?;
    Some(Row { seq, is_bot: is_bot == "1", score: score.parse().ok()? })
}

#[expect(clippy::needless_pass_by_value, reason = "it stands where errors are mapped")]
fn broken(error: RedisError) -> Failure {
    Failure::Broken(error.to_string())
}
