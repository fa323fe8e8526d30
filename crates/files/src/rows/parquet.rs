//! Rows as Apache Parquet.

use super::{WriteError, text};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type,
};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::io::{self, Write};
use std::sync::Arc;
use voight_domain::snapshot::SnapshotRow;
use voight_domain::vocabulary::Timestamp;

/// Columns in the order of [`super::COLUMNS`].
const SCHEMA: &str = "message snapshot {
    required binary address (STRING);
    required binary status (STRING);
    required boolean is_bot;
    required double score;
    required int32 checks (INTEGER(32, false));
    optional int64 last_check_at (TIMESTAMP(MILLIS, true));
    optional binary layer (STRING);
    optional binary decided_by (STRING);
    optional binary amount (STRING);
}";

/// Number of rows that are held in memory.
const ROWS_PER_GROUP: usize = 65_536;

/// Writes a complete file.
pub(super) fn write<E>(
    output: impl Write + Send,
    rows: impl IntoIterator<Item = std::result::Result<SnapshotRow, E>>,
) -> std::result::Result<(), WriteError<E>> {
    let mut writer = new_writer(output).map_err(io_error)?;
    let mut group = Vec::with_capacity(ROWS_PER_GROUP);
    for row in rows {
        group.push(row.map_err(WriteError::Row)?);
        if group.len() == ROWS_PER_GROUP {
            write_group(&mut writer, &group).map_err(io_error)?;
            group.clear();
        }
    }
    if !group.is_empty() {
        write_group(&mut writer, &group).map_err(io_error)?;
    }
    writer.close().map_err(io_error)?;
    Ok(())
}

fn new_writer<W: Write + Send>(output: W) -> Result<SerializedFileWriter<W>> {
    // Addresses and most amounts occur once, so a dictionary of them would be as large as the column.
    let properties = WriterProperties::builder()
        .set_created_by("voight".to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_column_dictionary_enabled("address".into(), false)
        .set_column_dictionary_enabled("amount".into(), false);
    SerializedFileWriter::new(
        output,
        Arc::new(parse_message_type(SCHEMA)?),
        Arc::new(properties.build()),
    )
}

fn write_group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    rows: &[SnapshotRow],
) -> Result<()> {
    let mut group = writer.next_row_group()?;
    let group_writer = &mut group;
    required::<ByteArrayType, _>(group_writer, rows, |row| bytes(row.address.to_string()))?;
    required::<ByteArrayType, _>(group_writer, rows, |row| {
        text::status(row.detail.status).into()
    })?;
    required::<BoolType, _>(group_writer, rows, |row| row.answer.is_bot)?;
    required::<DoubleType, _>(group_writer, rows, |row| row.answer.score.as_f64())?;
    required::<Int32Type, _>(group_writer, rows, |row| row.detail.checks.cast_signed())?;
    optional::<Int64Type, _>(group_writer, rows, |row| {
        row.detail.last_check_at.map(Timestamp::as_millis)
    })?;
    optional::<ByteArrayType, _>(group_writer, rows, |row| {
        row.detail.layer.map(|layer| text::layer(layer).into())
    })?;
    optional::<ByteArrayType, _>(group_writer, rows, |row| {
        row.detail
            .decided_by
            .map(|source| text::decided_by(source).into())
    })?;
    optional::<ByteArrayType, _>(group_writer, rows, |row| {
        row.amount.map(|amount| bytes(amount.to_string()))
    })?;
    group.close()?;
    Ok(())
}

/// Writes the next column, which has a value in each row.
fn required<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: &[SnapshotRow],
    value: impl Fn(&SnapshotRow) -> T::T,
) -> Result<()> {
    write_column::<T, W>(group, &rows.iter().map(value).collect::<Vec<_>>(), None)
}

/// Writes the next column, which may lack values.
fn optional<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: &[SnapshotRow],
    value: impl Fn(&SnapshotRow) -> Option<T::T>,
) -> Result<()> {
    let mut values = Vec::new();
    let mut is_present = Vec::with_capacity(rows.len());
    for row in rows {
        let value = value(row);
        is_present.push(i16::from(value.is_some()));
        values.extend(value);
    }
    write_column::<T, W>(group, &values, Some(&is_present))
}

fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    definition_levels: Option<&[i16]>,
) -> Result<()> {
    let mut column = group
        .next_column()?
        .ok_or_else(|| ParquetError::General("the schema has fewer columns".to_owned()))?;
    column
        .typed::<T>()
        .write_batch(values, definition_levels, None)?;
    column.close()
}

fn bytes(text: String) -> ByteArray {
    text.into_bytes().into()
}

/// Returns the error of the output, which the writer wraps.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => source
            .downcast()
            .map_or_else(io::Error::other, |error| *error),
        error => io::Error::other(error),
    }
}
