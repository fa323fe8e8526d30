//! Writing of the rows of a snapshot.

mod csv;
mod ndjson;
mod parquet;
mod text;

use std::io::{self, BufWriter, Write};
use voight_domain::snapshot::SnapshotRow;

/// Names of the columns, in their order.
pub(crate) const COLUMNS: [&str; 9] = [
    "address",
    "status",
    "is_bot",
    "score",
    "checks",
    "last_check_at",
    "layer",
    "decided_by",
    "amount",
];

/// Format of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// Comma-separated values (RFC 4180) with a header.
    Csv,
    /// A JSON object on each line.
    Ndjson,
    /// Apache Parquet, compressed with zstd.
    Parquet,
}

/// Error of writing a file.
#[derive(Debug, thiserror::Error)]
pub enum WriteError<E> {
    /// The source of the rows failed.
    #[error(transparent)]
    Row(E),
    /// The output failed.
    #[error("the file cannot be written: {0}")]
    Output(#[from] io::Error),
}

/// Writes rows. Equal rows give equal bytes.
///
/// CSV and NDJSON hold one row in memory, Parquet a row group of 65,536 rows.
///
/// # Errors
///
/// A row is an error, or the output fails. What has been written is then no complete file.
pub fn write_rows<E>(
    format: RowFormat,
    output: impl Write + Send,
    rows: impl IntoIterator<Item = Result<SnapshotRow, E>>,
) -> Result<(), WriteError<E>> {
    match format {
        RowFormat::Csv => write_lines(output, &csv::header(), rows, csv::write_row),
        RowFormat::Ndjson => write_lines(output, "", rows, ndjson::write_row),
        RowFormat::Parquet => parquet::write(output, rows),
    }
}

/// Writes the rows whose final answer differs from that of the draft, as CSV.
///
/// # Errors
///
/// As [`write_rows`].
pub fn write_changes<E>(
    output: impl Write,
    rows: impl IntoIterator<Item = Result<SnapshotRow, E>>,
) -> Result<(), WriteError<E>> {
    let changes = rows.into_iter().filter_map(|row| {
        row.map(|row| row.draft.map(|draft| (row, draft)))
            .transpose()
    });
    write_lines(output, csv::changes_header(), changes, csv::write_change)
}

/// Writes a header, and each value by `write_line`.
pub(crate) fn write_lines<T, E>(
    output: impl Write,
    header: &str,
    values: impl IntoIterator<Item = Result<T, E>>,
    write_line: impl Fn(&mut dyn Write, &T) -> io::Result<()>,
) -> Result<(), WriteError<E>> {
    let mut output = BufWriter::new(output);
    output.write_all(header.as_bytes())?;
    for value in values {
        write_line(&mut output, &value.map_err(WriteError::Row)?)?;
    }
    Ok(output.flush()?)
}
