//! Promises of `SnapshotStore`.

use super::cases;
use super::lookup::recorded;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, TestAccount, together};
use crate::generate::{address, audit, bot, erasure, overrule, upload_changes};
use crate::ledger::{assert_chained, assert_gapless, assert_openings, lookups};
use crate::paging::assert_paged;
use std::time::Duration;
use voight_domain::metering::{LedgerId, Limit};
use voight_domain::ports::{LedgerEntry, SnapshotOutcome};
use voight_domain::registry::{AuditAction, ClientStatus, KeyChange};
use voight_domain::snapshot::{
    ListedAddress, MAX_SNAPSHOTS, Snapshot, SnapshotChange, SnapshotCreation, SnapshotPause,
    SnapshotProgress, SnapshotRow, SnapshotSlice, SnapshotState, SnapshotStateError, TokenAmount,
};
use voight_domain::verdict::OverrideTo;
use voight_domain::vocabulary::EoaAddress;

cases![
    snapshot_is_created_once,
    snapshot_limit_is_exact,
    snapshot_is_of_one_client,
    snapshots_are_paged_in_order,
    snapshot_step_is_atomic,
    snapshot_bills_each_address_once,
    snapshot_equals_lookups,
    snapshot_pauses,
    snapshot_reads_verdicts_again,
    snapshot_state_is_enforced,
    deleted_snapshot_leaves_nothing,
];

fn create(fixture: &Fixture, account: &TestAccount) -> Snapshot {
    let snapshot = fixture
        .make
        .snapshot(&account.key, &account.context, fixture.now());
    let creation = block_on_ok(fixture.store().create_snapshot(snapshot.clone()));
    assert_eq!(creation, SnapshotCreation::Created(snapshot.clone()));
    snapshot
}

fn change(fixture: &Fixture, snapshot: &Snapshot, change: SnapshotChange) -> SnapshotOutcome {
    let outcome = block_on_ok(fixture.store().change_snapshot(
        snapshot.client,
        snapshot.id,
        change,
    ));
    match outcome {
        Some(outcome) => outcome,
        None => panic!("the snapshot {} is missing", snapshot.id),
    }
}

/// Applies a change that the state of the snapshot allows.
#[track_caller]
fn applied(fixture: &Fixture, snapshot: &Snapshot, made: SnapshotChange) -> Snapshot {
    match change(fixture, snapshot, made) {
        Ok(snapshot) => snapshot,
        Err(error) => panic!("the change was refused: {error}"),
    }
}

fn listed(number: u32) -> ListedAddress {
    let amount = number
        .is_multiple_of(2)
        .then(|| TokenAmount::from_base_units(u128::MAX - u128::from(number)));
    ListedAddress {
        address: address(number),
        amount,
    }
}

/// Creates a snapshot with these slices of addresses.
pub(super) fn uploaded(fixture: &Fixture, account: &TestAccount, slices: &[&[u32]]) -> Snapshot {
    let snapshot = create(fixture, account);
    let mut latest = applied(fixture, &snapshot, SnapshotChange::BeginUpload);
    let slices = slices
        .iter()
        .map(|numbers| numbers.iter().copied().map(listed).collect());
    for change in upload_changes(latest.progress.attempt, slices.collect()) {
        latest = applied(fixture, &snapshot, change);
    }
    latest
}

/// Continues the job of a snapshot by one slice.
pub(super) fn continue_job(fixture: &Fixture, snapshot: &Snapshot) -> Snapshot {
    applied(
        fixture,
        snapshot,
        SnapshotChange::Continue(fixture.make.slice_input()),
    )
}

/// Continues the job of a snapshot until it has this state.
#[track_caller]
fn run_until(fixture: &Fixture, snapshot: &Snapshot, state: SnapshotState) -> Snapshot {
    for _ in 0..100 {
        let snapshot = continue_job(fixture, snapshot);
        if snapshot.progress.state == state {
            return snapshot;
        }
    }
    panic!("the job does not end");
}

fn slice(fixture: &Fixture, snapshot: &Snapshot, index: u32) -> Option<SnapshotSlice> {
    block_on_ok(
        fixture
            .store()
            .snapshot_slice(snapshot.client, snapshot.id, index),
    )
}

fn rows(fixture: &Fixture, snapshot: &Snapshot) -> Vec<SnapshotRow> {
    (0..snapshot.progress.slices)
        .filter_map(|index| slice(fixture, snapshot, index))
        .flat_map(|slice| slice.rows)
        .collect()
}

/// Returns the complete ledger of a client, which must be gapless and chained.
fn ledger(fixture: &Fixture, account: &TestAccount) -> Vec<LedgerEntry> {
    let entries = fixture.ledger(account.client.id);
    assert_gapless(&entries);
    assert_openings(&entries);
    let id = LedgerId::live(account.client.id);
    if let Some(meter) = block_on_ok(fixture.store().meter(id)) {
        assert_chained(&meter, &entries, id);
    }
    entries
}

/// Returns the addresses of the ledger rows of a snapshot, in order.
fn billed(entries: &[LedgerEntry], snapshot: &Snapshot) -> Vec<EoaAddress> {
    let is_own = |entry: &&LedgerEntry| {
        lookups(std::slice::from_ref(entry))
            .iter()
            .any(|row| row.idempotency == Some(snapshot.row_digest))
    };
    entries
        .iter()
        .filter(is_own)
        .filter_map(|entry| entry.opening)
        .map(|opening| opening.address)
        .collect()
}

fn snapshot_is_created_once(fixture: &mut Fixture) {
    let account = fixture.account();
    let snapshot = uploaded(fixture, &account, &[&[1]]);
    let fresh = Snapshot {
        progress: SnapshotProgress::BEGINNING,
        ..snapshot.clone()
    };
    let repetition = block_on_ok(fixture.store().create_snapshot(fresh));
    assert_eq!(repetition, SnapshotCreation::Existing(snapshot.clone()));
    assert_eq!(
        block_on_ok(fixture.store().snapshot(snapshot.client, snapshot.id)),
        Some(snapshot)
    );
}

fn snapshot_limit_is_exact(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_account = fixture.account();
    let first = create(fixture, &account);
    let created_counts = together(|_| {
        let creations = (0..4).map(|_| {
            let snapshot = fixture
                .make
                .snapshot(&account.key, &account.context, fixture.now());
            block_on_ok(fixture.store().create_snapshot(snapshot))
        });
        creations
            .filter(|creation| matches!(creation, SnapshotCreation::Created(_)))
            .count()
    });
    assert_eq!(created_counts.iter().sum::<usize>(), MAX_SNAPSHOTS - 1);
    let snapshots = block_on_ok(fixture.store().snapshots(account.client.id, None, ALL));
    assert_eq!(snapshots.len(), MAX_SNAPSHOTS);

    let existing = block_on_ok(fixture.store().create_snapshot(first.clone()));
    assert_eq!(
        existing,
        SnapshotCreation::Existing(first.clone()),
        "a retry is not a new snapshot"
    );
    create(fixture, &other_account);
    assert!(block_on_ok(
        fixture.store().delete_snapshot(first.client, first.id)
    ));
    create(fixture, &account);
}

fn snapshot_is_of_one_client(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_account = fixture.account();
    let snapshot = uploaded(fixture, &account, &[&[1]]);
    let client = other_account.client.id;
    let id = snapshot.id;
    assert_eq!(block_on_ok(fixture.store().snapshot(client, id)), None);
    assert_eq!(
        block_on_ok(fixture.store().snapshots(client, None, ALL)),
        []
    );
    assert_eq!(
        block_on_ok(fixture.store().snapshot_slice(client, id, 0)),
        None
    );
    let change = SnapshotChange::Continue(fixture.make.slice_input());
    assert_eq!(
        block_on_ok(fixture.store().change_snapshot(client, id, change)),
        None
    );
    assert!(!block_on_ok(fixture.store().delete_snapshot(client, id)));
    assert_eq!(
        block_on_ok(fixture.store().snapshot(snapshot.client, id)),
        Some(snapshot)
    );
}

fn snapshots_are_paged_in_order(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_account = fixture.account();
    let mut created_snapshots = Vec::new();
    for _ in 0..7 {
        fixture.clock.advance(Duration::from_secs(1));
        created_snapshots.push(create(fixture, &account));
        create(fixture, &other_account);
    }
    let page = |last: Option<&Snapshot>, limit| {
        block_on_ok(fixture.store().snapshots(
            account.client.id,
            last.map(|snapshot| snapshot.id),
            limit,
        ))
    };
    assert_eq!(page(None, ALL), created_snapshots);
    assert_paged(
        &created_snapshots,
        &[1, 2, 3, created_snapshots.len(), ALL],
        page,
    );
}

/// A cap in the middle of a slice shows which parts of a step are written.
fn snapshot_step_is_atomic(fixture: &mut Fixture) {
    let account = fixture.account();
    fixture.set_limit(&account.client, Limit::Lookups(Some(3)));
    let snapshot = uploaded(fixture, &account, &[&[1, 2], &[3, 4, 5]]);
    let first = continue_job(fixture, &snapshot);
    let second = continue_job(fixture, &snapshot);
    assert_eq!((first.progress.units, second.progress.units), (2, 3));
    assert!(matches!(
        second.progress.pause,
        Some(SnapshotPause::CapReached { .. })
    ));
    let stored_slice = slice(fixture, &snapshot, 1).unwrap_or_default();
    assert_eq!(
        (stored_slice.rows.len(), stored_slice.pending),
        (1, vec![listed(4), listed(5)])
    );
    let entries = ledger(fixture, &account);
    assert_eq!(billed(&entries, &snapshot), [1, 2, 3].map(address));
    assert_eq!(second.progress.last_row.map(|(seq, _)| seq), Some(3));
    assert_eq!(
        block_on_ok(fixture.store().snapshot(snapshot.client, snapshot.id)),
        Some(second.clone())
    );
    assert_eq!(
        continue_job(fixture, &snapshot),
        second,
        "a paused job has changed something"
    );
    fixture.clock.advance(Duration::from_hours(24 * 31));
    let draft = run_until(fixture, &snapshot, SnapshotState::Draft);
    assert_eq!((draft.progress.units, draft.progress.pause), (5, None));
    let amounts: Vec<_> = rows(fixture, &draft)
        .iter()
        .map(|row| (row.address, row.amount))
        .collect();
    let expected_amounts = [1, 2, 3, 4, 5]
        .map(listed)
        .map(|entry| (entry.address, entry.amount));
    assert_eq!(amounts, expected_amounts);
}

fn snapshot_bills_each_address_once(fixture: &mut Fixture) {
    let account = fixture.account();
    let numbers: Vec<u32> = (0..120).collect();
    let slices: Vec<&[u32]> = numbers.chunks(7).collect();
    let snapshot = uploaded(fixture, &account, &slices);
    together(|thread| {
        let first = (1_000..).step_by(100).nth(thread).unwrap_or(0);
        for number in first..first + 20 {
            continue_job(fixture, &snapshot);
            fixture.answer(&fixture.request(&account, address(number)));
        }
    });
    let draft = run_until(fixture, &snapshot, SnapshotState::Draft);
    let entries = ledger(fixture, &account);
    let expected_addresses: Vec<_> = numbers.iter().copied().map(address).collect();
    assert_eq!(billed(&entries, &snapshot), expected_addresses);
    assert_eq!(
        rows(fixture, &draft)
            .iter()
            .map(|row| row.address)
            .collect::<Vec<_>>(),
        expected_addresses
    );
    assert_eq!(draft.progress.units, 120);
}

fn snapshot_equals_lookups(fixture: &mut Fixture) {
    let accounts = [fixture.account(), fixture.account()];
    for account in &accounts {
        for number in [2, 5] {
            fixture.conclude(&fixture.make.conclusion(
                &account.context,
                address(number),
                bot(),
                fixture.now(),
            ));
        }
        // An erased address is answered from its tombstone.
        let entry = audit(
            AuditAction::VerdictOverridden,
            &account.context.id,
            fixture.now(),
        );
        block_on_ok(fixture.store().override_verdict(
            overrule(&account.context, address(6), OverrideTo::Bot),
            entry,
        ));
    }
    let contexts = accounts.each_ref().map(|account| &account.context);
    block_on_ok(fixture.store().erase(&erasure(address(6), contexts)));
    let [listed, single] = &accounts;
    let snapshot = uploaded(fixture, listed, &[&[0, 1, 2], &[4, 5, 6]]);
    let draft = run_until(fixture, &snapshot, SnapshotState::Draft);
    for row in rows(fixture, &draft) {
        assert_eq!(
            recorded(fixture.answer(&fixture.request(single, row.address))).answer,
            row.answer,
            "{row:?}"
        );
    }
    let rows = rows(fixture, &draft);
    assert_eq!(rows.iter().filter(|row| row.answer.is_bot).count(), 3);
    let free = |account| {
        lookups(&ledger(fixture, account))
            .iter()
            .map(|row| row.free)
            .collect::<Vec<_>>()
    };
    assert_eq!(free(listed), free(single));
}

fn snapshot_pauses(fixture: &mut Fixture) {
    let account = fixture.account();
    let snapshot = uploaded(fixture, &account, &[&[1, 2]]);
    fixture.set_status(&account.client, ClientStatus::Suspended);
    assert_eq!(
        continue_job(fixture, &snapshot).progress.pause,
        Some(SnapshotPause::ClientSuspended)
    );
    assert_eq!(ledger(fixture, &account), []);
    fixture.set_status(&account.client, ClientStatus::Active);
    let resumed_job = continue_job(fixture, &snapshot);
    assert_eq!(
        (resumed_job.progress.pause, resumed_job.progress.units),
        (None, 2)
    );

    let other_snapshot = uploaded(fixture, &account, &[&[3]]);
    let entry = audit(AuditAction::KeyRevoked, &account.key.id, fixture.now());
    block_on_ok(fixture.store().change_key(
        account.key.id,
        KeyChange::Revoke { at: fixture.now() },
        entry,
    ));
    assert_eq!(
        continue_job(fixture, &other_snapshot).progress.pause,
        Some(SnapshotPause::KeyRejected)
    );
    assert_eq!(billed(&ledger(fixture, &account), &other_snapshot), []);
}

fn snapshot_reads_verdicts_again(fixture: &mut Fixture) {
    let account = fixture.account();
    let snapshot = uploaded(fixture, &account, &[&[1, 2], &[3]]);
    let draft = run_until(fixture, &snapshot, SnapshotState::Draft);
    assert_eq!(draft.progress.drafted_at, Some(fixture.now()));
    let draft_rows = rows(fixture, &draft);
    fixture.conclude(
        &fixture
            .make
            .conclusion(&account.context, address(3), bot(), fixture.now()),
    );
    fixture.clock.advance(Duration::from_mins(1));
    let begun_job = applied(fixture, &snapshot, SnapshotChange::Finalize);
    assert_eq!(begun_job.progress.state, SnapshotState::Finalizing);
    let last = run_until(fixture, &snapshot, SnapshotState::Final);
    assert_eq!(
        (last.progress.changed, last.progress.finalized_at),
        (1, Some(fixture.now()))
    );
    let final_rows = rows(fixture, &last);
    assert_eq!(final_rows[..2], draft_rows[..2]);
    assert!(final_rows[2].answer.is_bot);
    assert_eq!(final_rows[2].draft, Some(draft_rows[2].answer));
    assert_eq!(ledger(fixture, &account).len(), 3, "finalising was billed");
    assert_eq!(
        change(fixture, &snapshot, SnapshotChange::Finalize),
        Ok(last)
    );
}

fn snapshot_state_is_enforced(fixture: &mut Fixture) {
    let account = fixture.account();
    let snapshot = uploaded(fixture, &account, &[&[1]]);
    assert_eq!(
        change(fixture, &snapshot, SnapshotChange::BeginUpload),
        Err(SnapshotStateError::NotUploading)
    );
    assert_eq!(
        change(fixture, &snapshot, SnapshotChange::Finalize),
        Err(SnapshotStateError::NoDraft)
    );
    let append = SnapshotChange::Append {
        attempt: 1,
        index: 1,
        addresses: vec![listed(2)],
    };
    assert_eq!(
        change(fixture, &snapshot, append),
        Err(SnapshotStateError::NotUploading)
    );
    assert_eq!(
        block_on_ok(fixture.store().snapshot(snapshot.client, snapshot.id)),
        Some(snapshot.clone())
    );
    assert_eq!(slice(fixture, &snapshot, 1), None);
}

fn deleted_snapshot_leaves_nothing(fixture: &mut Fixture) {
    let account = fixture.account();
    let remaining_snapshot = uploaded(fixture, &account, &[&[1]]);
    let deleted_snapshot = create(fixture, &account);
    for (attempt, indices) in [(1, 0..3), (2, 0..1)] {
        applied(fixture, &deleted_snapshot, SnapshotChange::BeginUpload);
        for index in indices {
            let addresses = vec![listed(index)];
            applied(
                fixture,
                &deleted_snapshot,
                SnapshotChange::Append {
                    attempt,
                    index,
                    addresses,
                },
            );
        }
    }
    let complete = SnapshotChange::CompleteUpload {
        attempt: 2,
        slices: 1,
        addresses: 1,
    };
    applied(fixture, &deleted_snapshot, complete);
    run_until(fixture, &deleted_snapshot, SnapshotState::Draft);
    let entries = ledger(fixture, &account);
    assert!(block_on_ok(
        fixture
            .store()
            .delete_snapshot(deleted_snapshot.client, deleted_snapshot.id)
    ));
    assert!(!block_on_ok(
        fixture
            .store()
            .delete_snapshot(deleted_snapshot.client, deleted_snapshot.id)
    ));
    assert_eq!(
        block_on_ok(
            fixture
                .store()
                .snapshot(deleted_snapshot.client, deleted_snapshot.id)
        ),
        None
    );
    for index in 0..3 {
        assert_eq!(slice(fixture, &deleted_snapshot, index), None);
    }
    assert_eq!(ledger(fixture, &account), entries, "the ledger has changed");
    assert!(slice(fixture, &remaining_snapshot, 0).is_some());
}
