//! Re-encodes a stored value.

use crate::checksum;
use crate::identity::Identity;
use crate::record::{
    ApiKeyIndex, ApiKeyLocation, ClientCount, ClientCounters, ClientNameIndex, ClientRecord, ContextLocation,
    EvidenceByExpiry, EvidenceSummary, EvidenceTotal, LinkRecord, PresentedInputIndex, Record, SigningKeyNumber,
    UnjudgedCheck,
};
use crate::table::Table;
use voight_domain::billing::PriceBook;
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_domain::codec::DecodeError;
use voight_domain::invoicing::{Account, Adjustment, Invoice};
use voight_domain::linkage::FingerprintPage;
use voight_domain::metering::{Alert, EndedPeriod, IdempotencyRecord, LedgerRow, MeterState, Opening};
use voight_domain::ports::StoreError;
use voight_domain::registry::{AdminToken, AuditEntry, AuditHead, Context, Key};
use voight_domain::verdict::{Event, Label, Tombstone, Verdict};

/// Decodes and re-encodes the value at `key`, which yields the same bytes.
///
/// # Errors
///
/// [`StoreError::Corrupt`] if the checksum does not match, or the record does not decode as one of the table in the
/// first byte of the key.
pub fn reencode(key: &[u8], value: &[u8]) -> Result<Vec<u8>, StoreError> {
    let table = Table::of_key(key).ok_or_else(|| checksum::corrupt_record("unknown", key, "no table has such keys"))?;
    let damaged = |what: &dyn std::fmt::Display| checksum::corrupt_record(table.name(), key, what);
    let bytes = checksum::verify(key, value).ok_or_else(|| damaged(&"the checksum is wrong"))?;
    let record = reencode_record(table, bytes).map_err(|error| damaged(&error))?;
    Ok(checksum::with_checksum(key, record))
}

/// Decodes and re-encodes a record, without its checksum.
pub(crate) fn reencode_record(table: Table, bytes: &[u8]) -> Result<Vec<u8>, DecodeError> {
    fn reencode_as<R: Record>(bytes: &[u8]) -> Result<Vec<u8>, DecodeError> {
        R::decode(bytes).map(|record| record.encode())
    }
    match table {
        Table::Identity => reencode_as::<Identity>(bytes),
        Table::Client => reencode_as::<ClientRecord>(bytes),
        Table::Key => reencode_as::<Key>(bytes),
        Table::KeyDigest => reencode_as::<ApiKeyLocation>(bytes),
        Table::KeyOwner => reencode_as::<ApiKeyIndex>(bytes),
        Table::ClientName => reencode_as::<ClientNameIndex>(bytes),
        Table::ClientCount => reencode_as::<ClientCount>(bytes),
        Table::ClientCounters => reencode_as::<ClientCounters>(bytes),
        Table::Context => reencode_as::<Context>(bytes),
        Table::ContextIndex => reencode_as::<ContextLocation>(bytes),
        Table::Verdict => reencode_as::<Verdict>(bytes),
        Table::Event => reencode_as::<Event>(bytes),
        Table::PresentedInput => reencode_as::<PresentedInputIndex>(bytes),
        Table::Concluded => reencode_as::<Concluded>(bytes),
        Table::Meter => reencode_as::<MeterState>(bytes),
        Table::Row => reencode_as::<LedgerRow>(bytes),
        Table::Opening => reencode_as::<Opening>(bytes),
        Table::IdempotencyRecord => reencode_as::<IdempotencyRecord>(bytes),
        Table::Audit => reencode_as::<AuditEntry>(bytes),
        Table::PriceBook => reencode_as::<PriceBook>(bytes),
        Table::EndedPeriod => reencode_as::<EndedPeriod>(bytes),
        Table::Invoice => reencode_as::<Invoice>(bytes),
        Table::Adjustment => reencode_as::<Adjustment>(bytes),
        Table::Account => reencode_as::<Account>(bytes),
        Table::Alert => reencode_as::<Alert>(bytes),
        Table::FingerprintPage => reencode_as::<FingerprintPage>(bytes),
        Table::Cluster => reencode_as::<LinkRecord>(bytes),
        Table::AuditHead => reencode_as::<AuditHead>(bytes),
        Table::Tombstone => reencode_as::<Tombstone>(bytes),
        Table::Label => reencode_as::<Label>(bytes),
        Table::EvidenceHead => reencode_as::<EvidenceSummary>(bytes),
        Table::Evidence => reencode_as::<EvidenceBatch>(bytes),
        Table::Unsettled => reencode_as::<UnjudgedCheck>(bytes),
        Table::EvidenceTotal => reencode_as::<EvidenceTotal>(bytes),
        Table::EvidenceDue => reencode_as::<EvidenceByExpiry>(bytes),
        Table::SigningKey => reencode_as::<SigningKeyNumber>(bytes),
        Table::AdminToken => reencode_as::<AdminToken>(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Encode;
    use crate::table::{self, ClientNumber};

    #[test]
    fn a_value_is_written_as_it_was_read() {
        let at = table::counts(ClientNumber(7));
        let value = checksum::with_checksum(&at.key, ClientCounters { keys: 3, contexts: 2 }.encode());
        assert_eq!(reencode(&at.key, &value), Ok(value));
    }

    #[test]
    fn what_is_no_record_of_its_table_is_damage() {
        let key = table::counts(ClientNumber(7)).key;
        for (key, value, what) in [
            (key.clone(), vec![1, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0], "checksum"),
            (key.clone(), checksum::with_checksum(&key, vec![1, 3]), "middle of a value"),
            (vec![255], checksum::with_checksum(&[255], vec![1]), "no table"),
        ] {
            let error = reencode(&key, &value).unwrap_err();
            assert!(matches!(&error, StoreError::Corrupt(why) if why.contains(what)), "{error}");
        }
    }
}
