//! Uploads of addresses.

use voight_files::{
    AddressReader, ContentEncoding, LineFormat, ListOptions, UnitName, UploadEntry, UploadLimits,
};

const LIMITS: UploadLimits = UploadLimits {
    max_addresses: 100,
    max_line_bytes: 1 << 12,
    max_bytes: 1 << 16,
};

/// Reads an upload. The first byte chooses its format, its compression and the options.
///
/// The reader ends, line numbers ascend, an error is one line, and the accepted entries are the same when they are written as
/// CSV and read again.
pub fn upload(bytes: &[u8]) -> bool {
    let [kind, input @ ..] = bytes else {
        return false;
    };
    let format = if kind & 1 == 0 {
        LineFormat::Csv
    } else {
        LineFormat::Ndjson
    };
    let encoding = match kind >> 1 & 3 {
        0 => ContentEncoding::Plain,
        1 => ContentEncoding::Gzip,
        _ => ContentEncoding::Zstd,
    };
    let options = match kind >> 3 & 3 {
        0 => ListOptions::default(),
        1 => ListOptions {
            unit: Some(UnitName::Base),
            ..ListOptions::default()
        },
        2 => ListOptions {
            decimals: Some(6),
            ..ListOptions::default()
        },
        _ => ListOptions {
            address_column: Some("1".to_owned()),
            has_no_amounts: true,
            ..ListOptions::default()
        },
    };
    let Some(entries) = read(input, format, encoding, options) else {
        return false;
    };
    let has_amounts = entries.iter().any(|entry| entry.amount.is_some());
    let header = if has_amounts {
        "address,amount_base_units\n"
    } else {
        "address,note\n"
    };
    let lines: String = entries.iter().map(csv_line).collect();
    let file_text = format!("{header}{lines}");
    let second_reading = read(
        file_text.as_bytes(),
        LineFormat::Csv,
        ContentEncoding::Plain,
        ListOptions::default(),
    );
    assert_eq!(
        second_reading.as_ref(),
        Some(&entries),
        "the entries are read as others"
    );
    !entries.is_empty()
}

fn csv_line(entry: &UploadEntry) -> String {
    let amount = entry
        .amount
        .map(|amount| amount.to_string())
        .unwrap_or_default();
    format!("{},{amount}\n", entry.address.to_lower_hex())
}

/// Returns the valid entries, or `None` after an error of the upload.
fn read(
    input: &[u8],
    format: LineFormat,
    encoding: ContentEncoding,
    options: ListOptions,
) -> Option<Vec<UploadEntry>> {
    let is_short = |message: &str| !message.is_empty() && !message.contains(char::is_control);
    let mut entries = Vec::new();
    let mut last = 0;
    for line in AddressReader::new(input, format, encoding, options, LIMITS).ok()? {
        match line {
            Ok(line) => {
                assert!(
                    line.number > last,
                    "line {} follows line {last}",
                    line.number
                );
                last = line.number;
                match line.entry {
                    Ok(entry) => entries.push(entry),
                    Err(error) => {
                        assert!(is_short(&error.to_string()), "not a short line: {error}");
                    }
                }
            }
            Err(error) => {
                assert!(is_short(&error.to_string()), "not a short line: {error}");
                return None;
            }
        }
    }
    assert!(
        entries.len() as u64 <= LIMITS.max_addresses,
        "more addresses than the limit"
    );
    Some(entries)
}
