//! Metered lookups with axum and SQLite. One thread writes: it commits all waiting writes in one transaction, then answers
//! them.

mod statements;
mod writer;

use anyhow::Result;
use std::path::PathBuf;
use voight_peer_axum::{Books, Failure, Key, Question, Row, Verdicts, serve, variable};
use writer::Writer;

#[tokio::main]
async fn main() -> Result<()> {
    let path = PathBuf::from(variable("DATA")?).join("lookups.sqlite");
    serve(Sqlite(Writer::start(statements::open(&path)?)?)).await
}

/// Data in a file.
struct Sqlite(Writer);

impl Books for Sqlite {
    async fn add_client(&self, key: Key) -> Result<(), Failure> {
        self.0.run(move |books| statements::add_client(books, key)).await
    }

    async fn register(&self, key: Key, context: String) -> Result<(), Failure> {
        self.0.run(move |books| statements::register(books, key, &context)).await
    }

    async fn decide(&self, key: Key, found: Verdicts) -> Result<(), Failure> {
        self.0.run(move |books| statements::decide(books, key, &found)).await
    }

    async fn look_up(&self, question: Question) -> Result<Row, Failure> {
        self.0.run(move |books| statements::look_up(books, &question)).await
    }

    async fn count(&self, key: Key) -> Result<u64, Failure> {
        self.0.run(move |books| statements::count(books, key)).await
    }
}
