//! Parser of HTTP/1.1 responses on a socket. They have a length, and no chunks.

use httparse::{EMPTY_HEADER, Response, Status};
use std::io::{self, ErrorKind};

/// Maximum number of headers in a response of a server under test.
const HEADERS: usize = 64;

/// Lengths of a response that begins at the first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    /// Status code.
    pub status: u16,
    /// End of the head, including its empty line.
    pub head: usize,
    /// End of the body, and of the response.
    pub body: usize,
}

impl Ends {
    /// Finds the ends of the first response in `bytes`; `None` if it is incomplete.
    ///
    /// # Errors
    ///
    /// The bytes are not HTTP.
    pub fn find(bytes: &[u8]) -> io::Result<Option<Self>> {
        let wrong = || io::Error::from(ErrorKind::InvalidData);
        let mut headers = [EMPTY_HEADER; HEADERS];
        let mut response = Response::new(&mut headers);
        let Status::Complete(head) = response.parse(bytes).map_err(|_| wrong())? else {
            return Ok(None);
        };
        let length = response
            .headers
            .iter()
            .find(|header| header.name.eq_ignore_ascii_case("content-length"));
        let length = length.map_or(Some(0), |length| {
            str::from_utf8(length.value).ok()?.parse::<usize>().ok()
        });
        let body = length
            .and_then(|length| head.checked_add(length))
            .ok_or_else(wrong)?;
        let ends = Self {
            status: response.code.ok_or_else(wrong)?,
            head,
            body,
        };
        Ok((body <= bytes.len()).then_some(ends))
    }
}

/// Returns the value of the first header with this name in the head of a response.
pub fn header<'a>(head: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut headers = [EMPTY_HEADER; HEADERS];
    let mut response = Response::new(&mut headers);
    response.parse(head).ok()?;
    response
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case(name))
        .map(|header| header.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nvoight-meter: seq=1 \r\n\r\nokHTTP/1.1 503 \r\n\r\n";

    #[test]
    fn answer_is_complete_with_its_last_byte() {
        let body = TEXT.len() - "HTTP/1.1 503 \r\n\r\n".len();
        for cut in 0..body {
            assert_eq!(Ends::find(&TEXT[..cut]).unwrap(), None, "{cut}");
        }
        let ends = Ends {
            status: 200,
            head: body - 2,
            body,
        };
        assert_eq!(Ends::find(TEXT).unwrap(), Some(ends));
        assert_eq!(
            Ends::find(&TEXT[body..])
                .unwrap()
                .map(|ends| (ends.status, ends.body)),
            Some((503, 17))
        );
        assert_eq!(
            header(&TEXT[..ends.head], "voight-meter"),
            Some(&b"seq=1"[..])
        );
        assert_eq!(header(&TEXT[..ends.head], "voight"), None);
    }

    #[test]
    fn text_that_is_no_http_or_has_no_length_is_an_error() {
        for text in [
            "nonsense\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: two\r\n\r\n",
        ] {
            assert_eq!(
                Ends::find(text.as_bytes()).unwrap_err().kind(),
                ErrorKind::InvalidData,
                "{text}"
            );
        }
    }
}
