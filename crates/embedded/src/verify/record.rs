//! Verifies one record: its encoding, its key, and the records that it refers to.

use super::key::{bytes, client_number};
use super::state::VerifyState;
use super::{corrupt, ensure};
use crate::read_records::ReadRecords;
use crate::record::Record;
use crate::table::{self, ContextKey, KeyRange, RecordKey};
use std::ops::ControlFlow;
use voight_domain::ports::StoreError;
use voight_encoding::keyspace::parse_key;
use voight_engine::{Order, Read};

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
    /// Verifies the key of the record and its consistency with other records; by default, the parts of the key and the
    /// context that it starts with.
    ///
    /// The state is changed last: after a failed read of the view the record is verified again.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        ensure(
            parse_key(record.key).is_ok(),
            "its key has other parts than the keys of its table",
        )?;
        if table::starts_with_context(Self::TABLE) {
            parse_context_key(record.view, record.key).map(drop)
        } else {
            Ok(())
        }
    }
}

/// Checks that the record is stored under its own key.
pub(super) fn ensure_key<R>(key: &[u8], expected: &RecordKey<R>) -> Result<(), StoreError> {
    ensure(
        key == expected.key,
        "it is kept under a key that is not its own",
    )
}

/// Returns the context at the start of a key, whose number must have been assigned.
pub(super) fn parse_context_key(view: &impl Read, key: &[u8]) -> Result<ContextKey, StoreError> {
    let context_key = ContextKey {
        client_number: client_number(key)?,
        number: u32::from_be_bytes(bytes(key, 5)?),
    };
    let counts = require(view, &table::counts(context_key.client_number))?;
    ensure(
        (1..=counts.contexts).contains(&context_key.number),
        "there is no context with its number",
    )?;
    Ok(context_key)
}

/// Returns the record at `at`, which must exist.
pub(super) fn require<R: Record>(view: &impl Read, key: &RecordKey<R>) -> Result<R, StoreError> {
    view.fetch(key)?
        .ok_or_else(|| corrupt(format!("its {} is missing", R::TABLE.name())))
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
