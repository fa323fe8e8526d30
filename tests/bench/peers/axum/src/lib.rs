//! Common parts of the peers on axum: requests, keys and responses. Each peer has its own storage.

mod api;
mod ledger;

pub use ledger::{Books, Failure, Key, Question, Row, Verdicts};

use anyhow::{Context, Result};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Serves the API over this storage on the port that the environment names.
pub async fn serve(books: impl Books) -> Result<()> {
    let port = variable("PORT")?.parse()?;
    let pepper = variable("PEPPER")?;
    let keys = Hmac::new_from_slice(pepper.as_bytes()).context("PEPPER is no key")?;
    books.add_client(digest(&keys, &variable("KEY")?)).await.map_err(|failure| anyhow::anyhow!("{failure:?}"))?;
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    axum::serve(listener, api::router(Arc::new(api::Peer { keys, books }))).await?;
    Ok(())
}

/// Returns an environment variable.
pub fn variable(name: &str) -> Result<String> {
    std::env::var(name).with_context(|| format!("{name} is not set"))
}

/// Returns the stored form of a key.
fn digest(keys: &Hmac<Sha256>, key: &str) -> Key {
    keys.clone().chain_update(key).finalize().into_bytes().into()
}
