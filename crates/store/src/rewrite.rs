//! A stored value read and written again.

use crate::envelope;
use crate::identity::Identity;
use crate::record::{
    ApiKeyIndex, ApiKeyLocation, ClaimByDigest, ClaimEnd, ClientCount, ClientCounters, ClientNameIndex, ClientRecord,
    ContextLocation, EvidenceByAge, EvidenceByExpiry, EvidenceSummary, EvidenceTotal, LinkRecord, PresentedInputIndex,
    Record, SigningKeyNumber, UnjudgedCheck,
};
use crate::table::Table;
use voight_domain::billing::PriceBook;
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_domain::codec::DecodeError;
use voight_domain::invoicing::{Account, Adjustment, Invoice};
use voight_domain::links::FingerprintPage;
use voight_domain::metering::{Alert, EndedPeriod, IdempotencyRecord, LedgerRow, MeterState, Opening};
use voight_domain::ports::StoreError;
use voight_domain::registry::{AdminToken, AuditEntry, AuditHead, Context, Key};
use voight_domain::verdict::{Event, Label, Tombstone, Verdict};

/// The value at `key` as this release would write what it reads in `value`: of a layout that is still written, the same
/// bytes. `Corrupt` if the checksum does not hold, or the record is none of the table that the key begins with.
pub fn rewrite(key: &[u8], value: &[u8]) -> Result<Vec<u8>, StoreError> {
    let table = Table::of_key(key).ok_or_else(|| envelope::damaged("unknown", key, "no table has such keys"))?;
    let damaged = |what: &dyn std::fmt::Display| envelope::damaged(table.name(), key, what);
    let bytes = envelope::open(key, value).ok_or_else(|| damaged(&"the checksum does not hold"))?;
    let record = again(table, bytes).map_err(|error| damaged(&error))?;
    Ok(envelope::seal(key, record))
}

/// The bytes of a record as this release would write what it reads in `bytes`.
pub(crate) fn again(table: Table, bytes: &[u8]) -> Result<Vec<u8>, DecodeError> {
    fn of<R: Record>(bytes: &[u8]) -> Result<Vec<u8>, DecodeError> {
        R::decode(bytes).map(|record| record.encode())
    }
    match table {
        Table::Identity => of::<Identity>(bytes),
        Table::Client => of::<ClientRecord>(bytes),
        Table::Key => of::<Key>(bytes),
        Table::KeyDigest => of::<ApiKeyLocation>(bytes),
        Table::KeyOwner => of::<ApiKeyIndex>(bytes),
        Table::ClientName => of::<ClientNameIndex>(bytes),
        Table::ClientCount => of::<ClientCount>(bytes),
        Table::ClientCounters => of::<ClientCounters>(bytes),
        Table::Context => of::<Context>(bytes),
        Table::ContextIndex => of::<ContextLocation>(bytes),
        Table::Verdict => of::<Verdict>(bytes),
        Table::Event => of::<Event>(bytes),
        Table::PresentedInput => of::<PresentedInputIndex>(bytes),
        Table::Concluded => of::<Concluded>(bytes),
        Table::Meter => of::<MeterState>(bytes),
        Table::Row => of::<LedgerRow>(bytes),
        Table::Opening => of::<Opening>(bytes),
        Table::IdempotencyRecord => of::<IdempotencyRecord>(bytes),
        Table::ClaimByDigest => of::<ClaimByDigest>(bytes),
        Table::ClaimEnd => of::<ClaimEnd>(bytes),
        Table::Audit => of::<AuditEntry>(bytes),
        Table::PriceBook => of::<PriceBook>(bytes),
        Table::EndedPeriod => of::<EndedPeriod>(bytes),
        Table::Invoice => of::<Invoice>(bytes),
        Table::Adjustment => of::<Adjustment>(bytes),
        Table::Account => of::<Account>(bytes),
        Table::Alert => of::<Alert>(bytes),
        Table::FingerprintPage => of::<FingerprintPage>(bytes),
        Table::Cluster => of::<LinkRecord>(bytes),
        Table::AuditHead => of::<AuditHead>(bytes),
        Table::Tombstone => of::<Tombstone>(bytes),
        Table::Label => of::<Label>(bytes),
        Table::EvidenceHead => of::<EvidenceSummary>(bytes),
        Table::Evidence => of::<EvidenceBatch>(bytes),
        Table::EvidenceAge => of::<EvidenceByAge>(bytes),
        Table::Unsettled => of::<UnjudgedCheck>(bytes),
        Table::EvidenceTotal => of::<EvidenceTotal>(bytes),
        Table::EvidenceDue => of::<EvidenceByExpiry>(bytes),
        Table::SigningKey => of::<SigningKeyNumber>(bytes),
        Table::AdminToken => of::<AdminToken>(bytes),
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
        let value = envelope::seal(&at.key, ClientCounters { keys: 3, contexts: 2 }.encode());
        assert_eq!(rewrite(&at.key, &value), Ok(value));
    }

    #[test]
    fn what_is_no_record_of_its_table_is_damage() {
        let key = table::counts(ClientNumber(7)).key;
        for (key, value, what) in [
            (key.clone(), vec![1, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0], "checksum"),
            (key.clone(), envelope::seal(&key, vec![1, 3]), "middle of a value"),
            (vec![255], envelope::seal(&[255], vec![1]), "no table"),
        ] {
            let error = rewrite(&key, &value).unwrap_err();
            assert!(matches!(&error, StoreError::Corrupt(why) if why.contains(what)), "{error}");
        }
    }
}
