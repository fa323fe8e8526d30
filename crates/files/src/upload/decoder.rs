//! Decompression of an upload.

use flate2::read::MultiGzDecoder;
use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read};

/// Largest window of a zstd frame, as a power of two: 8 MiB, which RFC 8878 recommends to decoders.
pub(super) const MAX_WINDOW_LOG: u32 = 23;

/// Maximum ratio of decompressed to compressed bytes. Addresses are random, so a list of them expands to a few times its size.
pub(super) const MAX_EXPANSION: u64 = 100;
/// Number of decompressed bytes up to which the ratio is not limited: that of a short list has no meaning.
const UNLIMITED_EXPANSION_BYTES: u64 = 1 << 20;

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

/// Reader of the decompressed bytes, which fails when they are too many for the compressed ones.
pub(super) struct Decoder<R> {
    codec: Codec<R>,
    decompressed: u64,
}

/// Decompressor.
enum Codec<R> {
    Plain(LimitedInput<R>),
    Gzip(Box<MultiGzDecoder<LimitedInput<R>>>),
    Zstd(Box<zstd::Decoder<'static, BufReader<LimitedInput<R>>>>),
}

/// Input that fails when it has more than a number of bytes.
pub(super) struct LimitedInput<R> {
    input: R,
    read: u64,
    limit: u64,
}

/// Error that is not the fault of the compressed data.
#[derive(Debug, thiserror::Error)]
pub(super) enum InputError {
    /// The input has more bytes than the limit.
    #[error("the input is too large")]
    TooLarge,
    /// The data expands to more than [`MAX_EXPANSION`] times its size.
    #[error("the input expands too much")]
    Expansion,
    /// The input failed.
    #[error(transparent)]
    Failed(io::Error),
}

impl<R: Read> Decoder<R> {
    /// Creates a decoder of at most `limit` compressed bytes.
    pub(super) fn new(input: R, encoding: ContentEncoding, limit: u64) -> io::Result<Self> {
        let input = LimitedInput {
            input,
            read: 0,
            limit,
        };
        let codec = match encoding {
            ContentEncoding::Plain => Codec::Plain(input),
            ContentEncoding::Gzip => Codec::Gzip(Box::new(MultiGzDecoder::new(input))),
            ContentEncoding::Zstd => {
                let mut decoder = zstd::Decoder::new(input)?;
                decoder.window_log_max(MAX_WINDOW_LOG)?;
                Codec::Zstd(Box::new(decoder))
            }
        };
        Ok(Self {
            codec,
            decompressed: 0,
        })
    }

    /// Returns the number of compressed bytes that were read.
    fn compressed(&self) -> u64 {
        match &self.codec {
            Codec::Plain(input) => input.read,
            Codec::Gzip(decoder) => decoder.get_ref().read,
            Codec::Zstd(decoder) => decoder.get_ref().get_ref().read,
        }
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = match &mut self.codec {
            Codec::Plain(input) => input.read(buffer),
            Codec::Gzip(decoder) => decoder.read(buffer),
            Codec::Zstd(decoder) => decoder.read(buffer),
        }?;
        self.decompressed += length as u64;
        let limit = self
            .compressed()
            .saturating_mul(MAX_EXPANSION)
            .max(UNLIMITED_EXPANSION_BYTES);
        if self.decompressed > limit {
            Err(io::Error::other(InputError::Expansion))
        } else {
            Ok(length)
        }
    }
}

impl<R: Read> Read for LimitedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = match self.input.read(buffer) {
            // Readers retry by the kind of the error.
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            read => read.map_err(|error| io::Error::other(InputError::Failed(error)))?,
        };
        self.read += length as u64;
        if self.read > self.limit {
            Err(io::Error::other(InputError::TooLarge))
        } else {
            Ok(length)
        }
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
