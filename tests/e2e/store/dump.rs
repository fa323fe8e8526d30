//! Backup, parsed as described in `docs/reference/backup-format.md`, without the reader of the product.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Returns the records of a backup by key. Checksums and the hash are left to `voight store verify`.
pub(crate) fn records(backup: &Path) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let bytes = fs::read(backup).expect("a backup");
    let mut rest = Bytes(&bytes);
    assert_eq!(rest.read_bytes(12), b"voight\r\n\x1a\n\xf0\0");
    assert_eq!(rest.number(2), 1, "another version of the layout");
    let identity = rest.number(2);
    rest.read_bytes(identity + 8);
    let mut records = BTreeMap::new();
    loop {
        let key = rest.number(2);
        if key == 0 {
            break;
        }
        let record = rest.number(4);
        let key = rest.read_bytes(key).to_vec();
        records.insert(key, rest.read_bytes(record).to_vec());
    }
    assert_eq!(rest.number(8), records.len());
    assert_eq!(
        rest.read_bytes(32).len() + rest.0.len(),
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
