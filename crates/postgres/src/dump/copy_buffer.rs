//! Buffer of rows for `COPY` into empty tables.

use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::tables::SqlTable;
use crate::value::Value;
use std::collections::BTreeMap;
use std::pin::pin;
use tokio_postgres::types::ToSql;

/// Size in bytes at which the buffered rows are flushed.
const FLUSH_BYTES: usize = 4 << 20;

/// Buffered rows by table.
#[derive(Default)]
pub(super) struct CopyBuffer {
    waiting: BTreeMap<SqlTable, Vec<Vec<Value>>>,
    bytes: usize,
}

impl CopyBuffer {
    /// Buffers a row.
    pub(super) fn add(&mut self, table: SqlTable, row: Vec<Value>) {
        self.bytes += row.iter().map(Value::size).sum::<usize>();
        self.waiting.entry(table).or_default().push(row);
    }

    /// Returns `true` if the buffered rows have reached [`FLUSH_BYTES`].
    pub(super) const fn should_flush(&self) -> bool {
        self.bytes >= FLUSH_BYTES
    }

    /// Sends the buffered rows to the database.
    pub(super) async fn flush(&mut self, transaction: &Transaction) -> Result<(), Error> {
        self.bytes = 0;
        for (table, rows) in std::mem::take(&mut self.waiting) {
            let (sql, types) = table.copy();
            let mut writer = pin!(transaction.copy_in(sql, types).await?);
            for row in rows {
                let row: Vec<_> = row
                    .iter()
                    .map(|value| value as &(dyn ToSql + Sync))
                    .collect();
                writer.as_mut().write(&row).await?;
            }
            writer.finish().await?;
        }
        Ok(())
    }
}
