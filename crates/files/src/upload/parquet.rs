//! Addresses in Apache Parquet.

use super::column_plan::{ColumnPlan, Columns};
use super::file_kind::FileKind;
use super::line::{UploadEntry, UploadLine};
use super::line_reader::{UploadError, UploadLimits};
use super::options::ListOptions;
use super::used_columns::UsedColumns;
use parquet::basic::{Compression, Repetition};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, FileReader, Length, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::types::{Type, TypePtr};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

const FORMAT: &str = "Parquet";
/// Maximum number of bytes of a decompressed page.
const MAX_PAGE_BYTES: u64 = 16 << 20;
/// Maximum number of bytes of the metadata at the end of a file.
const MAX_FOOTER_BYTES: u32 = 16 << 20;
/// First bytes of a zstd frame.
const ZSTD_MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";

/// Reads the addresses of a file, and passes each row to `add`.
///
/// The library panics at some invalid files, which is reported like its errors.
pub(super) fn read(
    file: &File,
    options: &ListOptions,
    limits: UploadLimits,
    add: &mut dyn FnMut(UploadLine) -> std::result::Result<(), UploadError>,
) -> std::result::Result<UsedColumns, UploadError> {
    let result = catch_unwind(AssertUnwindSafe(|| read_rows(file, options, limits, add)));
    result.unwrap_or_else(|_| Err(invalid("its contents contradict its metadata")))
}

fn read_rows(
    file: &File,
    options: &ListOptions,
    limits: UploadLimits,
    add: &mut dyn FnMut(UploadLine) -> std::result::Result<(), UploadError>,
) -> std::result::Result<UsedColumns, UploadError> {
    require_parquet(file)?;
    let file = BoundedFile(
        file.try_clone()
            .map_err(|error| invalid(error.to_string()))?,
    );
    let reader = SerializedFileReader::new(file).map_err(parquet_error)?;
    let metadata = reader.metadata();
    let schema = metadata.file_metadata().schema_descr().root_schema_ptr();
    let names: Vec<_> = schema
        .get_fields()
        .iter()
        .map(|field| field.name().to_owned())
        .collect();
    let columns = Columns::Named(&names);
    let plan = ColumnPlan::new(columns, options)
        .map_err(|error| UploadError::Columns { line: 1, error })?;
    let rows = u64::try_from(metadata.file_metadata().num_rows()).unwrap_or(u64::MAX);
    if rows > limits.max_addresses {
        return Err(UploadError::TooManyAddresses {
            line: limits.max_addresses + 1,
            limit: limits.max_addresses,
        });
    }
    let compressions = metadata
        .row_groups()
        .iter()
        .flat_map(RowGroupMetaData::columns)
        .map(ColumnChunkMetaData::compression);
    if let Some(compression) = compressions
        .into_iter()
        .find(|compression| !is_readable(*compression))
    {
        return Err(invalid(format!(
            "its compression is {compression}; write it with zstd or without compression"
        )));
    }
    let projection = projection(&schema, plan).map_err(invalid)?;
    let mut used_columns = UsedColumns::default();
    used_columns.add(columns, plan);
    let rows = reader
        .get_row_iter(Some(projection))
        .map_err(parquet_error)?;
    for (number, row) in (1..).zip(rows) {
        let row = row.map_err(parquet_error)?;
        if number > limits.max_addresses {
            return Err(UploadError::TooManyAddresses {
                line: number,
                limit: limits.max_addresses,
            });
        }
        add(UploadLine {
            number,
            entry: entry(&row, &names, plan),
        })?;
    }
    Ok(used_columns)
}

fn entry(
    row: &Row,
    names: &[String],
    plan: ColumnPlan,
) -> std::result::Result<UploadEntry, super::line::LineError> {
    let cell = |index: usize| {
        let name = names.get(index);
        let field = row
            .get_column_iter()
            .find(|(column, _)| Some(*column) == name);
        field.map(|(_, field)| text(field)).unwrap_or_default()
    };
    let address = cell(plan.address);
    let amount = plan.amount.map(|amount| (cell(amount.index), amount));
    let amount = amount
        .as_ref()
        .map(|(cell, column)| (cell.as_bytes().trim_ascii(), *column));
    UploadEntry::from_cells(address.as_bytes().trim_ascii(), amount)
}

/// Returns a value as text; an empty text for a missing one.
fn text(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Bytes(bytes) => String::from_utf8_lossy(bytes.data()).into_owned(),
        field => field.to_string(),
    }
}

/// Returns the schema of the columns that are read.
fn projection(schema: &TypePtr, plan: ColumnPlan) -> std::result::Result<Type, String> {
    let mut fields = Vec::new();
    for (index, field) in schema.get_fields().iter().enumerate() {
        if index != plan.address && plan.amount.is_none_or(|amount| amount.index != index) {
            continue;
        }
        if !field.is_primitive() || field.get_basic_info().repetition() == Repetition::REPEATED {
            return Err(format!(
                "the column {} is a list or a group; write one value in a row",
                field.name()
            ));
        }
        fields.push(Arc::clone(field));
    }
    Type::group_type_builder(schema.name())
        .with_fields(fields)
        .build()
        .map_err(|error| error.to_string())
}

const fn is_readable(compression: Compression) -> bool {
    matches!(
        compression,
        Compression::UNCOMPRESSED | Compression::ZSTD(_)
    )
}

/// Passes if the file begins and ends as a Parquet file, and its metadata has a permitted size.
fn require_parquet(mut file: &File) -> std::result::Result<(), UploadError> {
    let mut start = Vec::new();
    let mut end = [0; 8];
    let result = (|| {
        file.rewind()?;
        file.take(4096).read_to_end(&mut start)?;
        file.seek(SeekFrom::End(-8))?;
        file.read_exact(&mut end)
    })();
    if !start.starts_with(b"PAR1") {
        let kind = FileKind::of_csv(&start);
        return Err(kind.map_or_else(
            || invalid("it does not begin with PAR1"),
            |kind| UploadError::Kind { kind },
        ));
    }
    result.map_err(|error: io::Error| invalid(error.to_string()))?;
    let [bytes @ .., b'P', b'A', b'R', b'1'] = end else {
        return Err(invalid("it does not end with PAR1"));
    };
    match u32::from_le_bytes(bytes) {
        length if length <= MAX_FOOTER_BYTES => Ok(()),
        length => Err(invalid(format!(
            "its metadata has {length} bytes; the maximum is {MAX_FOOTER_BYTES}"
        ))),
    }
}

fn invalid(reason: impl Into<String>) -> UploadError {
    UploadError::Document {
        format: FORMAT,
        reason: reason.into(),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the argument of `map_err`")]
fn parquet_error(error: ParquetError) -> UploadError {
    invalid(error.to_string())
}

/// File whose compressed pages have a bounded size when they are decompressed.
///
/// A page header may understate its size, and a megabyte of zstd may decompress to gigabytes.
struct BoundedFile(File);

impl Length for BoundedFile {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for BoundedFile {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        self.0.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes> {
        let bytes = self.0.get_bytes(start, length)?;
        if bytes.len() as u64 > MAX_FOOTER_BYTES.into()
            || decompressed_bytes(&bytes)? > MAX_PAGE_BYTES
        {
            return Err(ParquetError::General(format!(
                "a page has more than {MAX_PAGE_BYTES} bytes; write smaller pages"
            )));
        }
        Ok(bytes)
    }
}

/// Returns the number of bytes that a compressed page decompresses to, counted up to a little more than the maximum.
///
/// Compressed data behind other bytes is rejected: pages of version 2 begin with levels that are not compressed.
fn decompressed_bytes(page: &[u8]) -> Result<u64> {
    match page
        .windows(ZSTD_MAGIC.len())
        .position(|bytes| bytes == ZSTD_MAGIC)
    {
        None => Ok(0),
        Some(0) => {
            let mut decoder = zstd::Decoder::new(page)?;
            decoder.window_log_max(super::decoder::MAX_WINDOW_LOG)?;
            Ok(io::copy(
                &mut decoder.take(MAX_PAGE_BYTES + 1),
                &mut io::sink(),
            )?)
        }
        Some(_) => Err(ParquetError::General(
            "write data pages of version 1".to_owned(),
        )),
    }
}
