//! Verification of the server's settings before anything is changed.

use crate::connect::{OpenError, PostgresUrl};
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::schema;
use crate::value::RowExt;

/// Settings without which an acknowledged write may be lost, in the order in which the statements read them.
pub(crate) const DURABILITY: [&str; 3] = ["synchronous_commit", "fsync", "full_page_writes"];

/// Rejects a server that accepts no writes, or whose settings may lose acknowledged writes.
pub(crate) async fn check_server(
    transaction: &Transaction,
    url: &PostgresUrl,
) -> Result<(), OpenError> {
    let row = transaction
        .row(schema::SETTINGS, Vec::new())
        .await
        .map_err(|error| in_open(url, error))?;
    let Some(row) = row else {
        return Err(OpenError::unusable(url, "it does not tell its settings"));
    };
    let setting = |index| {
        row.column::<Option<String>>(index)
            .map_err(|error| in_open(url, error))
    };
    if setting(0)?.as_deref() == Some("on") {
        return Err(OpenError::ReadOnly {
            place: url.to_string(),
        });
    }
    for (index, name) in (1..).zip(DURABILITY) {
        if let Some(value) = setting(index)?.filter(|value| value == "off") {
            return Err(OpenError::NotDurable {
                place: url.to_string(),
                setting: name.to_owned(),
                value,
            });
        }
    }
    Ok(())
}

/// Converts the error of a transaction into an error of opening the store.
pub(crate) fn in_open(url: &PostgresUrl, error: Error) -> OpenError {
    match error {
        Error::Database(error) => OpenError::of_database(url, &error),
        Error::Damaged(what) => OpenError::Damaged {
            place: url.to_string(),
            what,
        },
        error => OpenError::unreachable(url, error),
    }
}
