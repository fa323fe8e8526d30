//! Files that are written are read again with the same addresses and amounts.

use crate::compression::compress;
use crate::fixture::{address, list_of, listed, row, rows, tokens};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::convert::Infallible;
use std::sync::Arc;
use voight_domain::snapshot::{AmountUnit, MerkleTree, TokenAmount};
use voight_files::{
    ContentEncoding, LineFormat, ListOptions, RowFormat, UploadFormat, write_amounts,
    write_changes, write_merkle_dump, write_rows,
};

const CSV: UploadFormat = UploadFormat::Lines(LineFormat::Csv);
const ENCODINGS: [ContentEncoding; 3] = [
    ContentEncoding::Plain,
    ContentEncoding::Gzip,
    ContentEncoding::Zstd,
];
const ROWS: u32 = 200;

/// Amounts of the rows, by their indices.
fn amounts() -> Vec<(u32, Option<u128>)> {
    (0..ROWS)
        .map(|index| (index, row(index).amount.map(TokenAmount::base_units)))
        .collect()
}

fn assert_read(
    format: UploadFormat,
    file: &[u8],
    options: &ListOptions,
    expected: &[(u32, Option<u128>)],
) {
    let encodings = if format == UploadFormat::Parquet {
        &ENCODINGS[..1]
    } else {
        &ENCODINGS[..]
    };
    for encoding in encodings {
        let list = list_of(format, *encoding, &compress(*encoding, file), options);
        assert_eq!(
            listed(&list.unwrap_or_else(|errors| panic!("{format:?} {encoding}: {errors}"))),
            expected
        );
    }
}

#[test]
fn rows_are_read_in_each_format() {
    for (format, upload) in [
        (RowFormat::Csv, CSV),
        (RowFormat::Ndjson, UploadFormat::Lines(LineFormat::Ndjson)),
        (RowFormat::Parquet, UploadFormat::Parquet),
    ] {
        let mut file = Vec::new();
        write_rows(format, &mut file, rows(ROWS)).unwrap();
        for options in [ListOptions::default(), tokens(18)] {
            assert_read(upload, &file, &options, &amounts());
        }
        let list = list_of(
            upload,
            ContentEncoding::Plain,
            &file,
            &ListOptions::default(),
        )
        .unwrap();
        assert_eq!(list.summary.without_amount, u64::from(ROWS) / 5);
        assert_eq!(
            list.summary.columns.amount,
            Some(("amount".to_owned(), AmountUnit::Base))
        );
        assert_eq!(list.summary.columns.ignored[0], "status");
    }
}

#[test]
fn changes_are_read_as_addresses() {
    let mut file = Vec::new();
    let changed_rows = rows(ROWS).map(|row| {
        row.map(|row| voight_domain::snapshot::SnapshotRow {
            draft: Some(row.answer),
            ..row
        })
    });
    write_changes(&mut file, changed_rows).unwrap();
    let expected_entries: Vec<_> = (0..ROWS).map(|index| (index, None)).collect();
    assert_read(CSV, &file, &ListOptions::default(), &expected_entries);
}

#[test]
fn rewards_are_read_from_airdrop_and_tree() {
    let rewards: Vec<_> = (0..ROWS)
        .filter_map(|index| row(index).amount.map(|amount| (address(index), amount)))
        .collect();
    let expected_entries: Vec<_> = amounts()
        .into_iter()
        .filter(|(_, amount)| amount.is_some())
        .collect();
    let mut tree = Vec::new();
    write_merkle_dump(&mut tree, &MerkleTree::new(rewards.clone()).unwrap()).unwrap();
    assert_read(
        UploadFormat::MerkleDump,
        &tree,
        &ListOptions::default(),
        &expected_entries,
    );
    for decimals in [0, 6, 18] {
        let mut airdrop = Vec::new();
        write_amounts(
            &mut airdrop,
            decimals,
            rewards.iter().map(|reward| Ok::<_, Infallible>(*reward)),
        )
        .unwrap();
        assert_read(CSV, &airdrop, &tokens(decimals), &expected_entries);
    }
}

#[test]
fn incomplete_trees_are_rejected() {
    let tree = MerkleTree::new([(address(1), TokenAmount::from_base_units(5))]).unwrap();
    let mut dump = Vec::new();
    write_merkle_dump(&mut dump, &tree).unwrap();
    let dump = String::from_utf8(dump).unwrap();
    for (file, expected) in [
        (
            dump[..dump.len() - 1].to_owned(),
            "no complete Merkle tree dump",
        ),
        (
            dump.replace("standard-v1", "simple-v1"),
            "format standard-v1",
        ),
        (dump.replace("uint256", "uint128"), "leafEncoding"),
        (
            dump.replace(&address(1).to_string(), "0x12"),
            "Value 1: the address is \"0x12\"",
        ),
        (
            dump.replace("\"5\"", "\"5.5\""),
            "Value 1: the amount is \"5.5\"",
        ),
        (
            dump.replace("\"5\"", &format!("\"{}\"", "5".repeat(1000))),
            "a string is too long",
        ),
        (format!("{dump}x"), "trailing characters"),
        ("[]".to_owned(), "an object with the members"),
    ] {
        let errors = list_of(
            UploadFormat::MerkleDump,
            ContentEncoding::Plain,
            file.as_bytes(),
            &ListOptions::default(),
        );
        let errors = errors.unwrap_err().to_string();
        assert!(errors.contains(expected), "{expected} is not in {errors}");
    }
    let errors = list_of(
        UploadFormat::MerkleDump,
        ContentEncoding::Plain,
        dump.as_bytes(),
        &ListOptions {
            address_column: Some("1".into()),
            ..ListOptions::default()
        },
    );
    assert!(
        errors
            .unwrap_err()
            .to_string()
            .contains("no columns to choose")
    );
}

/// Writes a file with the columns `wallet` and `points`.
fn foreign_parquet(wallets: &[String], points: &[i64], properties: WriterProperties) -> Vec<u8> {
    let schema =
        parse_message_type("message m { required binary wallet (STRING); required int64 points; }")
            .unwrap();
    let mut file = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut file, Arc::new(schema), Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let wallets: Vec<_> = wallets
        .iter()
        .map(|wallet| ByteArray::from(wallet.as_str()))
        .collect();
    let mut column = group.next_column().unwrap().unwrap();
    column
        .typed::<ByteArrayType>()
        .write_batch(&wallets, None, None)
        .unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column
        .typed::<Int64Type>()
        .write_batch(points, None, None)
        .unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    file
}

#[test]
fn parquet_of_other_writers_follows_the_rules_of_csv() {
    let wallets = [
        address(1).to_string(),
        "vitalik.eth".to_owned(),
        address(2).to_lower_hex(),
    ];
    let file = foreign_parquet(&wallets, &[5, 6, 7], WriterProperties::default());
    let read_list = |options: &ListOptions| {
        list_of(
            UploadFormat::Parquet,
            ContentEncoding::Plain,
            &file,
            options,
        )
    };
    let errors = read_list(&ListOptions::default()).unwrap_err().to_string();
    assert!(
        errors.contains("Row 2: the address is \"vitalik.eth\""),
        "{errors}"
    );
    let file = foreign_parquet(&wallets[..1], &[5], WriterProperties::default());
    let options = ListOptions {
        amount_column: Some("points".to_owned()),
        ..tokens(1)
    };
    let list = list_of(
        UploadFormat::Parquet,
        ContentEncoding::Plain,
        &file,
        &options,
    )
    .unwrap();
    assert_eq!(listed(&list), [(1, Some(50))]);
}

#[test]
fn parquet_pages_have_a_bounded_size() {
    let wallets = ["0".repeat(40 << 20)];
    let zstd = Compression::ZSTD(parquet::basic::ZstdLevel::default());
    let properties = WriterProperties::builder()
        .set_compression(zstd)
        .set_dictionary_enabled(false)
        .build();
    let bomb = foreign_parquet(&wallets, &[5], properties);
    assert!(bomb.len() < 100_000, "{} bytes", bomb.len());
    let errors = list_of(
        UploadFormat::Parquet,
        ContentEncoding::Plain,
        &bomb,
        &ListOptions::default(),
    )
    .unwrap_err();
    assert!(
        errors
            .to_string()
            .contains("a page has more than 16777216 bytes"),
        "{errors}"
    );
}

#[test]
fn damaged_parquet_is_an_error_at_every_byte() {
    let mut file = Vec::new();
    write_rows(RowFormat::Parquet, &mut file, rows(20)).unwrap();
    let complete = list_of(
        UploadFormat::Parquet,
        ContentEncoding::Plain,
        &file,
        &ListOptions::default(),
    )
    .unwrap();
    for length in (0..file.len()).step_by(17) {
        let result = list_of(
            UploadFormat::Parquet,
            ContentEncoding::Plain,
            &file[..length],
            &ListOptions::default(),
        );
        assert!(result.is_err(), "{length} bytes");
    }
    for index in (0..file.len()).step_by(13) {
        let mut changed_file = file.clone();
        changed_file[index] ^= 0x40;
        let result = list_of(
            UploadFormat::Parquet,
            ContentEncoding::Plain,
            &changed_file,
            &ListOptions::default(),
        );
        assert!(
            result.is_err()
                || result.is_ok_and(|list| list.addresses.len() <= complete.addresses.len()),
            "byte {index}"
        );
    }
}
