//! Checksum of every stored value; independent of the store's code, which is under test.

use twox_hash::XxHash3_64;

/// Appends the checksum to a record, as it is stored at `key`.
pub(crate) fn seal(key: &[u8], record: &[u8]) -> Vec<u8> {
    let checksum = XxHash3_64::oneshot_with_seed(XxHash3_64::oneshot(key), record);
    [record, &checksum.to_be_bytes()].concat()
}
