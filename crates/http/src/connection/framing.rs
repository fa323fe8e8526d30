//! Finds the ends of requests in the bytes of a connection.

use memchr::memchr_iter;

/// Body of a request, as its head announces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum AnnouncedBody {
    /// No body.
    #[default]
    None,
    /// Body of this number of bytes.
    Sized(u64),
    /// Chunked body.
    Chunked,
    /// All later bytes of the connection, after a request to change the protocol.
    Endless,
}

/// Position of a connection in its requests. A part of a request, its head or its body, ends exactly where the HTTP parser ends
/// it, so that no byte of a later request is passed to the parser early.
///
/// The framing only delays bytes. Bytes that the parser rejects may be framed in any way.
#[derive(Debug)]
pub(super) enum RequestFraming {
    /// Within a head, or before one.
    Head(HeadLines),
    /// After a complete head that the parser has not read yet.
    HeadPassed,
    /// Within a body with this number of bytes left.
    Sized(u64),
    /// Within a chunked body.
    Chunked(ChunkPosition),
    /// Within bytes that never end.
    Endless,
    /// After a complete request.
    Complete,
}

/// Lines of a head that is being read. A head ends with the first empty line after another line.
#[derive(Debug, Default)]
pub(super) struct HeadLines {
    /// Number of bytes of the head.
    bytes: usize,
    /// `true` if the current line has characters.
    has_characters: bool,
    /// `true` if an earlier line has characters.
    has_line: bool,
}

/// Position in a chunked body.
#[derive(Debug)]
pub(super) enum ChunkPosition {
    /// In the line with the size of a chunk.
    Size { size: u64, is_read: bool },
    /// Before this number of bytes of a chunk with its line end.
    Data(u64),
    /// In the lines after the last chunk.
    Trailer { has_characters: bool },
}

/// Bytes of the line end after a chunk.
const LINE_END: u64 = 2;
const FIRST_CHUNK: ChunkPosition = ChunkPosition::Size {
    size: 0,
    is_read: false,
};

impl Default for RequestFraming {
    fn default() -> Self {
        Self::Head(HeadLines::default())
    }
}

impl RequestFraming {
    /// Starts the body of the request whose head has been passed.
    pub(super) fn begin_body(&mut self, body: AnnouncedBody) {
        *self = match body {
            AnnouncedBody::None | AnnouncedBody::Sized(0) => Self::Complete,
            AnnouncedBody::Sized(bytes) => Self::Sized(bytes),
            AnnouncedBody::Chunked => Self::Chunked(FIRST_CHUNK),
            AnnouncedBody::Endless => Self::Endless,
        };
    }

    /// Returns `true` within a body.
    pub(super) const fn is_in_body(&self) -> bool {
        matches!(self, Self::Sized(_) | Self::Chunked(_) | Self::Endless)
    }

    /// Returns the number of bytes of the incomplete head; 0 outside of one.
    pub(super) const fn head_bytes(&self) -> usize {
        match self {
            Self::Head(head) => head.bytes,
            _ => 0,
        }
    }

    /// Returns the number of leading `bytes` that belong to the current part of the request, and follows them.
    pub(super) fn take(&mut self, bytes: &[u8]) -> usize {
        match self {
            Self::Head(head) => match head.end(bytes) {
                Some(end) => {
                    *self = Self::HeadPassed;
                    end
                }
                None => bytes.len(),
            },
            Self::Sized(left) => {
                let (taken, after) = split(*left, bytes);
                *self = if after == 0 {
                    Self::Complete
                } else {
                    Self::Sized(after)
                };
                taken
            }
            Self::Chunked(position) => match position.end(bytes) {
                Some(end) => {
                    *self = Self::Complete;
                    end
                }
                None => bytes.len(),
            },
            Self::Endless => bytes.len(),
            Self::HeadPassed | Self::Complete => 0,
        }
    }
}

impl HeadLines {
    /// Returns the index after the head, if it ends in `bytes`.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut start = 0;
        for line_feed in memchr_iter(b'\n', bytes) {
            self.follow(bytes.get(start..line_feed).unwrap_or_default());
            start = line_feed + 1;
            if self.has_line && !self.has_characters {
                return Some(start);
            }
            self.has_line |= self.has_characters;
            self.has_characters = false;
        }
        self.follow(bytes.get(start..).unwrap_or_default());
        self.bytes += bytes.len();
        None
    }

    fn follow(&mut self, line: &[u8]) {
        self.has_characters |= !matches!(line, [] | [b'\r']);
    }
}

impl ChunkPosition {
    /// Returns the index after the body, if it ends in `bytes`.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut index = 0;
        while let Some(unread @ [byte, ..]) = bytes.get(index..) {
            index += 1;
            *self = match (&*self, *byte) {
                (Self::Data(left), _) => {
                    let (taken, after) = split(*left, unread);
                    index += taken - 1;
                    if after == 0 {
                        FIRST_CHUNK
                    } else {
                        Self::Data(after)
                    }
                }
                (Self::Size { size: 0, .. }, b'\n') => Self::Trailer {
                    has_characters: false,
                },
                (Self::Size { size, .. }, b'\n') => Self::Data(size.saturating_add(LINE_END)),
                (
                    Self::Size {
                        size,
                        is_read: false,
                    },
                    digit,
                ) => match char::from(digit).to_digit(16) {
                    Some(digit) => Self::Size {
                        size: size.saturating_mul(16) | u64::from(digit),
                        is_read: false,
                    },
                    None => Self::Size {
                        size: *size,
                        is_read: true,
                    },
                },
                (Self::Size { size, .. }, _) => Self::Size {
                    size: *size,
                    is_read: true,
                },
                (
                    Self::Trailer {
                        has_characters: false,
                    },
                    b'\n',
                ) => return Some(index),
                (Self::Trailer { .. }, b'\n') => Self::Trailer {
                    has_characters: false,
                },
                (Self::Trailer { has_characters }, byte) => Self::Trailer {
                    has_characters: *has_characters || byte != b'\r',
                },
            };
        }
        None
    }
}

/// Splits `left` bytes into those that `bytes` holds, and the number of those after it.
fn split(left: u64, bytes: &[u8]) -> (usize, u64) {
    let byte_count = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
    (byte_count, left - byte_count as u64)
}

#[cfg(test)]
#[path = "framing/tests.rs"]
mod tests;
