//! Re-encodes a stored value.

use crate::read_records::corrupt_record;
use crate::record_types::{RecordTypeVisitor, visit_record_type};
use crate::table::Table;
use crate::verify::VerifyRecord;
use voight_domain::codec::DecodeError;
use voight_domain::ports::StoreError;
use voight_engine::checksum;

/// Decodes and re-encodes the value at `key`, which yields the same bytes.
///
/// # Errors
///
/// [`StoreError::Corrupt`] if the checksum does not match, or the record does not decode as one of the table in the
/// first byte of the key.
pub fn reencode(key: &[u8], value: &[u8]) -> Result<Vec<u8>, StoreError> {
    let table = Table::of_key(key)
        .ok_or_else(|| corrupt_record("unknown", key, "no table has such keys"))?;
    let corruption = |what: &dyn std::fmt::Display| corrupt_record(table.name(), key, what);
    let bytes = checksum::verify(key, value).ok_or_else(|| corruption(&"the checksum is wrong"))?;
    let record =
        visit_record_type(table, EncodedRecord(bytes)).map_err(|error| corruption(&error))?;
    Ok(checksum::with_checksum(key, record))
}

/// Encoded record, without its checksum.
struct EncodedRecord<'a>(&'a [u8]);

impl RecordTypeVisitor for EncodedRecord<'_> {
    type Output = Result<Vec<u8>, DecodeError>;

    fn visit<R: VerifyRecord>(self) -> Self::Output {
        R::decode(self.0).map(|record| record.encode())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{ClientCounters, Encode};
    use crate::table::{self, ClientNumber};

    #[test]
    fn reencode_preserves_values() {
        let at = table::counts(ClientNumber(7));
        let value = checksum::with_checksum(
            &at.key,
            ClientCounters {
                keys: 3,
                contexts: 2,
            }
            .encode(),
        );
        assert_eq!(reencode(&at.key, &value), Ok(value));
    }

    #[test]
    fn reencode_reports_invalid_records() {
        let key = table::counts(ClientNumber(7)).key;
        for (key, value, what) in [
            (
                key.clone(),
                vec![1, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0],
                "checksum",
            ),
            (
                key.clone(),
                checksum::with_checksum(&key, vec![1, 3]),
                "middle of a value",
            ),
            (
                vec![255],
                checksum::with_checksum(&[255], vec![1]),
                "no table",
            ),
        ] {
            let error = reencode(&key, &value).unwrap_err();
            assert!(
                matches!(&error, StoreError::Corrupt(why) if why.contains(what)),
                "{error}"
            );
        }
    }
}
