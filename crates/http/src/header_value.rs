//! Header values that are formatted for one response.

use actix_web::http::header::HeaderValue;
use std::fmt;
use std::io::Write;

/// Maximum length in bytes: a sequence number with a chain head is shorter.
const LONGEST: usize = 128;

/// Formats a header value with a single copy. Returns `None` if the text is longer than 128 bytes or not a valid value, which
/// does not occur for the values of this crate.
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
