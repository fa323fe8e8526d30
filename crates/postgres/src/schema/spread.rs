//! Spreading the tables over the machines of a cluster.
//!
//! Rows of one client lie on one machine, so no lookup asks two. What leads from a name, a digest or an id to a client has a copy
//! on each machine. Evidence is spread by its checks. What there is one of stays where the database is.

use super::check::in_open;
use crate::connect::{OpenError, PostgresUrl};
use crate::error::Error;
use crate::sql::{citus, schema};
use crate::step::Transaction;
use crate::value::{RowExt, values};

/// Functions that are called.
const FUNCTIONS: usize = 3;

/// How a table is spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// By clients, beside each other.
    ByClient,
    /// By checks, beside each other.
    ByCheck,
    /// A copy on each machine.
    Reference,
}

/// Every table that is spread, in the order in which they have to be: what others lie beside comes first.
pub(super) const DISTRIBUTED_TABLES: [(&str, Distribution); 30] = [
    ("client_name", Distribution::Reference),
    ("key_digest", Distribution::Reference),
    ("key_owner", Distribution::Reference),
    ("context_owner", Distribution::Reference),
    ("client", Distribution::ByClient),
    ("access_key", Distribution::ByClient),
    ("context", Distribution::ByClient),
    ("claim", Distribution::ByClient),
    ("claim_end", Distribution::ByClient),
    ("meter", Distribution::ByClient),
    ("ledger", Distribution::ByClient),
    ("opening", Distribution::ByClient),
    ("ended_period", Distribution::ByClient),
    ("alert", Distribution::ByClient),
    ("price_book", Distribution::ByClient),
    ("invoice", Distribution::ByClient),
    ("adjustment", Distribution::ByClient),
    ("account", Distribution::ByClient),
    ("concluded", Distribution::ByClient),
    ("presented_input", Distribution::ByClient),
    ("verdict", Distribution::ByClient),
    ("event", Distribution::ByClient),
    ("label", Distribution::ByClient),
    ("tombstone", Distribution::ByClient),
    ("trace_page", Distribution::ByClient),
    ("cluster", Distribution::ByClient),
    ("assigned", Distribution::ByClient),
    ("transaction_mark", Distribution::ByClient),
    ("evidence_check", Distribution::ByCheck),
    ("evidence_batch", Distribution::ByCheck),
];

impl Distribution {
    /// The column that says on which machine a row lies, and the table whose rows lie beside it; of the first such table none.
    const fn distribution(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::ByClient => Some(("client", "client")),
            Self::ByCheck => Some(("check_id", "evidence_check")),
            Self::Reference => None,
        }
    }
}

/// Refuses a database without the extension, or with half of it, and one in which a store is already.
pub(crate) async fn refuse_unless_possible(step: &Transaction, url: &PostgresUrl) -> Result<(), OpenError> {
    let cannot = |why: String| OpenError::CannotDistribute { place: url.to_string(), why };
    let functions = step.rows(citus::FUNCTIONS, Vec::new()).await.map_err(|error| in_open(url, error))?;
    match functions.len() {
        0 => return Err(cannot("it has no extension citus".to_owned())),
        FUNCTIONS => {}
        _ => return Err(cannot("its extension citus is half installed: some of its functions are missing".to_owned())),
    }
    let version = step.row(citus::VERSION, Vec::new()).await;
    version.map_err(|error| cannot(format!("its extension citus is half installed: {error}")))?;
    if has_store(step).await.map_err(|error| in_open(url, error))? {
        return Err(OpenError::Occupied { place: url.to_string() });
    }
    Ok(())
}

/// Whether there is a store in the tables, if there are tables.
async fn has_store(step: &Transaction) -> Result<bool, Error> {
    let rows = step.rows(schema::TABLES, Vec::new()).await?;
    let names = rows.iter().map(|row| row.column::<String>(0)).collect::<Result<Vec<_>, _>>()?;
    Ok(names.iter().any(|name| name == "store_identity") && step.row(schema::IDENTITY, Vec::new()).await?.is_some())
}

/// Spreads every table that is not spread yet; returns each with how it is.
pub(crate) async fn distribute_tables(
    step: &Transaction,
    url: &PostgresUrl,
) -> Result<Vec<(&'static str, Distribution)>, OpenError> {
    let done = async {
        let rows = step.rows(citus::SPREAD, Vec::new()).await?;
        let before = rows.iter().map(|row| row.column::<String>(0)).collect::<Result<Vec<_>, _>>()?;
        for (table, spread) in
            DISTRIBUTED_TABLES.iter().filter(|(table, _)| !before.iter().any(|spread| spread == table))
        {
            match spread.distribution() {
                Some((column, beside)) => {
                    let beside = if beside == *table { "none" } else { beside };
                    step.rows(citus::DISTRIBUTE, values![*table, column, beside]).await?
                }
                None => step.rows(citus::COPY, values![*table]).await?,
            };
        }
        Ok(DISTRIBUTED_TABLES.to_vec())
    };
    done.await.map_err(|error: Error| in_open(url, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{MIGRATIONS, statements};

    /// The tables whose primary keys lead with this column.
    fn led_by(column: &str) -> Vec<String> {
        let made = MIGRATIONS.into_iter().flat_map(statements).filter_map(|statement| {
            let (_, rest) = statement.split_once("CREATE TABLE ")?;
            let (_, key) = rest.split_once("PRIMARY KEY (")?;
            let table = rest.split_whitespace().next()?;
            (key.split([',', ')']).next()? == column).then(|| table.to_owned())
        });
        made.collect()
    }

    #[test]
    fn every_table_of_a_client_or_a_check_is_spread_by_it() {
        for (column, spread) in [("client", Distribution::ByClient), ("check_id", Distribution::ByCheck)] {
            let mut expected = led_by(column);
            let listed =
                DISTRIBUTED_TABLES.into_iter().filter(|(_, how)| *how == spread).map(|(table, _)| table.to_owned());
            let mut listed: Vec<_> = listed.collect();
            assert_eq!(
                listed.first().map(String::as_str),
                spread.distribution().map(|(_, beside)| beside),
                "the first stands alone"
            );
            expected.sort();
            listed.sort();
            assert_eq!(listed, expected);
        }
    }
}
