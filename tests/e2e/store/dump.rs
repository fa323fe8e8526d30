//! Backup, parsed as described in `docs/reference/backup-format.md`, without the reader of the product.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Returns the records of a backup by key. Checksums and the hash are left to `voight store verify`.
pub(crate) fn records(backup: &Path) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let bytes = fs::read(backup).expect("a backup");
    let mut reader = Bytes(&bytes);
    assert_eq!(reader.read_bytes(12), b"voight\r\n\x1a\n\xf0\0");
    assert_eq!(reader.number(2), 1, "another version of the layout");
    let identity = reader.number(2);
    reader.read_bytes(identity + 8);
    let mut records = BTreeMap::new();
    loop {
        let key = reader.number(2);
        if key == 0 {
            break;
        }
        let record = reader.number(4);
        let key = reader.read_bytes(key).to_vec();
        records.insert(key, reader.read_bytes(record).to_vec());
    }
    assert_eq!(reader.number(8), records.len());
    assert_eq!(
        reader.read_bytes(32).len() + reader.0.len(),
        32,
        "something follows the trailer"
    );
    records
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn read_bytes(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }

    fn number(&mut self, length: usize) -> usize {
        self.read_bytes(length)
            .iter()
            .fold(0, |number, byte| number << 8 | usize::from(*byte))
    }
}
