//! Parsers of stored bytes.

use crate::dump::{encode_dump, repair};
use crate::sealed::seal;
use voight_embedded::{DumpReader, reencode};

/// Parses a record of any table: the first byte is the table. An accepted record is re-encoded identically.
pub fn record(bytes: &[u8]) -> bool {
    let (key, record) = bytes.split_at(bytes.len().min(1));
    let Ok(written) = reencode(key, &seal(key, record)) else {
        return false;
    };
    assert_eq!(written, seal(key, record), "one record has two encodings");
    true
}

/// Parses a dump, unchanged and with repaired checksums. An accepted dump is re-encoded identically.
pub fn dump(bytes: &[u8]) -> bool {
    let repaired_bytes = repair(bytes.to_vec());
    let is_accepted = is_read(&repaired_bytes);
    assert!(
        repaired_bytes == bytes || !is_read(bytes),
        "a wrong checksum is accepted"
    );
    is_accepted
}

fn is_read(bytes: &[u8]) -> bool {
    let Ok(mut reader) = DumpReader::open(bytes) else {
        return false;
    };
    let mut entries = Vec::new();
    loop {
        match reader.next_entry() {
            Ok(Some(entry)) => entries.push(entry),
            Ok(None) => break,
            Err(error) => {
                assert!(
                    reader.summary().is_none() && error.to_string().lines().count() == 1,
                    "{error}"
                );
                return false;
            }
        }
    }
    let summary = reader.summary();
    assert_eq!(
        summary.map(|summary| summary.rows),
        Some(entries.len() as u64)
    );
    let (written, again) = encode_dump(reader.identity(), entries);
    assert_eq!(
        (written.as_slice(), Some(again)),
        (bytes, summary),
        "one store has two dumps"
    );
    true
}
