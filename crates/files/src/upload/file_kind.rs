//! Formats of files that are uploaded under the name of another format.

use std::fmt;

/// Format that the first bytes of a file tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Text in UTF-16 or UTF-32.
    Utf16,
    /// Archive, or a workbook of a spreadsheet.
    Zip,
    /// Workbook of an old spreadsheet.
    OldWorkbook,
    /// Compressed with gzip.
    Gzip,
    /// Compressed with zstd.
    Zstd,
    /// Compressed in another format.
    OtherCompression,
    /// Apache Parquet.
    Parquet,
    /// JSON document or lines of JSON.
    Json,
    /// List in brackets, as one JSON document.
    JsonArray,
    /// HTML or XML.
    Markup,
    /// Binary file.
    Binary,
}

/// First bytes of files.
const MAGIC: [(&[u8], FileKind); 16] = [
    (b"\xff\xfe", FileKind::Utf16),
    (b"\xfe\xff", FileKind::Utf16),
    (b"\0\0\xfe\xff", FileKind::Utf16),
    (b"PK\x03\x04", FileKind::Zip),
    (b"PK\x05\x06", FileKind::Zip),
    (b"\xd0\xcf\x11\xe0", FileKind::OldWorkbook),
    (b"\x1f\x8b", FileKind::Gzip),
    (b"\x28\xb5\x2f\xfd", FileKind::Zstd),
    (b"\xfd7zXZ", FileKind::OtherCompression),
    (b"BZh", FileKind::OtherCompression),
    (b"7z\xbc\xaf", FileKind::OtherCompression),
    (b"PAR1", FileKind::Parquet),
    (b"SQLite format", FileKind::Binary),
    (b"ARROW1", FileKind::Binary),
    (b"Obj\x01", FileKind::Binary),
    (b"%PDF", FileKind::Binary),
];

impl FileKind {
    /// Returns the format of a file that is not text; `None` for text.
    pub(super) fn of_binary(bytes: &[u8]) -> Option<Self> {
        if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
            return Some(*kind);
        }
        // ASCII in UTF-16 has a NUL in every second byte.
        let start = &bytes[..bytes.len().min(64)];
        let nuls: usize = start.iter().map(|byte| usize::from(*byte == 0)).sum();
        (nuls > 0).then_some(if nuls >= start.len() / 3 {
            Self::Utf16
        } else {
            Self::Binary
        })
    }

    /// Returns the format of text that is no CSV; `None` for CSV.
    pub(super) fn of_csv(bytes: &[u8]) -> Option<Self> {
        match Self::first_character(bytes) {
            Some(b'{') => Some(Self::Json),
            Some(b'[') => Some(Self::JsonArray),
            Some(b'<') => Some(Self::Markup),
            _ => Self::of_binary(bytes),
        }
    }

    /// Returns the format of text that is no lines of JSON; `None` for lines of JSON, also invalid ones.
    pub(super) fn of_ndjson(bytes: &[u8]) -> Option<Self> {
        match Self::first_character(bytes) {
            Some(b'[') => Some(Self::JsonArray),
            Some(b'<') => Some(Self::Markup),
            _ => Self::of_binary(bytes),
        }
    }

    fn first_character(bytes: &[u8]) -> Option<u8> {
        bytes
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(bytes)
            .trim_ascii_start()
            .first()
            .copied()
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf16 => "text in UTF-16 or UTF-32; save it as UTF-8 (in Excel: \"CSV UTF-8\")",
            Self::Zip => "an archive or an Excel workbook; export the sheet as CSV",
            Self::OldWorkbook => "a workbook of a spreadsheet; export the sheet as CSV",
            Self::Gzip => "compressed with gzip; name it .gz, or send Content-Encoding: gzip, or decompress it",
            Self::Zstd => "compressed with zstd; name it .zst, or send Content-Encoding: zstd, or decompress it",
            Self::OtherCompression => "compressed in a format that is not read; decompress it, or use gzip or zstd",
            Self::Parquet => "a Parquet file; name it .parquet, or send Content-Type: application/vnd.apache.parquet",
            Self::Json => "JSON; name lines of objects .ndjson (application/x-ndjson), name a Merkle tree dump .json (application/json), and write any other document as CSV",
            Self::JsonArray => "one JSON document; write each of its elements as a JSON object on a line of its own (.ndjson), or as CSV",
            Self::Markup => "HTML or XML; download the file itself, or export it as CSV",
            Self::Binary => "no text; export it as CSV in UTF-8",
        })
    }
}
