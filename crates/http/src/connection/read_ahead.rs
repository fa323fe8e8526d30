//! Detects bytes of the next request that were read together with the current one.

/// Determines at the end of a request whether a part of the next head was read with it. The HTTP parser buffers such bytes and
/// does not report them.
///
/// A complete request ends with an empty line, unless it has a body of known length; then the number of bytes after its head is
/// compared with that length. An ambiguous case counts as a head: the connection is closed earlier than an idle one.
#[derive(Debug, Default)]
pub(super) struct ReadAhead {
    /// The last two bytes.
    last: [u8; 2],
    /// `true` if the last bytes are an empty line.
    is_blank: bool,
    head: Head,
}

/// State of the head that is being read.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Head {
    /// No byte was read.
    #[default]
    Awaited,
    /// The end was not read yet.
    Partial,
    /// The end was read, followed by this number of bytes.
    Ended(u64),
    /// The end is not tracked: a GET has no body, and a pipelined head may begin anywhere.
    Ignored,
}

impl ReadAhead {
    /// Tracks bytes that were read, during a request or between two.
    pub(super) fn read(&mut self, bytes: &[u8], is_busy: bool) {
        let Some(first) = bytes.first() else { return };
        self.head = match self.head {
            Head::Ended(behind) => Head::Ended(behind + bytes.len() as u64),
            Head::Ignored => Head::Ignored,
            Head::Awaited | Head::Partial if is_busy => Head::Ignored,
            Head::Awaited if *first == b'G' => Head::Ignored,
            Head::Awaited | Head::Partial => self.find_end(bytes),
        };
        for byte in bytes.iter().skip(bytes.len().saturating_sub(3)) {
            self.follow(*byte);
        }
    }

    /// Starts the next request, which may already be in progress.
    pub(super) fn next(&mut self, is_busy: bool) {
        self.head = if is_busy { Head::Ignored } else { Head::Awaited };
    }

    /// Returns `true` if bytes of the next head may have been read after a request with a body of this known length.
    pub(super) fn is_ahead(&self, body: u64) -> bool {
        !self.is_blank && (body == 0 || self.head != Head::Ended(body))
    }

    fn find_end(&self, bytes: &[u8]) -> Head {
        let mut seen = Self { last: self.last, ..Self::default() };
        for (read, byte) in (1..).zip(bytes) {
            seen.follow(*byte);
            if seen.is_blank {
                return Head::Ended(bytes.len() as u64 - read);
            }
        }
        Head::Partial
    }

    fn follow(&mut self, byte: u8) {
        self.is_blank = byte == b'\n' && matches!(self.last, [_, b'\n'] | [b'\n', b'\r']);
        self.last = [self.last[1], byte];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `true` if a head was read ahead after one request with a body of this length that arrived in these parts.
    fn is_ahead(body: u64, parts: &[&str]) -> bool {
        let mut read_ahead = ReadAhead::default();
        for (index, part) in parts.iter().enumerate() {
            read_ahead.read(part.as_bytes(), index > 0 && parts[..index].concat().contains("\r\n\r\n"));
        }
        read_ahead.is_ahead(body)
    }

    #[test]
    fn a_whole_request_has_nothing_behind_it() {
        assert!(!is_ahead(0, &["GET / HTTP/1.1\r\n\r\n"]));
        assert!(!is_ahead(0, &["GET / HTTP/1.1\n\n"]));
        assert!(!is_ahead(0, &["GET / HT", "TP/1.1\r\n\r", "\n"]));
        assert!(!is_ahead(4, &["POST / HTTP/1.1\r\n\r\nbody"]));
        assert!(!is_ahead(4, &["POST / HTTP/1.1\r\n\r\n", "bo", "dy"]));
        assert!(!is_ahead(4, &["POST / HTT", "P/1.1\r\n\r\nbo", "dy"]));
    }

    #[test]
    fn the_beginning_of_another_head_is_seen() {
        assert!(is_ahead(0, &["GET / HTTP/1.1\r\n\r\nG"]));
        assert!(is_ahead(4, &["POST / HTTP/1.1\r\n\r\nbodyG"]));
        assert!(is_ahead(4, &["POST / HTTP/1.1\r\n\r\n", "body", "G"]));
        // The number of bytes equals the body length, but the body ends with an empty line.
        assert!(is_ahead(4, &["POST / HTTP/1.1\r\n\r\n\r\n\r\n", "GET "]));
        assert!(is_ahead(6, &["\r\n\r\nPOST / HTTP/1.1\r\n\r\n", "{\n\n}  GET /"]));
    }

    #[test]
    fn a_request_that_was_pipelined_has_an_end_that_is_not_known() {
        let mut read_ahead = ReadAhead::default();
        read_ahead.read(b"POST / HTTP/1.1\r\n\r\nbodyPOST / HTTP/1.1\r\n\r\nbo", false);
        assert!(read_ahead.is_ahead(4));
        read_ahead.next(true);
        read_ahead.read(b"dy", true);
        assert!(read_ahead.is_ahead(4));
        read_ahead.next(false);
        read_ahead.read(b"GET / HTTP/1.1\r\n\r\n", false);
        assert!(!read_ahead.is_ahead(0));
    }
}
