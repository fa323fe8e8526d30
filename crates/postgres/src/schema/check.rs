//! What is asked of a server before anything is changed.

use crate::connect::{OpenError, PostgresUrl};
use crate::error::Error;
use crate::sql::schema;
use crate::step::Transaction;
use crate::value::RowExt;

/// Refuses a server that takes no writes, or that may lose what it has acknowledged.
pub(crate) async fn check_server(step: &Transaction, url: &PostgresUrl) -> Result<(), OpenError> {
    let row = step.row(schema::SETTINGS, Vec::new()).await.map_err(|error| in_open(url, error))?;
    let Some(row) = row else { return Err(OpenError::unusable(url, "it does not tell its settings")) };
    let setting = |index| row.column::<Option<String>>(index).map_err(|error| in_open(url, error));
    if setting(0)?.as_deref() == Some("on") {
        return Err(OpenError::ReadOnly { place: url.to_string() });
    }
    for (index, name) in [(1, "synchronous_commit"), (2, "fsync"), (3, "full_page_writes")] {
        if let Some(value) = setting(index)?.filter(|value| value == "off") {
            return Err(OpenError::NotDurable { place: url.to_string(), setting: name.to_owned(), value });
        }
    }
    Ok(())
}

/// The error of opening that an error of a step is.
pub(crate) fn in_open(url: &PostgresUrl, error: Error) -> OpenError {
    match error {
        Error::Database(error) => OpenError::of_database(url, &error),
        Error::Damaged(what) => OpenError::Damaged { place: url.to_string(), what },
        other => OpenError::unreachable(url, other),
    }
}
