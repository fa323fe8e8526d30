//! Limits of uploads.

use crate::fixture::{address, read, read_with};
use std::io::{self, Read};
use voight_files::{
    AddressReader, ContentEncoding, LineFormat, ListOptions, UploadError, UploadLimits,
};

const FORMATS: [LineFormat; 2] = [LineFormat::Csv, LineFormat::Ndjson];

fn line(format: LineFormat) -> String {
    match format {
        LineFormat::Csv => format!("{}\n", address(1)),
        LineFormat::Ndjson => format!("\"{}\"\n", address(1)),
    }
}

#[test]
fn the_default_limits_are_a_million_addresses_lines_of_4_kib_and_256_mib() {
    let limits = UploadLimits::default();
    assert_eq!(
        (
            limits.max_addresses,
            limits.max_line_bytes,
            limits.max_bytes
        ),
        (1_000_000, 4_096, 268_435_456)
    );
}

#[test]
fn the_number_of_addresses_is_limited() {
    let limits = UploadLimits {
        max_addresses: 3,
        ..UploadLimits::default()
    };
    for format in FORMATS {
        let read_lines = |count| {
            read_with(
                line(format).repeat(count).as_bytes(),
                format,
                ContentEncoding::Plain,
                limits,
            )
        };
        assert_eq!(read_lines(3).unwrap().len(), 3);
        let error = read_lines(4).unwrap_err();
        assert!(
            matches!(error, UploadError::TooManyAddresses { line: 4, limit: 3 }),
            "{error:?}"
        );
        let message = "line 4: the upload has more than 3 addresses; split it into several uploads";
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn header_and_empty_lines_do_not_count_as_addresses_but_invalid_ones_do() {
    let limits = UploadLimits {
        max_addresses: 2,
        ..UploadLimits::default()
    };
    let read_text = |text: String| {
        read_with(
            text.as_bytes(),
            LineFormat::Csv,
            ContentEncoding::Plain,
            limits,
        )
    };
    let valid = line(LineFormat::Csv);
    assert_eq!(
        read_text(format!("address\n\n{valid}\n{valid}\n\n"))
            .unwrap()
            .len(),
        2
    );
    assert!(matches!(
        read_text(format!("{valid}0x\n0x\n")),
        Err(UploadError::TooManyAddresses { line: 3, .. })
    ));
}

#[test]
fn an_error_is_the_last_item() {
    let limits = UploadLimits {
        max_addresses: 1,
        ..UploadLimits::default()
    };
    let text = line(LineFormat::Csv).repeat(5);
    let mut reader = AddressReader::new(
        text.as_bytes(),
        LineFormat::Csv,
        ContentEncoding::Plain,
        ListOptions::default(),
        limits,
    )
    .unwrap();
    assert!(reader.next().is_some_and(|line| line.is_ok()));
    assert!(reader.next().is_some_and(|line| line.is_err()));
    assert!(reader.next().is_none());
}

#[test]
fn the_length_of_a_line_is_limited_without_its_end() {
    for end in ["", "\n", "\r\n"] {
        let padded_text = |length: usize| {
            format!(
                "address,note\n{:x<length$}{end}",
                format!("{},", address(1))
            )
        };
        assert_eq!(
            read(LineFormat::Csv, padded_text(4096).as_bytes())
                .unwrap()
                .len(),
            1,
            "{end:?}"
        );
        let error = read(LineFormat::Csv, padded_text(4097).as_bytes()).unwrap_err();
        assert!(
            matches!(
                error,
                UploadError::LineTooLong {
                    line: 2,
                    limit: 4096
                }
            ),
            "{end:?}: {error:?}"
        );
        assert!(
            error
                .to_string()
                .starts_with("line 2 has more than 4096 bytes; shorten it"),
            "{error}"
        );
    }
}

#[test]
fn an_open_quotation_mark_is_an_error_of_its_own_line() {
    let text = format!(
        "{0}\"{0}{1}",
        line(LineFormat::Csv),
        line(LineFormat::Csv).repeat(200)
    );
    let error = read(LineFormat::Csv, text.as_bytes()).unwrap_err();
    assert!(
        matches!(error, UploadError::LineTooLong { line: 2, .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("quotation marks"), "{error}");
}

#[test]
fn the_number_of_bytes_is_limited() {
    for format in FORMATS {
        let text = line(format).repeat(100);
        let read_limited = |max_bytes| {
            let limits = UploadLimits {
                max_bytes,
                ..UploadLimits::default()
            };
            read_with(text.as_bytes(), format, ContentEncoding::Plain, limits)
        };
        let size = text.len() as u64;
        assert_eq!(read_limited(size).unwrap().len(), 100);
        let error = read_limited(size - 1).unwrap_err();
        assert!(
            matches!(error, UploadError::TooLarge { limit, .. } if limit == size - 1),
            "{error:?}"
        );
        assert!(
            error
                .to_string()
                .contains(&format!("more than {} bytes after decompression", size - 1)),
            "{error}"
        );
    }
}

#[test]
fn an_endless_line_is_read_no_further_than_its_limit() {
    let mut read_bytes = 0;
    let endless = io::repeat(b'0').take(1 << 30);
    let counted_input = CountedInput(endless, &mut read_bytes);
    let error = read_with(
        counted_input,
        LineFormat::Ndjson,
        ContentEncoding::Plain,
        UploadLimits::default(),
    )
    .unwrap_err();
    assert!(
        matches!(error, UploadError::LineTooLong { line: 1, .. }),
        "{error:?}"
    );
    assert!(read_bytes <= 64 << 10, "{read_bytes} bytes were read");
}

/// Input that counts the bytes that are read from it.
struct CountedInput<'a, R>(R, &'a mut usize);

impl<R: Read> Read for CountedInput<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        *self.1 += length;
        Ok(length)
    }
}

#[test]
fn empty_lines_are_limited_by_the_addresses_before_them() {
    for format in FORMATS {
        let read_text = |text: String| {
            read_with(
                text.as_bytes(),
                format,
                ContentEncoding::Plain,
                UploadLimits::default(),
            )
        };
        let valid = line(format);
        assert_eq!(
            read_text(format!("{}{valid}", "\r\n".repeat(1_000)))
                .unwrap()
                .len(),
            1
        );
        assert_eq!(
            read_text(format!("{valid}\n").repeat(2_000)).unwrap().len(),
            2_000,
            "one for each address"
        );
        let error = read_text(format!("{valid}{}", " \n".repeat(1_002))).unwrap_err();
        assert!(
            matches!(
                error,
                UploadError::EmptyLines {
                    line: 1_003,
                    limit: 1_001
                }
            ),
            "{error:?}"
        );
        assert_eq!(
            error.to_string(),
            "line 1003: the upload has more than 1001 empty lines before this one; remove them"
        );
    }
}
