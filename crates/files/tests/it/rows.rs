//! Rows of snapshots.

use crate::fixture::{address, row, rows};
use parquet::basic::{LogicalType, TimeUnit, Type};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, RowAccessor};
use std::fs::File;
use std::io::{self, Write};
use voight_domain::snapshot::SnapshotRow;
use voight_domain::verdict::{Answer, Detail};
use voight_files::{RowFormat, WriteError, write_rows};

const FORMATS: [RowFormat; 3] = [RowFormat::Csv, RowFormat::Ndjson, RowFormat::Parquet];

/// Row about an unknown address, without optional values.
fn unknown() -> SnapshotRow {
    SnapshotRow {
        address: address(1),
        answer: Answer::UNKNOWN,
        detail: Detail::UNKNOWN,
        amount: None,
        draft: None,
    }
}

fn written(format: RowFormat, count: u32) -> Vec<u8> {
    let mut file = Vec::new();
    write_rows(format, &mut file, rows(count)).unwrap();
    file
}

fn text(format: RowFormat, rows: &[SnapshotRow]) -> String {
    let mut file = Vec::new();
    write_rows::<io::Error>(format, &mut file, rows.iter().map(|row| Ok(*row))).unwrap();
    String::from_utf8(file).unwrap()
}

#[test]
fn a_csv_row_is_a_line_under_its_header() {
    let address = address(1);
    let expected_csv = format!(
        "address,status,is_bot,score,checks,last_check_at,layer,decided_by,amount\r\n\
         {},bot,true,0.42,42,2027-01-15T08:00:10.5Z,owned,checks,774763251095801167872\r\n\
         {address},unknown,false,0.00,0,,,,\r\n",
        row(42).address
    );
    assert_eq!(text(RowFormat::Csv, &[row(42), unknown()]), expected_csv);
}

#[test]
fn an_ndjson_row_is_an_object_on_a_line() {
    let address = address(1);
    let expected_json = format!(
        "{{\"address\":\"{}\",\"status\":\"bot\",\"is_bot\":true,\"score\":0.42,\"checks\":42,\
         \"last_check_at\":\"2027-01-15T08:00:10.5Z\",\"layer\":\"owned\",\"decided_by\":\"checks\",\
         \"amount\":\"774763251095801167872\"}}\n\
         {{\"address\":\"{address}\",\"status\":\"unknown\",\"is_bot\":false,\"score\":0.00,\"checks\":0,\
         \"last_check_at\":null,\"layer\":null,\"decided_by\":null,\"amount\":null}}\n",
        row(42).address
    );
    let text = text(RowFormat::Ndjson, &[row(42), unknown()]);
    assert_eq!(text, expected_json);
    for line in text.lines() {
        assert!(
            serde_json::from_str::<serde_json::Value>(line)
                .unwrap()
                .is_object()
        );
    }
}

#[test]
fn a_score_has_two_decimals() {
    for (hundredths, expected) in [
        (0, "0.00"),
        (5, "0.05"),
        (50, "0.50"),
        (99, "0.99"),
        (100, "1.00"),
    ] {
        let score = voight_domain::verdict::Confidence::from_hundredths(hundredths);
        let row = SnapshotRow {
            answer: Answer {
                is_bot: false,
                score,
            },
            ..unknown()
        };
        let line = text(RowFormat::Csv, &[row]);
        assert_eq!(
            line.lines().nth(1).unwrap().split(',').nth(3),
            Some(expected)
        );
    }
}

#[test]
fn equal_rows_give_equal_bytes() {
    for format in FORMATS {
        assert_eq!(written(format, 3_000), written(format, 3_000), "{format:?}");
    }
}

fn open(file: &[u8]) -> SerializedFileReader<File> {
    let mut stored_file = tempfile::tempfile().unwrap();
    stored_file.write_all(file).unwrap();
    SerializedFileReader::new(stored_file).unwrap()
}

#[test]
fn parquet_columns_have_their_types() {
    let reader = open(&written(RowFormat::Parquet, 1));
    let schema = reader.metadata().file_metadata().schema_descr();
    let columns: Vec<_> = schema
        .columns()
        .iter()
        .map(|column| {
            (
                column.name(),
                column.physical_type(),
                column.logical_type_ref().cloned(),
                column.max_def_level() == 1,
            )
        })
        .collect();
    let string = Some(LogicalType::String);
    let time = LogicalType::timestamp(true, TimeUnit::MILLIS);
    let expected_columns = [
        ("address", Type::BYTE_ARRAY, string.clone(), false),
        ("status", Type::BYTE_ARRAY, string.clone(), false),
        ("is_bot", Type::BOOLEAN, None, false),
        ("score", Type::DOUBLE, None, false),
        (
            "checks",
            Type::INT32,
            Some(LogicalType::integer(32, false)),
            false,
        ),
        ("last_check_at", Type::INT64, Some(time), true),
        ("layer", Type::BYTE_ARRAY, string.clone(), true),
        ("decided_by", Type::BYTE_ARRAY, string.clone(), true),
        ("amount", Type::BYTE_ARRAY, string, true),
    ];
    assert_eq!(columns, expected_columns);
}

#[test]
fn parquet_rows_are_those_of_csv() {
    let csv = String::from_utf8(written(RowFormat::Csv, 1_000)).unwrap();
    let reader = open(&written(RowFormat::Parquet, 1_000));
    let mut lines = csv.lines().skip(1);
    for parquet_row in reader.get_row_iter(None).unwrap() {
        let parquet_row = parquet_row.unwrap();
        let cells: Vec<_> = parquet_row
            .get_column_iter()
            .map(|(name, field)| cell(name, field))
            .collect();
        assert_eq!(cells.join(","), lines.next().unwrap());
    }
    assert_eq!(lines.next(), None);
    let first = reader.get_row_iter(None).unwrap().next().unwrap().unwrap();
    assert_eq!(first.get_string(0).unwrap(), &address(0).to_string());
}

/// Returns a value as CSV contains it.
fn cell(name: &str, field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Bool(value) => value.to_string(),
        Field::Double(value) => format!("{value:.2}"),
        Field::UInt(value) => value.to_string(),
        Field::TimestampMillis(millis) => {
            voight_domain::Timestamp::from_millis(*millis).to_string()
        }
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn parquet_row_groups_have_65536_rows() {
    for (count, expected) in [
        (0, vec![]),
        (65_536, vec![65_536]),
        (65_537, vec![65_536, 1]),
    ] {
        let reader = open(&written(RowFormat::Parquet, count));
        let groups: Vec<_> = reader
            .metadata()
            .row_groups()
            .iter()
            .map(RowGroupMetaData::num_rows)
            .collect();
        assert_eq!(groups, expected);
        assert_eq!(
            reader.metadata().file_metadata().num_rows(),
            i64::from(count)
        );
    }
}

#[test]
fn parquet_metadata_has_no_time_of_writing() {
    let reader = open(&written(RowFormat::Parquet, 10));
    let metadata = reader.metadata().file_metadata();
    assert_eq!(metadata.key_value_metadata(), None);
    assert_eq!(metadata.created_by(), Some("voight"));
}

#[test]
fn a_failing_source_ends_the_file() {
    for format in FORMATS {
        let rows = (0..5).map(|index| {
            if index < 3 {
                Ok(row(index))
            } else {
                Err("no more rows")
            }
        });
        let result = write_rows(format, io::sink(), rows);
        assert!(
            matches!(result, Err(WriteError::Row("no more rows"))),
            "{format:?}: {result:?}"
        );
    }
}

/// Output with space for a number of bytes.
struct FullDisk(usize);

impl Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len())
            .ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_failing_output_is_an_error_with_its_kind() {
    for format in FORMATS {
        for space in [0, 10_000] {
            let result = write_rows(format, FullDisk(space), rows(500));
            let Err(WriteError::Output(error)) = result else {
                panic!("{format:?}: {result:?}")
            };
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{format:?}");
        }
    }
}
