//! Compressed uploads.

use crate::fixture::{Line, address, read_with};
use flate2::write::GzEncoder;
use std::io::{self, Read, Write};
use std::iter;
use voight_files::{ContentEncoding, LineFormat, UploadError, UploadLimits};

/// Compresses an upload.
pub(crate) fn compress(encoding: ContentEncoding, text: &[u8]) -> Vec<u8> {
    match encoding {
        ContentEncoding::Plain => text.to_vec(),
        ContentEncoding::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(text).unwrap();
            encoder.finish().unwrap()
        }
        // With a checksum, so that every changed byte is noticed.
        ContentEncoding::Zstd => zstd(text, |encoder| encoder.include_checksum(true)),
    }
}

fn zstd(text: &[u8], set: impl Fn(&mut zstd::Encoder<Vec<u8>>) -> io::Result<()>) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    set(&mut encoder).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn read(encoding: ContentEncoding, bytes: impl Read) -> Result<Vec<Line>, UploadError> {
    read_with(bytes, LineFormat::Csv, encoding, UploadLimits::default())
}

fn addresses(count: u32) -> Vec<u8> {
    (0..count)
        .flat_map(|index| format!("{}\n", address(index)).into_bytes())
        .collect()
}

const COMPRESSED: [ContentEncoding; 2] = [ContentEncoding::Gzip, ContentEncoding::Zstd];

#[test]
fn compressed_uploads_have_the_lines_of_plain_ones() {
    let text = addresses(2_000);
    let plain = read(ContentEncoding::Plain, &text[..]).unwrap();
    assert_eq!(plain.len(), 2_000);
    for encoding in COMPRESSED {
        assert_eq!(
            read(encoding, &compress(encoding, &text)[..]).unwrap(),
            plain,
            "{encoding}"
        );
    }
}

#[test]
fn concatenated_streams_are_one_upload() {
    for encoding in COMPRESSED {
        let first = addresses(2);
        let second = addresses(3);
        let bytes = [compress(encoding, &first), compress(encoding, &second)].concat();
        assert_eq!(read(encoding, &bytes[..]).unwrap().len(), 5, "{encoding}");
    }
}

#[test]
fn a_truncated_stream_is_an_error_at_every_length() {
    for encoding in COMPRESSED {
        let bytes = compress(encoding, &addresses(20));
        for length in 1..bytes.len() {
            let error = read(encoding, &bytes[..length]).unwrap_err();
            assert!(
                matches!(error, UploadError::Decompression { .. }),
                "{encoding}, {length} bytes: {error:?}"
            );
            assert!(
                error
                    .to_string()
                    .contains(&format!("not a complete {encoding} file")),
                "{error}"
            );
        }
    }
}

#[test]
fn a_corrupt_stream_is_an_error() {
    for encoding in COMPRESSED {
        let mut bytes = compress(encoding, &addresses(200));
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        assert!(read(encoding, &bytes[..]).is_err(), "{encoding}");
        let error = read(encoding, &addresses(1)[..]).unwrap_err();
        assert!(
            matches!(error, UploadError::Decompression { line: 1, .. }),
            "not compressed: {error:?}"
        );
    }
}

#[test]
fn a_zstd_window_has_at_most_8_mib() {
    let text = addresses(10);
    let with_window = |log| zstd(&text, |encoder| encoder.window_log(log));
    assert_eq!(
        read(ContentEncoding::Zstd, &with_window(23)[..])
            .unwrap()
            .len(),
        10
    );
    let error = read(ContentEncoding::Zstd, &with_window(24)[..]).unwrap_err();
    assert!(
        matches!(error, UploadError::Decompression { line: 1, .. }),
        "{error:?}"
    );
    assert!(
        error.to_string().contains("window of at most 8 MiB"),
        "{error}"
    );
}

#[test]
fn a_bomb_of_empty_lines_ends_at_their_limit() {
    // Empty lines of 1 KiB, which are no addresses and not too long.
    let line = [&[b' '; 1023][..], b"\n"].concat();
    let text: Vec<u8> = iter::repeat_n(line, 16 << 10).flatten().collect();
    for encoding in COMPRESSED {
        let bomb = compress(encoding, &text);
        assert!(
            bomb.len() < text.len() / 300,
            "{encoding}: {} bytes",
            bomb.len()
        );
        let error = read(encoding, &bomb[..]).unwrap_err();
        assert!(
            matches!(
                error,
                UploadError::EmptyLines {
                    line: 1_001,
                    limit: 1_000
                }
            ),
            "{encoding}: {error:?}"
        );
    }
}

#[test]
fn a_bomb_without_lines_ends_at_the_limit_of_a_line() {
    for encoding in COMPRESSED {
        let bomb = compress(encoding, &vec![b'0'; 16 << 20]);
        let error = read(encoding, &bomb[..]).unwrap_err();
        assert!(
            matches!(
                error,
                UploadError::LineTooLong {
                    line: 1,
                    limit: 4096
                }
            ),
            "{encoding}: {error:?}"
        );
    }
}

#[test]
fn endless_streams_that_decompress_to_nothing_end_at_the_limit_of_bytes() {
    /// Repeats bytes without an end.
    struct Endless(Vec<u8>, usize);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            for byte in &mut *buffer {
                *byte = self.0[self.1 % self.0.len()];
                self.1 += 1;
            }
            Ok(buffer.len())
        }
    }
    let limits = UploadLimits {
        max_bytes: 256 << 10,
        ..UploadLimits::default()
    };
    for encoding in COMPRESSED {
        let endless = Endless(compress(encoding, b""), 0);
        let error = read_with(endless, LineFormat::Csv, encoding, limits).unwrap_err();
        assert!(
            matches!(
                error,
                UploadError::TooLarge {
                    line: 1,
                    limit: 262_144
                }
            ),
            "{encoding}: {error:?}"
        );
    }
}

#[test]
fn expansion_is_limited_long_before_the_size() {
    for encoding in COMPRESSED {
        let one_address = format!("{}\n", address(1)).repeat(500_000);
        let error = read(encoding, &compress(encoding, one_address.as_bytes())[..]).unwrap_err();
        assert!(
            matches!(
                error,
                UploadError::Expansion {
                    line: 20_000..=80_000
                }
            ),
            "{encoding}: {error:?}"
        );
        assert!(
            error
                .to_string()
                .contains("more than 100 times its compressed size"),
            "{error}"
        );
    }
}

#[test]
fn random_addresses_expand_within_the_limit() {
    let random = |index: u128| (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    let lines: Vec<_> = (0..100_000)
        .map(|index| format!("0x{:040x}", random(index)))
        .collect();
    let text = lines.join("\n");
    for encoding in COMPRESSED {
        assert_eq!(
            read(encoding, &compress(encoding, text.as_bytes())[..])
                .unwrap()
                .len(),
            100_000,
            "{encoding}"
        );
    }
}
