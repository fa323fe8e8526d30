//! Database statements. Each transaction step does everything that can fail before it writes, or writes only one row.

use anyhow::Result;
use rusqlite::{Connection, Error, OptionalExtension, params};
use std::path::Path;
use voight_peer_axum::{Failure, Key, Question, Row, Verdicts};

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS clients (
        client_id INTEGER PRIMARY KEY,
        key_digest BLOB NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE IF NOT EXISTS contexts (
        context_id TEXT PRIMARY KEY,
        client_id INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS verdicts (
        context_id TEXT NOT NULL,
        eoa_address TEXT NOT NULL,
        is_bot INTEGER NOT NULL,
        score REAL NOT NULL,
        PRIMARY KEY (context_id, eoa_address)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS usage (
        seq INTEGER PRIMARY KEY,
        client_id INTEGER NOT NULL,
        idempotency_key TEXT,
        context_id TEXT NOT NULL,
        eoa_address TEXT NOT NULL,
        is_bot INTEGER NOT NULL,
        score REAL NOT NULL,
        at INTEGER NOT NULL DEFAULT (unixepoch()),
        UNIQUE (client_id, idempotency_key)
    ) STRICT;";

const LOOK: &str =
    "SELECT clients.client_id, contexts.context_id IS NOT NULL, verdicts.is_bot, verdicts.score FROM clients
    LEFT JOIN contexts ON contexts.client_id = clients.client_id AND contexts.context_id = ?2
    LEFT JOIN verdicts ON verdicts.context_id = contexts.context_id AND verdicts.eoa_address = ?3
    WHERE clients.key_digest = ?1";

const RECORD: &str = "INSERT INTO usage (client_id, idempotency_key, context_id, eoa_address, is_bot, score)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (client_id, idempotency_key) DO NOTHING";

const FIRST: &str = "SELECT seq, is_bot, score, context_id = ?3 AND eoa_address = ?4 FROM usage
    WHERE client_id = ?1 AND idempotency_key = ?2";

const DECIDE: &str = "INSERT INTO verdicts (context_id, eoa_address, is_bot, score) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (context_id, eoa_address) DO UPDATE SET is_bot = excluded.is_bot, score = excluded.score";

/// Client of a lookup, with the context and the verdict.
struct CallerRow {
    client: i64,
    has_context: bool,
    is_bot: Option<bool>,
    score: Option<f64>,
}

/// Opens the database, and creates the schema if it is new.
pub(crate) fn open(path: &Path) -> Result<Connection> {
    let connection = Connection::open(path)?;
    connection.execute_batch(SCHEMA)?;
    Ok(connection)
}

pub(crate) fn add_client(books: &Connection, key: Key) -> Result<(), Failure> {
    books.execute("INSERT INTO clients (key_digest) VALUES (?1) ON CONFLICT DO NOTHING", [key]).map_err(broken)?;
    Ok(())
}

pub(crate) fn register(books: &Connection, key: Key, context: &str) -> Result<(), Failure> {
    let CallerRow { client, .. } = look(books, &key, context, "")?;
    let result = books.execute("INSERT INTO contexts (context_id, client_id) VALUES (?1, ?2)", params![context, client]);
    result.map(drop).map_err(broken)
}

pub(crate) fn decide(books: &Connection, key: Key, found: &Verdicts) -> Result<(), Failure> {
    let CallerRow { has_context, .. } = look(books, &key, &found.context_id, "")?;
    if !has_context {
        return Err(Failure::UnknownContext);
    }
    let mut statement = books.prepare_cached(DECIDE).map_err(broken)?;
    for address in &found.addresses {
        statement.execute(params![found.context_id, address, found.is_bot, found.score]).map_err(broken)?;
    }
    Ok(())
}

pub(crate) fn look_up(books: &Connection, question: &Question) -> Result<Row, Failure> {
    let Question { key, idempotency_key, context, address } = question;
    let caller = look(books, key, context, address)?;
    if !caller.has_context {
        return Err(Failure::UnknownContext);
    }
    let is_bot = caller.is_bot.unwrap_or_default();
    let score = caller.score.unwrap_or_default();
    let mut statement = books.prepare_cached(RECORD).map_err(broken)?;
    let row = params![caller.client, idempotency_key, context, address, is_bot, score];
    match statement.execute(row).map_err(broken)? {
        0 => first(books, caller.client, question),
        _ => Ok(Row { seq: unsigned(books.last_insert_rowid())?, is_bot, score }),
    }
}

pub(crate) fn count(books: &Connection, key: Key) -> Result<u64, Failure> {
    let CallerRow { client, .. } = look(books, &key, "", "")?;
    let rows = books.query_row("SELECT count(*) FROM usage WHERE client_id = ?1", [client], |row| row.get(0));
    unsigned(rows.map_err(broken)?)
}

fn look(books: &Connection, key: &Key, context: &str, address: &str) -> Result<CallerRow, Failure> {
    let mut statement = books.prepare_cached(LOOK).map_err(broken)?;
    let result = statement.query_row(params![key, context, address], |row| {
        Ok(CallerRow { client: row.get(0)?, has_context: row.get(1)?, is_bot: row.get(2)?, score: row.get(3)? })
    });
    result.optional().map_err(broken)?.ok_or(Failure::UnknownKey)
}

/// Returns the row of a lookup's idempotency key.
fn first(books: &Connection, client: i64, question: &Question) -> Result<Row, Failure> {
    let Question { idempotency_key, context, address, .. } = question;
    let mut statement = books.prepare_cached(FIRST).map_err(broken)?;
    let result = statement.query_row(params![client, idempotency_key, context, address], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    });
    match result.map_err(broken)? {
        (seq, is_bot, score, true) => Ok(Row { seq: unsigned(seq)?, is_bot, score }),
        _ => Err(Failure::KeyReused),
    }
}

fn unsigned(number: i64) -> Result<u64, Failure> {
    u64::try_from(number).map_err(|error| Failure::Broken(error.to_string()))
}

#[expect(clippy::needless_pass_by_value, reason = "it stands where errors are mapped")]
fn broken(error: Error) -> Failure {
    Failure::Broken(error.to_string())
}
