//! Checksum of every record, as described in `docs/reference/backup-format.md`; independent of the store's code, which is under test.

/// Size of a checksum, in bytes.
pub(crate) const CHECKSUM: usize = 8;

/// Returns the first bytes of the BLAKE3 hash of the key's length, the key, and the record.
pub(crate) fn checksum(key: &[u8], record: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(key.len() as u64).to_be_bytes()).update(key).update(record);
    let mut short = [0; CHECKSUM];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..CHECKSUM]);
    short
}

/// Appends the checksum to a record, as it is stored at `key`.
pub(crate) fn seal(key: &[u8], record: &[u8]) -> Vec<u8> {
    [record, &checksum(key, record)].concat()
}
