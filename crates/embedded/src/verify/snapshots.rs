//! Verifies snapshots and their slices.

use super::ensure;
use super::key::{bytes, client_number};
use super::record::{StoredRecord, VerifyRecord, count_records, ensure_key, require};
use crate::Read;
use crate::table;
use voight_domain::ports::StoreError;
use voight_domain::snapshot::{Snapshot, SnapshotSlice};
use voight_domain::vocabulary::SnapshotId;

impl VerifyRecord for Snapshot {
    /// Checks that the snapshot has a client and all its slices.
    fn verify(&self, at: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let number = client_number(at.key)?;
        ensure_key(at.key, &table::snapshot(number, self.id))?;
        let client = require(at.view, &table::client(self.client))?;
        ensure(
            client.client_number == number,
            "its client has another number",
        )?;
        let slices = count_records(at.view, &table::snapshot_slices(number, self.id))?;
        ensure(
            slices == u64::from(self.progress.stored_slices),
            "it has another number of slices",
        )
    }
}

impl VerifyRecord for SnapshotSlice {
    /// Checks that the slice belongs to a snapshot.
    fn verify(&self, at: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let (number, id) = (
            client_number(at.key)?,
            SnapshotId::from_bytes(bytes(at.key, 5)?),
        );
        let index = u32::from_be_bytes(bytes(at.key, 21)?);
        ensure_key(at.key, &table::snapshot_slice(number, id, index))?;
        require(at.view, &table::snapshot(number, id)).map(drop)
    }
}
