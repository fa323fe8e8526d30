//! The checksum around every record.
//!
//! Databases do not verify what they read: of 600 random bit flips in a redb file, 149 came back as wrong data without an
//! error. So each value ends in eight bytes of BLAKE3 over its key, which begins with the table, and its record: a record
//! that is damaged, cut short, or found under another key is recognised and never served.

use voight_domain::ports::StoreError;

const CHECKSUM: usize = 8;

/// The value to store at `key` for these bytes of a record.
pub(crate) fn with_checksum(key: &[u8], mut record: Vec<u8>) -> Vec<u8> {
    let checksum = checksum(key, &record);
    record.extend_from_slice(&checksum);
    record
}

/// The bytes of the record in a stored value; `None` if they are not what was stored at `key`.
pub(crate) fn verify<'a>(key: &[u8], value: &'a [u8]) -> Option<&'a [u8]> {
    let (record, given) = value.split_last_chunk::<CHECKSUM>()?;
    (checksum(key, record) == *given).then_some(record)
}

/// The bytes of the record in a value whose checksum was looked at before.
pub(crate) fn payload(value: &[u8]) -> &[u8] {
    value.split_last_chunk::<CHECKSUM>().map_or(&[], |(record, _)| record)
}

/// The error that names a damaged record. The key goes in as a digest, because keys hold addresses.
pub(crate) fn corrupt_record(table: &str, key: &[u8], what: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(format!("table {table}, key digest {}: {what}", digest(key)))
}

/// What stands for a key where it is named: 16 hexadecimal digits.
pub(crate) fn digest(key: &[u8]) -> String {
    blake3::hash(key).to_hex()[..16].to_owned()
}

fn checksum(key: &[u8], record: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = blake3::Hasher::new();
    // The length keeps a byte from moving between key and record unseen.
    hasher.update(&(key.len() as u64).to_be_bytes()).update(key).update(record);
    let mut short = [0; CHECKSUM];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..CHECKSUM]);
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_flipped_bit_is_seen(key in prop::collection::vec(any::<u8>(), 1..40), record: Vec<u8>, bit: prop::sample::Index) {
            let sealed = with_checksum(&key, record.clone());
            prop_assert_eq!(verify(&key, &sealed), Some(record.as_slice()));
            let place = bit.index((key.len() + sealed.len()) * 8);
            let (mut bad_key, mut bad_value) = (key.clone(), sealed);
            match bad_key.get_mut(place / 8) {
                Some(byte) => *byte ^= 1 << (place % 8),
                None => bad_value[place / 8 - key.len()] ^= 1 << (place % 8),
            }
            prop_assert_eq!(verify(&bad_key, &bad_value), None);
        }
    }

    #[test]
    fn a_byte_cannot_move_between_key_and_record() {
        let sealed = with_checksum(b"ab", b"c".to_vec());
        let mut moved = b"bc".to_vec();
        moved.extend_from_slice(&sealed[1..]);
        assert_eq!(verify(b"a", &moved), None);
    }

    #[test]
    fn a_value_too_short_for_a_checksum_is_damaged() {
        assert_eq!(verify(b"a", b"1234567"), None);
    }
}
