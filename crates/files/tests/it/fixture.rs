//! Addresses and rows.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::{Read, Seek, Write};
use voight_domain::snapshot::{SnapshotRow, TokenAmount};
use voight_domain::verdict::{
    Answer, AnsweringLayer, Confidence, DecidedBy, Detail, Status, Versions,
};
use voight_domain::{EoaAddress, Timestamp};
use voight_files::{
    AddressList, AddressReader, ContentEncoding, LineError, LineFormat, ListErrors, ListOptions,
    UnitName, UploadEntry, UploadError, UploadFormat, UploadLimits, read_list,
};

/// Number of a line, its address in lower case and its amount; or its error.
pub(crate) type Line = (u64, Result<(String, Option<u128>), LineError>);

/// Returns a different address for each index. Its digits are not sorted by the index.
pub(crate) fn address(index: u32) -> EoaAddress {
    let mut bytes = [0; 20];
    let mut state = u64::from(index);
    for chunk in bytes.chunks_mut(8) {
        // Step and mixing function of SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed_state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        chunk.copy_from_slice(&mixed_state.to_be_bytes()[..chunk.len()]);
    }
    EoaAddress::from_bytes(bytes)
}

/// Returns a row; consecutive indices have different values in all columns.
pub(crate) fn row(index: u32) -> SnapshotRow {
    let status = [Status::Unknown, Status::Human, Status::Bot, Status::Unsure][index as usize % 4];
    let is_known = status != Status::Unknown;
    SnapshotRow {
        address: address(index),
        answer: Answer {
            is_bot: status == Status::Bot,
            score: Confidence::from_hundredths(if is_known {
                u8::try_from(index % 101).unwrap()
            } else {
                0
            }),
        },
        detail: Detail {
            status,
            checks: if is_known { index } else { 0 },
            last_check_at: is_known
                .then(|| Timestamp::from_millis(1_800_000_000_000 + i64::from(index) * 250)),
            layer: is_known.then(|| {
                [
                    AnsweringLayer::Owned,
                    AnsweringLayer::Unverified,
                    AnsweringLayer::Both,
                ][index as usize % 3]
            }),
            decided_by: is_known.then(|| {
                [DecidedBy::Checks, DecidedBy::Operator, DecidedBy::List][index as usize / 2 % 3]
            }),
            versions: Versions {
                policy: 1,
                model: 1,
            },
        },
        amount: (!index.is_multiple_of(5))
            .then(|| TokenAmount::from_base_units(u128::from(index) << 64)),
        draft: None,
    }
}

/// Returns rows of a source that does not fail.
pub(crate) fn rows(count: u32) -> impl Iterator<Item = Result<SnapshotRow, Infallible>> {
    (0..count).map(|index| Ok(row(index)))
}

/// Reads an upload without compression, without options and with the default limits.
pub(crate) fn read(format: LineFormat, text: &[u8]) -> Result<Vec<Line>, UploadError> {
    read_with(
        text,
        format,
        ContentEncoding::Plain,
        UploadLimits::default(),
    )
}

/// Reads an upload without options.
pub(crate) fn read_with(
    input: impl Read,
    format: LineFormat,
    encoding: ContentEncoding,
    limits: UploadLimits,
) -> Result<Vec<Line>, UploadError> {
    let reader = AddressReader::new(input, format, encoding, ListOptions::default(), limits)?;
    reader
        .map(|line| line.map(|line| (line.number, line.entry.map(entry))))
        .collect()
}

fn entry(UploadEntry { address, amount }: UploadEntry) -> (String, Option<u128>) {
    (address.to_lower_hex(), amount.map(TokenAmount::base_units))
}

/// Options of a list with amounts in base units.
pub(crate) fn base_units() -> ListOptions {
    ListOptions {
        unit: Some(UnitName::Base),
        ..ListOptions::default()
    }
}

/// Options of a list with amounts in tokens.
pub(crate) fn tokens(decimals: u8) -> ListOptions {
    ListOptions {
        decimals: Some(decimals),
        ..ListOptions::default()
    }
}

/// Reads a list from a file with these bytes.
pub(crate) fn list_of(
    format: UploadFormat,
    encoding: ContentEncoding,
    bytes: &[u8],
    options: &ListOptions,
) -> Result<AddressList, ListErrors> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    read_list(&file, format, encoding, options, UploadLimits::default())
}

/// Replaces `{A}` to `{D}` by addresses.
pub(crate) fn with_addresses(text: &str) -> String {
    let mut text = text.to_owned();
    for (index, name) in (0..).zip(["{A}", "{B}", "{C}", "{D}"]) {
        text = text.replace(name, &address(index).to_string());
    }
    text
}

/// Reads a CSV list in which `{A}` to `{D}` are addresses.
pub(crate) fn csv_list(text: &str, options: &ListOptions) -> Result<AddressList, String> {
    lines_list(LineFormat::Csv, text, options)
}

/// Reads a list of lines of JSON in which `{A}` to `{D}` are addresses.
pub(crate) fn ndjson_list(text: &str, options: &ListOptions) -> Result<AddressList, String> {
    lines_list(LineFormat::Ndjson, text, options)
}

fn lines_list(
    format: LineFormat,
    text: &str,
    options: &ListOptions,
) -> Result<AddressList, String> {
    let bytes = with_addresses(text).into_bytes();
    list_of(
        UploadFormat::Lines(format),
        ContentEncoding::Plain,
        &bytes,
        options,
    )
    .map_err(|errors| errors.to_string())
}

/// Returns addresses and amounts of a list, as indices of [`address`] and base units, in ascending order of the indices.
pub(crate) fn listed(list: &AddressList) -> Vec<(u32, Option<u128>)> {
    let indices: HashMap<_, _> = (0..2_000).map(|index| (address(index), index)).collect();
    let mut entries: Vec<_> = list
        .addresses
        .iter()
        .map(|entry| {
            (
                indices[&entry.address],
                entry.amount.map(TokenAmount::base_units),
            )
        })
        .collect();
    entries.sort_unstable();
    entries
}
