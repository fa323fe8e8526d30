//! Snapshot with a slice that is looked up and one that is pending.

use crate::NOW;
use pollster::block_on;
use voight_domain::metering::MeterRules;
use voight_domain::ports::SnapshotStore;
use voight_domain::registry::{Context, Key};
use voight_domain::secrets::{DigestKey, IdempotencyDigest};
use voight_domain::snapshot::{
    ListedAddress, RewardRule, SliceInput, Snapshot, SnapshotChange, SnapshotProgress,
    SnapshotSource, TokenAmount,
};
use voight_domain::vocabulary::{EoaAddress, SnapshotId};

pub(super) fn take(store: &impl SnapshotStore, key: &Key, context: &Context, number: u8) {
    let client = key.client;
    let id = SnapshotId::from_bytes([number; 16]);
    let snapshot = Snapshot {
        id,
        client,
        environment: key.environment,
        context: context.id.clone(),
        key: key.id,
        row_digest: IdempotencyDigest([number; 16]),
        source: SnapshotSource::Upload,
        rewards: RewardRule {
            amount: Some(TokenAmount::from_base_units(7)),
            ..RewardRule::default()
        },
        created_at: NOW,
        progress: SnapshotProgress::BEGINNING,
    };
    block_on(store.create_snapshot(snapshot)).unwrap();
    let slice_of = |byte| {
        vec![ListedAddress {
            address: EoaAddress::from_bytes([byte; 20]),
            amount: None,
        }]
    };
    let input = SliceInput {
        nonce_seed: [number; 32],
        address_key: DigestKey::from_bytes([9; 32]),
        rules: MeterRules::default(),
    };
    for change in [
        SnapshotChange::BeginUpload,
        SnapshotChange::Append {
            attempt: 1,
            index: 0,
            addresses: slice_of(0xe0),
        },
        SnapshotChange::Append {
            attempt: 1,
            index: 1,
            addresses: slice_of(0xe1),
        },
        SnapshotChange::CompleteUpload {
            attempt: 1,
            slices: 2,
            addresses: 2,
        },
        SnapshotChange::Continue(input),
    ] {
        block_on(store.change_snapshot(client, id, change))
            .unwrap()
            .unwrap()
            .unwrap();
    }
}
