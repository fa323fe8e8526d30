//! The checksum around every record, as `docs/reference/backup-format.md` describes it; the store's own code is what is tested.

/// Bytes of a checksum.
pub(crate) const CHECKSUM: usize = 8;

/// The first bytes of the BLAKE3 of the key's length, the key, and the record.
pub(crate) fn checksum(key: &[u8], record: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(key.len() as u64).to_be_bytes()).update(key).update(record);
    let mut short = [0; CHECKSUM];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..CHECKSUM]);
    short
}

/// A record with its checksum, as it is stored at `key`.
pub(crate) fn seal(key: &[u8], record: &[u8]) -> Vec<u8> {
    [record, &checksum(key, record)].concat()
}
