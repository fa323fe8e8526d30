//! Lint of all statements and migrations, so that one schema runs on a single server and on a cluster.

mod distributed;

use super::{
    admin, admin_tokens, billing, check, check_counts, citus, dump, endpoints, erasure, events,
    evidence, labels, leader_lease, links, lookup, registry, schema, session, snapshots, tables,
    users,
};
use crate::schema::{Schema, statements};
use crate::sql::tables::Distribution;

/// SQL that is not portable between databases of this kind, each with the reason or the alternative.
const FORBIDDEN_SQL: [(&str, &str); 24] = [
    (
        "pg_advisory",
        "locks of a session are not everywhere; lock a row",
    ),
    (
        "pg_try_advisory",
        "locks of a session are not everywhere; lock a row",
    ),
    ("listen ", "notifications are not everywhere; ask again"),
    ("notify ", "notifications are not everywhere; ask again"),
    (
        "lock table",
        "locks of a table are not everywhere; lock a row",
    ),
    (
        "deferrable",
        "constraints that wait for the commit are not everywhere",
    ),
    ("exclude using", "exclusion constraints are not everywhere"),
    ("generated always", "generated columns are not everywhere"),
    ("inherits", "tables that inherit are not everywhere"),
    (
        "create trigger",
        "triggers are not everywhere, and hide what happens",
    ),
    ("create function", "rules belong to the domain"),
    (
        "collate",
        "collations are not the same everywhere; bytes have one order",
    ),
    ("xmax", "system columns are of one engine"),
    ("ctid", "system columns are of one engine"),
    (
        "serial",
        "sequences are a hot spot, and leave gaps; numbers are counted in their client's row",
    ),
    (
        "sequence",
        "sequences are a hot spot, and leave gaps; numbers are counted in their client's row",
    ),
    (
        "nextval",
        "sequences are a hot spot, and leave gaps; numbers are counted in their client's row",
    ),
    (
        "identity column",
        "sequences are a hot spot, and leave gaps",
    ),
    ("unlogged", "what is not logged is lost in a crash"),
    ("with recursive", "recursion does not cross machines"),
    ("references ", "foreign keys do not cross machines"),
    ("now()", "the time comes from the store's clock"),
    ("clock_timestamp", "the time comes from the store's clock"),
    (
        "random()",
        "functions that differ from call to call cannot be repeated on a copy",
    ),
];

/// Clock of the database. Only the statements of the leader lease may use it.
const CLOCK: &str = "current_timestamp";

fn every_statement() -> impl Iterator<Item = (String, String)> {
    let statements_by_name = [
        admin::ALL,
        admin_tokens::ALL,
        billing::ALL,
        check::ALL,
        check_counts::ALL,
        citus::ALL,
        endpoints::ALL,
        erasure::ALL,
        events::ALL,
        evidence::ALL,
        labels::ALL,
        links::ALL,
        lookup::ALL,
        registry::ALL,
        schema::ALL,
        session::ALL,
        leader_lease::ALL,
        dump::ALL,
        snapshots::ALL,
        users::ALL,
        tables::ALL,
    ];
    let statements_by_name = statements_by_name
        .into_iter()
        .flatten()
        .map(|(name, text)| ((*name).to_owned(), plain(text)));
    let migrations = (1..).zip(Schema::RELEASED.migrations());
    let of_migrations = migrations.flat_map(|(version, migration)| {
        statements(migration).map(move |text| (format!("migration {version}"), plain(text)))
    });
    let derived_statements = tables::derived_statements().map(|(name, text)| (name, plain(text)));
    statements_by_name
        .chain(of_migrations)
        .chain(derived_statements)
}

/// Returns a statement in lower case on one line, without comments.
fn plain(statement: &str) -> String {
    let lines = statement
        .lines()
        .map(|line| line.split("--").next().unwrap_or(line).trim());
    lines.collect::<Vec<_>>().join(" ").trim().to_lowercase()
}

/// Returns the fault of a statement, if any.
fn wrong(statement: &str) -> Option<String> {
    let forbidden = FORBIDDEN_SQL
        .iter()
        .find(|(what, _)| statement.contains(what));
    let forbidden = forbidden.map(|(what, why)| format!("it contains {what:?}: {why}"));
    forbidden
        .or_else(|| wrong_clock(statement))
        .or_else(|| wrong_table(statement))
}

fn wrong_clock(statement: &str) -> Option<String> {
    let is_of_lease = ["insert into leader_lease ", "update leader_lease "]
        .iter()
        .any(|start| statement.starts_with(start));
    let is_wrong = statement.contains(CLOCK) && !is_of_lease;
    is_wrong.then(|| format!("it contains {CLOCK:?}: the time comes from the store's clock"))
}

/// Returns `true` for a table of the registry that is not distributed by client.
fn is_undistributed(table: &str) -> bool {
    tables::DISTRIBUTED_TABLES
        .iter()
        .any(|(name, how)| *name == table && *how != Distribution::ByClient)
}

/// Returns the fault of a table definition, if any. The client must lead the primary key, so that its rows are on one
/// server.
fn wrong_table(statement: &str) -> Option<String> {
    if let Some(table_definition) = statement.strip_prefix("create table ") {
        let table = table_definition
            .trim_start_matches("if not exists ")
            .split_whitespace()
            .next()?;
        let is_distributed = table_definition.contains("primary key (client,")
            || table_definition.contains("primary key (client)");
        if !is_undistributed(table) && !is_distributed {
            return Some(format!(
                "the primary key of {table} does not lead with the client"
            ));
        }
        if table_definition
            .split([' ', ',', '(', ')'])
            .any(|word| word == "text")
        {
            return Some(format!(
                "{table} has a column of text, whose order is the database's; bytes have one order"
            ));
        }
    }
    let unique = statement.split_once("unique")?.1;
    let columns = unique.split(['(', ')']).nth(1)?;
    let with_client = columns.split(',').any(|column| column.trim() == "client");
    (!with_client).then(|| format!("a unique key ({columns}) is without the client"))
}

/// Returns `true` if a statement of the hot path names one client, so that one server answers it.
fn is_about_one_client(statement: &str) -> bool {
    let branches = statement.split("union all");
    let is_insert = statement.starts_with("insert into");
    is_insert && statement.contains("(client,")
        || branches
            .clone()
            .all(|branch| branch.contains("client = $1"))
}

#[test]
fn every_statement_is_portable() {
    let wrong: Vec<_> = every_statement()
        .filter_map(|(name, text)| wrong(&text).map(|why| format!("{name}: {why}")))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn hot_path_never_spans_clients() {
    // `ROUTE` leads from a digest to its client and reads a reference table.
    for (name, text) in lookup::ALL.iter().filter(|(name, _)| *name != "ROUTE") {
        assert!(is_about_one_client(&plain(text)), "{name}");
    }
}

#[test]
fn locks_name_one_row() {
    for (name, text) in every_statement().filter(|(_, text)| text.contains("for update")) {
        assert!(
            ["client = $1", "one = 1", "day = $1"]
                .iter()
                .any(|key| text.contains(key)),
            "{name}"
        );
    }
}

#[test]
fn lint_finds_wrong_statements() {
    let finding = |text: &str| wrong(&plain(text)).unwrap_or_default();
    assert!(finding("SELECT pg_advisory_lock(1)").contains("lock a row"));
    assert!(finding("CREATE TABLE t (id bigserial PRIMARY KEY)").contains("sequences"));
    assert!(finding("UPDATE meter SET at = now()\nWHERE client = $1").contains("clock"));
    assert!(
        finding("UPDATE meter SET at = CURRENT_TIMESTAMP\nWHERE client = $1").contains("clock")
    );
    assert_eq!(
        finding("UPDATE leader_lease SET expires_at = CURRENT_TIMESTAMP WHERE one = 1"),
        ""
    );
    assert!(
        finding("CREATE TABLE t (a bigint, PRIMARY KEY (a, client))")
            .contains("does not lead with the client")
    );
    assert!(
        finding("CREATE TABLE t (client bytea, a text COLLATE \"C\", PRIMARY KEY (client, a))")
            .contains("collations")
    );
    assert!(
        finding("CREATE TABLE t (client bytea, a text, PRIMARY KEY (client, a))")
            .contains("column of text")
    );
    assert!(
        finding("CREATE UNIQUE INDEX i ON idempotency_record (digest)")
            .contains("without the client")
    );
    assert_eq!(
        finding("CREATE UNIQUE INDEX i ON idempotency_record (client, digest)"),
        ""
    );
    assert!(!is_about_one_client(&plain(
        "SELECT record FROM verdict WHERE address = $1"
    )));
    assert!(!is_about_one_client(&plain(
        "SELECT 1 FROM a WHERE client = $1 UNION ALL SELECT 1 FROM b"
    )));
}
