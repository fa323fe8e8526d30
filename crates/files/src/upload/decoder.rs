//! Decompression of an upload.

use flate2::read::MultiGzDecoder;
use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read};

/// Largest window of a zstd frame, as a power of two: 8 MiB, which RFC 8878 recommends to decoders.
pub(super) const MAX_WINDOW_LOG: u32 = 23;

/// Compression of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentEncoding {
    /// No compression.
    Plain,
    /// One or several members of gzip (RFC 1952).
    Gzip,
    /// One or several frames of zstd (RFC 8878) with windows of at most 8 MiB.
    Zstd,
}

/// Reader of the decompressed bytes.
pub(super) enum Decoder<R> {
    Plain(LimitedInput<R>),
    Gzip(Box<MultiGzDecoder<LimitedInput<R>>>),
    Zstd(Box<zstd::Decoder<'static, BufReader<LimitedInput<R>>>>),
}

/// Input that fails when it has more than a number of bytes.
pub(super) struct LimitedInput<R> {
    input: R,
    remaining: u64,
}

/// Error that is not the fault of the compressed data.
#[derive(Debug, thiserror::Error)]
pub(super) enum InputError {
    /// The input has more bytes than the limit.
    #[error("the input is too large")]
    TooLarge,
    /// The input failed.
    #[error(transparent)]
    Failed(io::Error),
}

impl<R: Read> Decoder<R> {
    /// Creates a decoder of at most `limit` compressed bytes.
    pub(super) fn new(input: R, encoding: ContentEncoding, limit: u64) -> io::Result<Self> {
        let input = LimitedInput { input, remaining: limit };
        Ok(match encoding {
            ContentEncoding::Plain => Self::Plain(input),
            ContentEncoding::Gzip => Self::Gzip(Box::new(MultiGzDecoder::new(input))),
            ContentEncoding::Zstd => {
                let mut decoder = zstd::Decoder::new(input)?;
                decoder.window_log_max(MAX_WINDOW_LOG)?;
                Self::Zstd(Box::new(decoder))
            }
        })
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(input) => input.read(buffer),
            Self::Gzip(decoder) => decoder.read(buffer),
            Self::Zstd(decoder) => decoder.read(buffer),
        }
    }
}

impl<R: Read> Read for LimitedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match self.input.read(buffer) {
            // Readers retry by the kind of the error.
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            read => read.map_err(|error| io::Error::other(InputError::Failed(error)))?,
        };
        self.remaining =
            self.remaining.checked_sub(read as u64).ok_or_else(|| io::Error::other(InputError::TooLarge))?;
        Ok(read)
    }
}

impl fmt::Display for ContentEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "plain",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        })
    }
}
