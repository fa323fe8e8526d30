//! Header values that are formatted for one response.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::web::Bytes;
use std::ops::Range;

/// A header and the position of its value in a buffer of texts.
pub(crate) type HeaderText = (HeaderName, Range<usize>);

/// Appends the value of the header `name`, which `append` writes, and returns its position.
pub(crate) fn append_value(
    texts: &mut Vec<u8>,
    name: HeaderName,
    append: impl FnOnce(&mut Vec<u8>),
) -> HeaderText {
    let start = texts.len();
    append(texts);
    (name, start..texts.len())
}

/// Appends a number in decimal digits.
pub(crate) fn append_number(texts: &mut Vec<u8>, number: impl itoa::Integer) {
    texts.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Inserts headers whose values are in `texts`, without copying the values. An invalid value is omitted; this crate writes none.
pub(crate) fn insert_texts(
    headers: &mut HeaderMap,
    texts: &Bytes,
    values: impl IntoIterator<Item = HeaderText>,
) {
    for (name, value) in values {
        if let Ok(value) = HeaderValue::from_maybe_shared(texts.slice(value)) {
            headers.insert(name, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header;

    #[test]
    fn values_are_parts_of_one_buffer() {
        let mut texts = b"body".to_vec();
        let age = append_value(&mut texts, header::AGE, |texts| {
            append_number(texts, u64::MAX);
        });
        let broken = append_value(&mut texts, header::SERVER, |texts| {
            texts.extend_from_slice(b"a\nb");
        });
        let mut headers = HeaderMap::new();
        insert_texts(&mut headers, &Bytes::from(texts), [age, broken]);
        assert_eq!(headers.get(header::AGE).unwrap(), "18446744073709551615");
        assert_eq!(headers.get(header::SERVER), None);
    }
}
