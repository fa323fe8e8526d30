//! Values of headers that are written for one answer.

use actix_web::http::header::HeaderValue;
use std::fmt;
use std::io::Write;

/// The longest value: a ledger's number and its head take less.
const LONGEST: usize = 128;

/// The text as a header's value, which it is copied to once; `None` if it is longer than 128 bytes or no value, which what we write
/// never is.
pub(crate) fn header_value(text: fmt::Arguments<'_>) -> Option<HeaderValue> {
    let mut written = [0; LONGEST];
    let mut left = &mut written[..];
    left.write_fmt(text).ok()?;
    let length = LONGEST - left.len();
    HeaderValue::from_bytes(&written[..length]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_a_value_and_nothing_is_cut() {
        let of = |length| header_value(format_args!("{}", "x".repeat(length)));
        assert_eq!(header_value(format_args!("seq={}", 7)).unwrap(), "seq=7");
        assert_eq!(of(LONGEST).unwrap().len(), LONGEST);
        assert_eq!(of(LONGEST + 1), None);
        assert_eq!(header_value(format_args!("a\nb")), None);
    }
}
