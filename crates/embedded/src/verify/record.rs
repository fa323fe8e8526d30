//! Verifies one record: its encoding, its key, and the records that it refers to.

use super::audit::AuditLogState;
use super::ledger::LedgerState;
use super::{corrupt, ensure};
use crate::identity::Identity;
use crate::read_records::ReadRecords;
use crate::record::{ClientRecord, Record, RecordTypeVisitor, SigningKeyNumber, visit_record_type};
use crate::table::{self, ClientNumber, KeyRange, RecordKey, Table};
use crate::{Order, Read};
use std::collections::HashMap;
use std::ops::ControlFlow;
use voight_domain::check::Concluded;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::{ClientId, Timestamp};
use voight_encoding::keyspace::from_sortable_bytes;

/// State of a verification across records.
#[derive(Debug, Default)]
pub(crate) struct VerifyState {
    /// Ids of the clients by number.
    pub(super) clients: HashMap<u32, ClientId>,
    /// Ledger that is being verified.
    pub(super) chain: Option<LedgerState>,
    /// State of the audit log.
    pub(super) audit: AuditLogState,
    /// Last key that ends in a consecutive number.
    numbered: Option<Vec<u8>>,
}

impl VerifyState {
    /// Returns the id of a client. Clients that were created after their table was scanned are looked up.
    pub(super) fn client(&mut self, view: &impl Read, client_number: ClientNumber) -> Result<ClientId, StoreError> {
        if let Some(id) = self.clients.get(&client_number.0) {
            return Ok(*id);
        }
        let mut found = None;
        view.scan(&KeyRange::<ClientRecord>::all(), Order::Ascending, |_, client| {
            if client.client_number == client_number {
                found = Some(client.client.id);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        let id = found.ok_or_else(|| corrupt("there is no client with its number"))?;
        self.clients.insert(client_number.0, id);
        Ok(id)
    }

    /// Checks that the number at the end of `key` is consecutive. It must be one more than in the previous key with the same
    /// prefix, or 1.
    pub(super) fn counts_up(&mut self, key: &[u8]) -> Result<(), StoreError> {
        let (group, number) = key.split_last_chunk::<8>().ok_or_else(|| corrupt("its key is too short"))?;
        let last = self.numbered.replace(key.to_vec());
        let last = last.as_deref().and_then(<[u8]>::split_last_chunk::<8>).filter(|(other, _)| *other == group);
        let expected = last.map_or(0, |(_, last)| u64::from_be_bytes(*last)).saturating_add(1);
        ensure(u64::from_be_bytes(*number) == expected, "one or more before it are missing")
    }

    /// Records after a damaged one are not reported as damaged because of it.
    pub(super) fn after_damage(&mut self, table: Table, key: &[u8]) {
        match table {
            Table::Row => self.chain = LedgerState::after_damage(self.chain.take(), key),
            Table::Event => self.numbered = Some(key.to_vec()),
            Table::Audit => self.audit.after_damage(key),
            _ => {}
        }
    }

    /// Returns the key of the meter and the result of its comparison when the verification leaves a ledger. `None` if
    /// it was in none, or `key` is still in it.
    pub(super) fn leave_ledger(
        &self,
        view: &impl Read,
        key: Option<&[u8]>,
    ) -> Option<(Vec<u8>, Result<(), StoreError>)> {
        let chain = self.chain.as_ref().filter(|chain| !key.is_some_and(|key| chain.continues_with(key)))?;
        Some((chain.meter().key, chain.ensure_matches_meter(view)))
    }

    pub(super) fn forget_ledger(&mut self) {
        self.chain = None;
    }
}

/// Record as it is stored, with the view and the state of the verification.
pub(crate) struct StoredRecord<'a, V> {
    /// View that contains the record and the records that it refers to.
    pub(super) view: &'a V,
    /// State of the verification.
    pub(super) state: &'a mut VerifyState,
    /// Key of the record.
    pub(super) key: &'a [u8],
    /// Encoded record, without its checksum.
    pub(super) bytes: &'a [u8],
}

/// Verification of a record type.
pub(crate) trait VerifyRecord: Record {
    /// Verifies the key of the record and its consistency with other records.
    ///
    /// The state is changed last: after a failed read of the view the record is verified again.
    fn verify(&self, at: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError>;
}

impl<V: Read> RecordTypeVisitor for StoredRecord<'_, V> {
    type Output = Result<(), StoreError>;

    fn visit<R: VerifyRecord>(mut self) -> Self::Output {
        decoded::<R>(self.bytes)?.verify(&mut self)
    }
}

impl VerifyRecord for Identity {
    fn verify(&self, at: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        ensure_key(at.key, &table::identity())
    }
}

impl VerifyRecord for Concluded {
    /// No other record refers to a conclusion.
    fn verify(&self, _: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        Ok(())
    }
}

impl VerifyRecord for SigningKeyNumber {
    fn verify(&self, at: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        ensure_key(at.key, &table::signing_key())
    }
}

/// Checks that the bytes decode as a record of the table. Dumps are checked with it, too.
pub(crate) fn layout(table: Table, bytes: &[u8]) -> Result<(), StoreError> {
    visit_record_type(table, RecordLayout(bytes))
}

struct RecordLayout<'a>(&'a [u8]);

impl RecordTypeVisitor for RecordLayout<'_> {
    type Output = Result<(), StoreError>;

    fn visit<R: VerifyRecord>(self) -> Self::Output {
        decoded::<R>(self.0).map(drop)
    }
}

fn decoded<R: Record>(bytes: &[u8]) -> Result<R, StoreError> {
    R::decode(bytes).map_err(|error| corrupt(error.to_string()))
}

/// Checks that the record is stored under its own key.
pub(super) fn ensure_key<R>(key: &[u8], expected: &RecordKey<R>) -> Result<(), StoreError> {
    ensure(key == expected.key, "it is kept under a key that is not its own")
}

/// Returns the record at `at`, which must exist.
pub(super) fn require<R: Record>(view: &impl Read, at: &RecordKey<R>) -> Result<R, StoreError> {
    view.fetch(at)?.ok_or_else(|| corrupt(format!("its {} is missing", R::TABLE.name())))
}

/// Returns `N` bytes of a key starting at `from`.
pub(super) fn bytes<const N: usize>(key: &[u8], from: usize) -> Result<[u8; N], StoreError> {
    let found = key.get(from..).and_then(<[u8]>::first_chunk::<N>);
    found.copied().ok_or_else(|| corrupt("its key is too short"))
}

/// Returns the client number that follows the table byte of a key.
pub(super) fn client_number(key: &[u8]) -> Result<ClientNumber, StoreError> {
    bytes(key, 1).map(|bytes| ClientNumber(u32::from_be_bytes(bytes)))
}

/// Returns the number at the end of a key.
pub(super) fn number(key: &[u8]) -> Result<u64, StoreError> {
    table::tail(key).map(u64::from_be_bytes).ok_or_else(|| corrupt("its key is too short"))
}

/// Counts the records of a range without verifying them; each is verified in turn.
pub(super) fn count_records<R>(view: &impl Read, span: &KeyRange<R>) -> Result<u64, StoreError> {
    let mut number = 0;
    view.range(&span.from, &span.to, Order::Ascending, &mut |_, _| {
        number += 1;
        ControlFlow::Continue(())
    })?;
    Ok(number)
}

/// Returns the time in a key, starting at `from`.
pub(super) fn time(key: &[u8], from: usize) -> Result<Timestamp, StoreError> {
    bytes(key, from).map(from_sortable_bytes)
}
