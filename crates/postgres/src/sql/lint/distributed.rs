//! Lint of the statements that the planner of Citus rejects or does not run on one worker.
//!
//! A branch of a statement is a part between `UNION ALL`. Its distributed tables must be joined with each other by the
//! client, not only through a reference table. A statement of the request path names one client for each of them, and a
//! list is inserted by a join with a row of that client.

use super::{every_statement, plain};
use crate::sql::tables::DISTRIBUTED_TABLES;
use crate::sql::tables::Distribution;

/// Statements of operators and background jobs, which may query all servers. All others concern one client.
const ACROSS: [&str; 22] = [
    "LEDGERS",
    "CLIENT_NAMED",
    "CLIENTS",
    "CLIENT_IDS",
    "CONTEXTS",
    "OLD_CONCLUDED",
    "SWEEP_MARKS",
    "RECENT_FEEDS",
    "EXPIRED_EVENTS",
    "DUE_UNTIL",
    "DUE_AFTER",
    "EXPIRED_DELIVERIES",
    "DELETE_EXPIRED_IDEMPOTENCY_RECORDS",
    "CLIENT_NUMBERS",
    "DIGESTS",
    "KEY_OWNERS",
    "COUNTS",
    "PLACES",
    "PRICE_BOOKS",
    "DUE_ENDPOINTS",
    "IDEMPOTENCY_RECORDS",
    // The client of a check is not known from its id, and an imported check may belong to no client.
    "CONCLUDED",
];

/// Statements whose form this lint cannot read, reviewed by hand.
///
/// The first joins a derived table of two branches, each of which names the client; the second names two clients, the
/// given one and `NO_CLIENT`.
const BY_HAND: [&str; 2] = ["CLUSTERS", "CONCLUDED_OF_CLIENT"];

/// Keywords that may follow a table name and are not an alias.
const NO_ALIAS: [&str; 14] = [
    "where", "join", "on", "set", "order", "union", "limit", "for", "values", "select", "left",
    "using", "group", "as",
];

/// Distributed table, with the name or alias that a statement gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Source {
    name: String,
    is_target: bool,
}

fn is_spread(table: &str) -> bool {
    DISTRIBUTED_TABLES
        .iter()
        .any(|(name, spread)| *name == table && *spread == Distribution::ByClient)
}

fn words(text: &str) -> Vec<String> {
    let spaced_text: String = text
        .chars()
        .flat_map(|c| {
            if "(),;".contains(c) {
                vec![' ', c, ' ']
            } else {
                vec![c]
            }
        })
        .collect();
    spaced_text.split_whitespace().map(str::to_owned).collect()
}

/// Returns the distributed tables of a branch.
fn sources(branch: &str) -> Vec<Source> {
    let words = words(branch);
    let mut sources = Vec::new();
    for (index, word) in words.iter().enumerate().skip(1) {
        let previous_word = words[index - 1].as_str();
        if !is_spread(word) || !["from", "join", "into", "update", ","].contains(&previous_word) {
            continue;
        }
        // A column of a list may have the name of a table.
        let opens = words[..index]
            .iter()
            .rev()
            .find(|word| ["from", "select", "(", "into", "by"].contains(&word.as_str()));
        if previous_word == "," && opens.is_none_or(|word| word != "from") {
            continue;
        }
        let next = words.get(index + 1).map_or("", String::as_str);
        let is_alias = next.chars().next().is_some_and(|c| c.is_ascii_lowercase())
            && !NO_ALIAS.contains(&next);
        let name = if is_alias {
            next.to_owned()
        } else {
            word.clone()
        };
        sources.push(Source {
            name,
            is_target: previous_word == "into",
        });
    }
    sources
}

/// Returns `true` if a branch restricts a table to one client.
fn names_one_client(branch: &str, source: &Source, is_alone: bool) -> bool {
    branch.contains(&format!("{}.client = $", source.name))
        || (is_alone && branch.contains("where client = $"))
        || branch.contains(" client = $") && !branch.contains(".client")
}

/// Returns `true` if a branch joins two tables by the client.
fn are_joined(branch: &str, left_source: &Source, right_source: &Source) -> bool {
    let equal =
        |a: &Source, b: &Source| branch.contains(&format!("{}.client = {}.client", a.name, b.name));
    equal(left_source, right_source) || equal(right_source, left_source)
}

/// Returns the fault of a statement, if any. With `is_of_one` the statement must run on one worker.
fn wrong(statement: &str, is_of_one: bool) -> Option<String> {
    let text = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.contains("information_schema.tables") && !text.contains("base table") {
        return Some("views of extensions are taken for tables".to_owned());
    }
    if let Some((_, select)) = text
        .split_once(" select ")
        .filter(|_| text.starts_with("insert into"))
    {
        let target = sources(text.split(" select ").next().unwrap_or_default());
        let source_tables: Vec<_> = sources(&format!("select {select}"));
        let is_pulled = !target.is_empty()
            && !source_tables
                .iter()
                .any(|source| names_one_client(select, source, source_tables.len() == 1));
        return is_pulled
            .then(|| "the rows of its SELECT are pulled to the coordinator".to_owned());
    }
    text.split("union all")
        .find_map(|branch| wrong_branch(branch, is_of_one))
}

fn wrong_branch(branch: &str, is_of_one: bool) -> Option<String> {
    let source_tables: Vec<_> = sources(branch)
        .into_iter()
        .filter(|source| !source.is_target)
        .collect();
    let is_alone = source_tables.len() == 1;
    // A table is reached if it names the client itself, or is joined with one that does.
    let mut reached_tables: Vec<&Source> = source_tables
        .iter()
        .filter(|source| names_one_client(branch, source, is_alone))
        .collect();
    if is_of_one
        && source_tables
            .iter()
            .any(|source| !reached_tables.contains(&source) && is_alone)
    {
        return Some("it asks every machine".to_owned());
    }
    if reached_tables.is_empty() {
        reached_tables.extend(source_tables.first());
    }
    for _ in &source_tables {
        let next = source_tables.iter().find(|source| {
            !reached_tables.contains(source)
                && reached_tables
                    .iter()
                    .any(|reached_table| are_joined(branch, reached_table, source))
        });
        reached_tables.extend(next);
    }
    let missing = source_tables
        .iter()
        .find(|source| !reached_tables.contains(source));
    let is_named = source_tables
        .iter()
        .any(|source| names_one_client(branch, source, is_alone));
    match missing {
        Some(source) => Some(format!(
            "{} is not joined by the client with the other spread tables",
            source.name
        )),
        None if is_of_one && !source_tables.is_empty() && !is_named => {
            Some("it asks every machine".to_owned())
        }
        None => None,
    }
}

#[test]
fn citus_can_plan_every_statement() {
    let is_read = |name: &str| !name.starts_with("migration") && !BY_HAND.contains(&name);
    let statements = every_statement().filter(|(name, _)| is_read(name));
    let wrong: Vec<_> = statements
        .filter_map(|(name, text)| {
            wrong(&text, !ACROSS.contains(&name.as_str()))
                .map(|why| format!("{name}: {why}: {text}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Earlier forms of statements that Citus rejected, or answered through the coordinator.
const OLD: [(&str, &str); 7] = [
    (
        "joined by the client",
        "SELECT k.record, c.record FROM key_digest d JOIN api_key k ON k.client = d.client AND k.api_key = d.api_key JOIN client c ON c.client = d.client WHERE d.digest = $1",
    ),
    (
        "joined by the client",
        "SELECT o.context, c.number, x.number FROM context_owner o JOIN client c ON c.client = o.client JOIN context x ON x.client = o.client AND x.context = o.context ORDER BY o.context",
    ),
    (
        "pulled",
        "INSERT INTO ledger (client, environment, stream, seq, at, record) SELECT $1, $2, 0, added.seq, added.at, added.record FROM unnest($3::bigint[], $4::bigint[], $5::bytea[]) AS added (seq, at, record)",
    ),
    (
        "pulled",
        "INSERT INTO opening (client, environment, stream, seq, address, record) SELECT $1, $2, 0, added.seq, added.address, added.record FROM unnest($3::bigint[], $4::bytea[], $5::bytea[]) AS added (seq, address, record)",
    ),
    (
        "pulled",
        "INSERT INTO idempotency_record (client, digest, parameters, expires_at, record) SELECT $1, added.digest, added.parameters, added.expires_at, added.record FROM unnest($2::bytea[], $3::bytea[], $4::bigint[], $5::bytea[]) AS added (digest, parameters, expires_at, record)",
    ),
    (
        "pulled",
        "INSERT INTO idempotency_record (client, digest, parameters, expires_at, record) SELECT $1, added.digest, added.parameters, added.expires_at, added.record FROM unnest($2::bytea[], $3::bytea[], $4::bigint[], $5::bytea[]) AS added (digest, parameters, expires_at, record) ON CONFLICT (client, digest) DO UPDATE SET parameters = excluded.parameters, expires_at = excluded.expires_at, record = excluded.record, segment = NULL",
    ),
    (
        "views",
        "SELECT CAST(table_name AS text) FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY table_name",
    ),
];

#[test]
fn lint_finds_unplannable_statements() {
    for (why, statement) in OLD {
        let finding = wrong(&plain(statement), true).unwrap_or_default();
        assert!(finding.contains(why), "{statement}: {finding:?}");
    }
    let across = wrong(&plain("SELECT record FROM client WHERE number > $1"), true);
    assert_eq!(across.as_deref(), Some("it asks every machine"));
    let of_one = wrong(
        &plain(
            "SELECT c.record FROM client c JOIN meter m ON m.client = c.client WHERE c.client = $1",
        ),
        true,
    );
    assert_eq!(of_one, None);
}
