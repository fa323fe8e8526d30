//! Generates snapshots.

use super::strategies::{address, context_id, detail, environment, time};
use proptest::prelude::*;
use proptest::sample::select;
use voight_domain::metering::ChainHead;
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::snapshot::{
    ListedAddress, RewardRule, Snapshot, SnapshotPause, SnapshotProgress, SnapshotRow,
    SnapshotSlice, SnapshotSource, SnapshotState, TokenAmount,
};
use voight_domain::verdict::{Answer, Confidence};
use voight_domain::vocabulary::{ClientId, KeyId, SnapshotId};

fn amount() -> impl Strategy<Value = Option<TokenAmount>> {
    prop::option::of(any::<u128>().prop_map(TokenAmount::from_base_units))
}

pub(super) fn answer() -> impl Strategy<Value = Answer> {
    (any::<bool>(), 0..=100_u8).prop_map(|(is_bot, score)| Answer {
        is_bot,
        score: Confidence::from_hundredths(score),
    })
}

fn pause() -> impl Strategy<Value = SnapshotPause> {
    let plain = [
        SnapshotPause::KeyRejected,
        SnapshotPause::ClientSuspended,
        SnapshotPause::ContextRejected,
    ];
    prop_oneof![
        select(plain.to_vec()),
        time().prop_map(|resets_at| SnapshotPause::CapReached { resets_at })
    ]
}

fn progress() -> impl Strategy<Value = SnapshotProgress> {
    let states = [
        SnapshotState::Uploading,
        SnapshotState::Running,
        SnapshotState::Draft,
        SnapshotState::Finalizing,
        SnapshotState::Final,
    ];
    let numbers = any::<([u32; 4], [u64; 3], Option<(u64, [u8; 32])>)>();
    let times = (prop::option::of(time()), prop::option::of(time()));
    (
        select(states.to_vec()),
        prop::option::of(pause()),
        numbers,
        times,
    )
        .prop_map(
            |(
                state,
                pause,
                (counts, [addresses, units, changed], last_row),
                (drafted_at, finalized_at),
            )| {
                let [attempt, slices, stored_slices, next_slice] = counts;
                SnapshotProgress {
                    state,
                    pause,
                    attempt,
                    slices,
                    stored_slices,
                    addresses,
                    next_slice,
                    units,
                    last_row: last_row.map(|(seq, head)| (seq, ChainHead(head))),
                    changed,
                    drafted_at,
                    finalized_at,
                }
            },
        )
}

pub(super) fn snapshot() -> impl Strategy<Value = Snapshot> {
    let ids = any::<([u8; 16], [u8; 16], [u8; 16], [u8; 16])>();
    let source = select(vec![SnapshotSource::Seen, SnapshotSource::Upload]);
    let rewards = (amount(), any::<bool>(), any::<bool>()).prop_map(
        |(amount, includes_unknown, includes_unsure)| RewardRule {
            amount,
            includes_unknown,
            includes_unsure,
        },
    );
    (
        ids,
        environment(),
        context_id(),
        source,
        rewards,
        time(),
        progress(),
    )
        .prop_map(
            |(
                (id, client, key, digest),
                environment,
                context,
                source,
                rewards,
                created_at,
                progress,
            )| Snapshot {
                id: SnapshotId::from_bytes(id),
                client: ClientId::from_bytes(client),
                environment,
                context,
                key: KeyId::from_bytes(key),
                row_digest: IdempotencyDigest(digest),
                source,
                rewards,
                created_at,
                progress,
            },
        )
}

pub(super) fn slice() -> impl Strategy<Value = SnapshotSlice> {
    let row = (
        address(),
        answer(),
        detail(),
        amount(),
        prop::option::of(answer()),
    );
    let row = row.prop_map(|(address, answer, detail, amount, draft)| SnapshotRow {
        address,
        answer,
        detail,
        amount,
        draft,
    });
    let pending =
        (address(), amount()).prop_map(|(address, amount)| ListedAddress { address, amount });
    (
        prop::collection::vec(row, 0..20),
        prop::collection::vec(pending, 0..20),
    )
        .prop_map(|(rows, pending)| SnapshotSlice { rows, pending })
}
