//! Parses the text of members.

use data_encoding::HEXLOWER;
use std::fmt::Display;
use std::str::FromStr;

/// Parses the value of the member `name`, or returns a message that names the member.
pub(super) fn parsed<T: FromStr<Err: Display>>(name: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("{name}: {error}"))
}

/// Parses the hexadecimal bytes in `text`, the value of the member `name`.
pub(super) fn hex<const N: usize>(name: &str, text: &str) -> Result<[u8; N], String> {
    let bytes = HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| format!("{name}: {N} bytes are written as {} lower-case hexadecimal digits", 2 * N))
}
