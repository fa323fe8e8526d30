//! Addresses in newline-delimited JSON.

use super::line::{LineError, UploadEntry, parse_amount};
use super::line_reader::{LineReader, UploadError};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::io::Read;

/// Object on a line. Other members are ignored.
#[derive(Deserialize)]
struct Object<'a> {
    #[serde(borrow, alias = "eoa_address")]
    address: Cow<'a, str>,
    /// Text of the value, because a JSON number may exceed 64 bits.
    #[serde(borrow)]
    amount: Option<&'a RawValue>,
}

/// Reads the next line that is not empty. Returns `None` at the end of the input.
pub(super) fn read_entry<R: Read>(
    lines: &mut LineReader<R>,
) -> Result<Option<Result<UploadEntry, LineError>>, UploadError> {
    Ok(lines.start_record()?.then(|| parse_entry(lines.record())))
}

fn parse_entry(line: &[u8]) -> Result<UploadEntry, LineError> {
    let Object { address, amount } = if line.trim_ascii_start().starts_with(b"\"") {
        Object { address: parse_json(line)?, amount: None }
    } else {
        parse_json(line)?
    };
    let address = address.parse()?;
    let amount = match amount.map(RawValue::get) {
        None => None,
        Some(text) if text.starts_with('"') => parse_amount(parse_json::<Cow<str>>(text.as_bytes())?.as_bytes())?,
        Some(text) => parse_amount(text.as_bytes())?,
    };
    Ok(UploadEntry { address, amount })
}

fn parse_json<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, LineError> {
    serde_json::from_slice(text).map_err(|error| LineError::Json { column: error.column() })
}
