//! Snapshots of a history.

use super::HistoryState;
use crate::histories::operation::{Operation, UploadEnd};
use voight_domain::snapshot::{ListedAddress, SliceInput, SnapshotChange, TokenAmount};
use voight_domain::vocabulary::{ClientId, SnapshotId, Timestamp};

impl HistoryState {
    /// Creates a snapshot, or changes one of the latest.
    pub(super) fn snapshot(&mut self, now: Timestamp) -> Operation {
        let latest = self.snapshots.len().saturating_sub(3);
        if self.snapshots.is_empty() || self.rng.chance(10) {
            return self.create_snapshot(now);
        }
        let (client, id) = *self.rng.pick(&self.snapshots[latest..]);
        match self.rng.below(20) {
            0..5 => self.upload(client, id),
            5..16 => {
                let input = SliceInput {
                    rules: self.rules.clone(),
                    ..self.make.slice_input()
                };
                Operation::ChangeSnapshot(client, id, SnapshotChange::Continue(input))
            }
            16..19 => Operation::ChangeSnapshot(client, id, SnapshotChange::Finalize),
            _ => Operation::DeleteSnapshot(client, id),
        }
    }

    fn create_snapshot(&mut self, now: Timestamp) -> Operation {
        let (key, context) = self.some_caller();
        let snapshot = self.make.snapshot(&key, &context, now);
        self.snapshots.push((snapshot.client, snapshot.id));
        Operation::CreateSnapshot(snapshot)
    }

    /// Uploads the first addresses in slices of one or two.
    fn upload(&mut self, client: ClientId, id: SnapshotId) -> Operation {
        let mut addresses = self.names.addresses.clone();
        addresses.sort_unstable();
        let address_count = if self.rng.chance(70) {
            addresses.len() as u64
        } else {
            self.rng.below(5)
        };
        let entries = addresses
            .into_iter()
            .zip(0..address_count)
            .map(|(address, number)| {
                let amount =
                    (number % 2 == 0).then(|| TokenAmount::from_base_units(u128::from(number)));
                ListedAddress { address, amount }
            });
        let addresses = entries.collect::<Vec<_>>();
        let slice = if self.rng.chance(50) { 1 } else { 2 };
        let slices = addresses.chunks(slice).map(<[_]>::to_vec).collect();
        let end = if self.rng.chance(80) {
            UploadEnd::Complete
        } else {
            UploadEnd::Interrupted
        };
        Operation::Upload(client, id, slices, end)
    }
}
