//! Verifies snapshots and their slices.

use super::ensure;
use super::key::{bytes, client_number};
use super::record::{StoredRecord, VerifyRecord, count_records, ensure_key, require};
use crate::table;
use voight_domain::ports::StoreError;
use voight_domain::snapshot::{Snapshot, SnapshotSlice};
use voight_domain::vocabulary::SnapshotId;
use voight_engine::Read;

impl VerifyRecord for Snapshot {
    /// Checks that the snapshot has a client and all its slices.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let number = client_number(record.key)?;
        ensure_key(record.key, &table::snapshot(number, self.id))?;
        let client = require(record.view, &table::client(self.client))?;
        ensure(
            client.client_number == number,
            "its client has another number",
        )?;
        let slices = count_records(record.view, &table::snapshot_slices(number, self.id))?;
        ensure(
            slices == u64::from(self.progress.stored_slices),
            "it has another number of slices",
        )
    }
}

impl VerifyRecord for SnapshotSlice {
    /// Checks that the slice belongs to a snapshot.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let number = client_number(record.key)?;
        let id = SnapshotId::from_bytes(bytes(record.key, 5)?);
        let index = u32::from_be_bytes(bytes(record.key, 21)?);
        ensure_key(record.key, &table::snapshot_slice(number, id, index))?;
        require(record.view, &table::snapshot(number, id)).map(drop)
    }
}
