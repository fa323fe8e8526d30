//! Distribution of the tables over the servers of a Citus cluster.
//!
//! All rows of one client are on one server, so a lookup uses one server only. Tables that lead from a name, a digest
//! or an id to a client are reference tables with a copy on every server. Evidence is distributed by check. Tables of
//! which the store has one row are local tables of the coordinator that every server can reach, so that nodes may
//! connect to any server.

use super::Schema;
use super::check::in_open;
use crate::connect::{OpenError, PostgresUrl};
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::tables::Distribution;
use crate::sql::{citus, schema};
use crate::value::{RowExt, values};

/// Number of Citus functions that are called.
const FUNCTIONS: usize = 4;

/// Settings that [`citus::SET_ROLE`] makes, as the catalog shows them.
const ROLE_SETTINGS: [&str; 2] = ["lock_timeout=1s", "idle_in_transaction_session_timeout=30s"];

/// Rejects a database without a complete installation of Citus, or with a store in it.
pub(crate) async fn ensure_supported(
    transaction: &Transaction,
    url: &PostgresUrl,
) -> Result<(), OpenError> {
    let cannot = |why: String| OpenError::CannotDistribute {
        place: url.to_string(),
        why,
    };
    let functions = transaction
        .rows(citus::FUNCTIONS, Vec::new())
        .await
        .map_err(|error| in_open(url, error))?;
    match functions.len() {
        0 => return Err(cannot("it has no extension citus".to_owned())),
        FUNCTIONS => {}
        _ => {
            return Err(cannot(
                "its extension citus is half installed: some of its functions are missing"
                    .to_owned(),
            ));
        }
    }
    let version = transaction.row(citus::VERSION, Vec::new()).await;
    version.map_err(|error| cannot(format!("its extension citus is half installed: {error}")))?;
    if transaction
        .row(citus::COORDINATOR, Vec::new())
        .await
        .map_err(|error| in_open(url, error))?
        .is_none()
    {
        return Err(cannot(
            "the other machines do not know its coordinator: run SELECT citus_set_coordinator_host('HOST', PORT) there"
                .to_owned(),
        ));
    }
    if has_store(transaction)
        .await
        .map_err(|error| in_open(url, error))?
    {
        return Err(OpenError::Occupied {
            place: url.to_string(),
        });
    }
    Ok(())
}

/// Returns `true` if the tables exist and contain a store.
async fn has_store(transaction: &Transaction) -> Result<bool, Error> {
    let rows = transaction.rows(schema::TABLES, Vec::new()).await?;
    let names = rows
        .iter()
        .map(|row| row.column::<String>(0))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(names.iter().any(|name| name == "store_identity")
        && transaction
            .row(schema::IDENTITY, Vec::new())
            .await?
            .is_some())
}

/// Returns `true` if the database has the extension and the tables of a store are distributed by it.
pub(crate) async fn is_distributed(transaction: &Transaction) -> Result<bool, Error> {
    Ok(is_citus(transaction).await?
        && spread_already(transaction)
            .await?
            .iter()
            .any(|table| table == "client"))
}

async fn is_citus(transaction: &Transaction) -> Result<bool, Error> {
    Ok(transaction
        .row(citus::EXTENSION, Vec::new())
        .await?
        .is_some())
}

async fn spread_already(transaction: &Transaction) -> Result<Vec<String>, Error> {
    transaction
        .rows(citus::SPREAD, Vec::new())
        .await?
        .iter()
        .map(|row| row.column(0))
        .collect()
}

/// Rejects a worker, because tables that are created there exist on that server alone.
pub(crate) async fn ensure_coordinator(
    transaction: &Transaction,
    url: &PostgresUrl,
) -> Result<(), OpenError> {
    let is_worker = async {
        let row = if is_citus(transaction).await? {
            transaction.row(citus::HERE, Vec::new()).await?
        } else {
            None
        };
        row.map_or(Ok(false), |row| Ok(row.number(0)? != 0))
    };
    if is_worker
        .await
        .map_err(|error: Error| in_open(url, error))?
    {
        let why = "it is a worker, and tables are made by the coordinator: run `voight store migrate` with the coordinator's URL";
        return Err(OpenError::unusable(url, why));
    }
    Ok(())
}

/// Distributes every table that is not distributed yet.
pub(crate) async fn distribute_tables(
    transaction: &Transaction,
    url: &PostgresUrl,
    schema: Schema,
) -> Result<(), OpenError> {
    let distribution_result = async {
        for (table, distribution) in unspread(transaction, schema).await? {
            match (distribution, distribution.distribution()) {
                (_, Some((column, colocated_table))) => {
                    let colocated_table = if colocated_table == table {
                        "none"
                    } else {
                        colocated_table
                    };
                    transaction
                        .rows(citus::DISTRIBUTE, values![table, column, colocated_table])
                        .await?
                }
                (Distribution::Local, None) => {
                    transaction.rows(citus::ADD_LOCAL, values![table]).await?
                }
                (_, None) => transaction.rows(citus::COPY, values![table]).await?,
            };
        }
        if is_citus(transaction).await? {
            set_role(transaction).await?;
        }
        Ok(())
    };
    distribution_result
        .await
        .map_err(|error: Error| in_open(url, error))
}

/// Sets the timeouts of the role, unless it has them. Another process may set them at the same time, for the tables of
/// another schema; one of the two then fails and finds the settings of the other.
async fn set_role(transaction: &Transaction) -> Result<(), Error> {
    if has_timeouts(transaction).await? {
        return Ok(());
    }
    match transaction.batch_execute(citus::SET_ROLE).await {
        Err(_) if has_timeouts(transaction).await? => Ok(()),
        outcome => outcome,
    }
}

async fn has_timeouts(transaction: &Transaction) -> Result<bool, Error> {
    let settings = transaction.rows(citus::ROLE, Vec::new()).await?;
    let settings = settings
        .iter()
        .map(|row| row.column::<String>(0))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(ROLE_SETTINGS
        .iter()
        .all(|required_setting| settings.iter().any(|setting| setting == required_setting)))
}

/// Returns the tables that are not distributed yet.
pub(crate) async fn unspread(
    transaction: &Transaction,
    schema: Schema,
) -> Result<Vec<(&'static str, Distribution)>, Error> {
    let distributed_tables = spread_already(transaction).await?;
    let tables = schema.tables().iter().copied();
    Ok(tables
        .filter(|(table, _)| {
            !distributed_tables
                .iter()
                .any(|distributed_table| distributed_table == table)
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::statements;
    use crate::sql::tables::DISTRIBUTED_TABLES;

    fn released_statements() -> impl Iterator<Item = &'static str> {
        Schema::RELEASED
            .migrations()
            .iter()
            .flat_map(|migration| statements(migration))
    }

    /// Returns the tables whose primary key starts with this column.
    fn led_by(column: &str) -> Vec<String> {
        let tables = released_statements().filter_map(|statement| {
            let (_, rest) = statement.split_once("CREATE TABLE ")?;
            let (_, key) = rest.split_once("PRIMARY KEY (")?;
            let table = rest.split_whitespace().next()?;
            (key.split([',', ')']).next()? == column).then(|| table.to_owned())
        });
        tables.collect()
    }

    /// A migration that creates a table must add it to the registry.
    #[test]
    fn every_table_is_distributed() {
        let tables = released_statements().filter_map(|statement| {
            let (_, rest) = statement.split_once("CREATE TABLE ")?;
            rest.split_whitespace().next()
        });
        let missing: Vec<_> = tables
            .filter(|tables| !DISTRIBUTED_TABLES.iter().any(|(table, _)| table == tables))
            .collect();
        assert!(missing.is_empty(), "{missing:?} are not spread");
    }

    #[test]
    fn tables_are_distributed_by_their_key() {
        for (column, distribution) in [
            ("client", Distribution::ByClient),
            ("check_id", Distribution::ByCheck),
        ] {
            let mut led_tables = led_by(column);
            let distributed_tables = DISTRIBUTED_TABLES
                .iter()
                .filter(|(_, table_distribution)| *table_distribution == distribution)
                .map(|(table, _)| (*table).to_owned());
            let mut distributed_tables: Vec<_> = distributed_tables.collect();
            assert_eq!(
                distributed_tables.first().map(String::as_str),
                distribution.distribution().map(|(_, beside)| beside),
                "the first stands alone"
            );
            led_tables.sort();
            distributed_tables.sort();
            assert_eq!(distributed_tables, led_tables);
        }
    }
}
