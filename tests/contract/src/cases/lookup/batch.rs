//! Batch lookups.

use super::super::cases;
use super::recorded;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, THREADS, TestAccount, together};
use crate::generate::{address, audit, bot, overrule};
use crate::ledger::{assert_chained, assert_gapless, assert_openings, lookups};
use std::slice;
use std::time::Duration;
use voight_domain::billing::{Currency, Money};
use voight_domain::metering::{
    AllowanceReset, BatchLookupRequest, IdempotencyInput, LedgerId, Limit, LookupOutcome,
    LookupRequest, MeterRules, Period, PeriodStartDay, RecordedBatch,
};
use voight_domain::ports::LedgerEntry;
use voight_domain::registry::{AuditAction, ClientStatus, Context, KeyChange};
use voight_domain::verdict::{Answer, OverrideTo, magic_answer};
use voight_domain::vocabulary::{Environment, EoaAddress, Timestamp};

cases![
    batch_equals_single_lookups,
    batch_is_contiguous,
    batch_is_all_or_nothing,
    batch_is_replayed,
    batch_mismatch_is_rejected,
    batch_is_authorised,
];

/// Returns the answers of a batch that must be recorded.
#[track_caller]
fn recorded_batch(outcome: LookupOutcome<RecordedBatch>) -> RecordedBatch {
    match outcome {
        LookupOutcome::Recorded(batch, _) => batch,
        other => panic!("the batch was not recorded: {other:?}"),
    }
}

/// Sets a budget of one cent, and flags three addresses.
fn set_budget_and_verdicts(fixture: &Fixture, account: &TestAccount) {
    let budget = Money {
        minor: 1,
        currency: Currency::USD,
    };
    fixture.set_limit(&account.client, Limit::Budget(Some(budget)));
    for number in [2, 5, 11] {
        fixture.conclude(&fixture.make.conclusion(
            &account.context,
            address(number),
            bot(),
            fixture.now(),
        ));
    }
}

/// Two accounts get the same verdicts and limits. One asks for batches, the other for single lookups.
fn batch_equals_single_lookups(fixture: &mut Fixture) {
    let accounts = [fixture.account(), fixture.account()];
    let [batched, single] = &accounts;
    let rules = MeterRules {
        allowance: 9,
        reset: AllowanceReset::Monthly,
        ..MeterRules::default()
    };
    for account in &accounts {
        set_budget_and_verdicts(fixture, account);
    }
    for (first, count, hours) in [
        (0, 1, 0),
        (0, 8, 1),
        (3, 12, 24),
        (0, 5, 24 * 31),
        (1, 20, 0),
        (0, 3, 24 * 60),
    ] {
        fixture.clock.advance(Duration::from_hours(hours));
        let addresses: Vec<_> = (first..first + count).map(address).collect();
        let request = fixture
            .make
            .batch_lookup(&batched.key, &batched.context, &addresses);
        let outcome = fixture.answer_batch(&BatchLookupRequest {
            rules: rules.clone(),
            ..request.clone()
        });
        let alerts_of_batch = match &outcome {
            LookupOutcome::Recorded(_, alerts) => alerts.iter().collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        let batch = recorded_batch(outcome);
        let mut answers = Vec::new();
        let mut alerts_of_lookups = Vec::new();
        for address in request.addresses.as_slice() {
            let request = LookupRequest {
                rules: rules.clone(),
                ..fixture.request(single, *address)
            };
            let outcome = fixture.answer(&request);
            if let LookupOutcome::Recorded(_, alerts) = outcome {
                alerts_of_lookups.extend(alerts.iter());
            }
            let lookup = recorded(outcome);
            answers.push(lookup.answer);
            assert!(lookup.seq <= batch.seq);
        }
        assert_eq!(batch.answers, answers);
        assert_eq!(alerts_of_batch, alerts_of_lookups, "the alerts differ");
    }
    let [batched, single] = accounts.map(|account| LedgerSummary::read(fixture, &account));
    assert_eq!(batched, single, "the ledgers differ");
}

/// Row without its commitment, key and context.
#[derive(Debug, PartialEq)]
struct RowSummary {
    seq: u64,
    at: Timestamp,
    answer: Option<Answer>,
    is_free: Option<bool>,
    cap: Option<u64>,
    address: Option<EoaAddress>,
}

impl RowSummary {
    fn new(entry: &LedgerEntry) -> Self {
        let lookup = lookups(slice::from_ref(entry)).pop();
        Self {
            seq: entry.row.seq,
            at: entry.row.at,
            answer: lookup.map(|row| row.answer),
            is_free: lookup.map(|row| row.free),
            cap: lookup.and_then(|row| row.cap),
            address: entry.opening.map(|opening| opening.address),
        }
    }
}

/// Everything that the ledgers of two clients with the same lookups have in common.
#[derive(Debug, PartialEq)]
struct LedgerSummary {
    rows: Vec<RowSummary>,
    totals: Option<(u64, u64, u64, u64)>,
    periods: Vec<(Period, u64, u64, u64, u64)>,
    alerts: Vec<(&'static str, u64)>,
}

impl LedgerSummary {
    fn read(fixture: &Fixture, account: &TestAccount) -> Self {
        let entries = fixture.ledger(account.client.id);
        let meter = block_on_ok(fixture.store().meter(LedgerId::live(account.client.id)));
        assert_whole(fixture, account, &entries);
        let store = fixture.store();
        let periods = block_on_ok(store.ended_periods(LedgerId::live(account.client.id), 0, ALL));
        let alerts = block_on_ok(store.alerts(LedgerId::live(account.client.id), 0, ALL));
        Self {
            rows: entries.iter().map(RowSummary::new).collect(),
            totals: meter.map(|meter| {
                (
                    meter.seq,
                    meter.allowance_used,
                    meter.billable,
                    meter.charged,
                )
            }),
            periods: periods
                .iter()
                .map(|period| {
                    (
                        period.period,
                        period.first_seq,
                        period.last_seq,
                        period.billable,
                        period.charged,
                    )
                })
                .collect(),
            alerts: alerts
                .iter()
                .map(|alert| (alert.kind.as_str(), alert.seq))
                .collect(),
        }
    }
}

fn assert_whole(fixture: &Fixture, account: &TestAccount, entries: &[LedgerEntry]) {
    assert_gapless(entries);
    assert_openings(entries);
    let meter = block_on_ok(fixture.store().meter(LedgerId::live(account.client.id)));
    match meter {
        Some(meter) => assert_chained(&meter, entries, LedgerId::live(account.client.id)),
        None => assert_eq!(entries, []),
    }
}

fn batch_is_contiguous(fixture: &mut Fixture) {
    const SIZE: u32 = 20;
    let account = fixture.account();
    let addresses: Vec<_> = (0..SIZE).map(address).collect();
    let outcomes = together(|thread| {
        let request = fixture
            .make
            .batch_lookup(&account.key, &account.context, &addresses);
        let single = || recorded(fixture.answer(&fixture.request(&account, address(SIZE))));
        if thread.is_multiple_of(2) {
            single();
        }
        let batch = recorded_batch(fixture.answer_batch(&request));
        single();
        (request, batch)
    });
    let entries = fixture.ledger(account.client.id);
    assert_eq!(
        entries.len(),
        THREADS * SIZE as usize + THREADS + THREADS.div_ceil(2)
    );
    assert_whole(fixture, &account, &entries);
    for (request, batch) in &outcomes {
        let last = usize::try_from(batch.seq).unwrap_or(0);
        let rows = &entries[last - SIZE as usize..last];
        let looked_up: Vec<_> = rows
            .iter()
            .filter_map(|entry| Some(entry.opening?.address))
            .collect();
        assert_eq!(
            looked_up,
            request.addresses.as_slice(),
            "the rows up to {last} are not those of the batch"
        );
    }
}

fn batch_is_all_or_nothing(fixture: &mut Fixture) {
    let account = fixture.account();
    let ask = |count| {
        let addresses: Vec<_> = (0..count).map(address).collect();
        let idempotency = Some(fixture.make.idempotency());
        let request = fixture
            .make
            .batch_lookup(&account.key, &account.context, &addresses);
        fixture.answer_batch(&BatchLookupRequest {
            idempotency,
            ..request
        })
    };
    let resets_at = Period::month_containing(fixture.now(), PeriodStartDay::default()).end;
    fixture.set_limit(&account.client, Limit::Lookups(Some(10)));
    recorded_batch(ask(6));
    assert_eq!(
        ask(5),
        LookupOutcome::CapReached {
            remaining: 4,
            resets_at
        }
    );
    assert_eq!(
        fixture.ledger(account.client.id).len(),
        6,
        "a part of a batch was written"
    );
    recorded_batch(ask(4));
    assert_eq!(
        ask(1),
        LookupOutcome::CapReached {
            remaining: 0,
            resets_at
        }
    );
    let entries = fixture.ledger(account.client.id);
    assert_eq!(entries.len(), 10);
    assert_whole(fixture, &account, &entries);
    batches_share_a_cap(fixture);
}

/// Concurrent batches never exceed a cap together.
fn batches_share_a_cap(fixture: &Fixture) {
    let account = fixture.account();
    fixture.set_limit(&account.client, Limit::Lookups(Some(25)));
    let addresses: Vec<_> = (0..10).map(address).collect();
    let outcomes = together(|_| {
        fixture.answer_batch(
            &fixture
                .make
                .batch_lookup(&account.key, &account.context, &addresses),
        )
    });
    let recorded_count = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, LookupOutcome::Recorded(..)))
        .count();
    let rejected_count = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, LookupOutcome::CapReached { remaining: 5, .. }))
        .count();
    assert_eq!(
        (recorded_count, rejected_count),
        (2, THREADS - 2),
        "{outcomes:?}"
    );
    assert_eq!(fixture.ledger(account.client.id).len(), 20);
}

/// Returns the number of addresses that a batch calls bots.
fn bot_count(batch: &RecordedBatch) -> usize {
    batch.answers.iter().filter(|answer| answer.is_bot).count()
}

fn override_as_human(fixture: &Fixture, context: &Context, address: EoaAddress) {
    let entry = audit(AuditAction::VerdictOverridden, &context.id, fixture.now());
    let change = overrule(context, address, OverrideTo::Human);
    block_on_ok(fixture.store().override_verdict(change, entry));
}

fn batch_is_replayed(fixture: &mut Fixture) {
    let account = fixture.account();
    let addresses: Vec<_> = (0..30).map(address).collect();
    let idempotency = Some(fixture.make.idempotency());
    let ask = || {
        let request = fixture
            .make
            .batch_lookup(&account.key, &account.context, &addresses);
        fixture.answer_batch(&BatchLookupRequest {
            idempotency,
            ..request
        })
    };
    fixture.conclude(
        &fixture
            .make
            .conclusion(&account.context, address(7), bot(), fixture.now()),
    );
    let outcomes = together(|_| ask());
    let first = outcomes
        .iter()
        .find(|outcome| matches!(outcome, LookupOutcome::Recorded(..)));
    let Some(LookupOutcome::Recorded(first, _)) = first else {
        panic!("no attempt was recorded: {outcomes:?}")
    };
    let replay = LookupOutcome::Replayed(first.clone());
    assert_eq!(
        outcomes
            .iter()
            .filter(|outcome| **outcome == replay)
            .count(),
        THREADS - 1,
        "{outcomes:?}"
    );
    assert_eq!(bot_count(first), 1);
    override_as_human(fixture, &account.context, address(7));
    assert_eq!(ask(), replay, "the replay differs from the first response");
    let entries = fixture.ledger(account.client.id);
    assert_eq!(entries.len(), addresses.len());
    let digest = idempotency.map(|input| input.key_digest);
    assert!(
        lookups(&entries)
            .iter()
            .all(|row| row.idempotency == digest),
        "a row lacks the digest of its request"
    );
    fixture.clock.advance(Duration::from_hours(24));
    assert_eq!(
        bot_count(&recorded_batch(ask())),
        0,
        "the record did not expire"
    );
}

fn batch_mismatch_is_rejected(fixture: &mut Fixture) {
    let account = fixture.account();
    let idempotency = fixture.make.idempotency();
    let other_idempotency = IdempotencyInput {
        fingerprint: fixture.make.idempotency().fingerprint,
        ..idempotency
    };
    let batch = |input| {
        let request =
            fixture
                .make
                .batch_lookup(&account.key, &account.context, &[address(1), address(2)]);
        fixture.answer_batch(&BatchLookupRequest {
            idempotency: Some(input),
            ..request
        })
    };
    let single = |input| {
        fixture.answer(&LookupRequest {
            idempotency: Some(input),
            ..fixture.request(&account, address(1))
        })
    };
    recorded_batch(batch(idempotency));
    assert_eq!(
        batch(other_idempotency),
        LookupOutcome::IdempotencyKeyReused
    );
    assert_eq!(
        single(idempotency),
        LookupOutcome::IdempotencyKeyReused,
        "a batch was replayed as a single lookup"
    );
    let of_lookup = fixture.make.idempotency();
    recorded(single(of_lookup));
    assert_eq!(
        batch(of_lookup),
        LookupOutcome::IdempotencyKeyReused,
        "a lookup was replayed as a batch"
    );
    assert_eq!(fixture.ledger(account.client.id).len(), 3);
}

fn batch_is_authorised(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_account = fixture.account();
    let addresses = [address(1), EoaAddress::from_bytes([0x22; 20])];
    let ask =
        |key, context| fixture.answer_batch(&fixture.make.batch_lookup(key, context, &addresses));
    assert_eq!(
        ask(&account.key, &other_account.context),
        LookupOutcome::UnknownContext
    );
    fixture.set_status(&account.client, ClientStatus::Suspended);
    assert_eq!(
        ask(&account.key, &account.context),
        LookupOutcome::ClientSuspended
    );
    fixture.set_status(&account.client, ClientStatus::Active);
    let entry = audit(AuditAction::KeyRevoked, &account.key.id, fixture.now());
    block_on_ok(fixture.store().change_key(
        account.key.id,
        KeyChange::Revoke { at: fixture.now() },
        entry,
    ));
    assert_eq!(
        ask(&account.key, &account.context),
        LookupOutcome::InvalidKey
    );
    assert_eq!(fixture.ledger(account.client.id), []);

    let key = fixture.issue(fixture.make.key(
        other_account.client.id,
        Environment::Sandbox,
        fixture.now(),
    ));
    let context = fixture.context(&key);
    let batch = recorded_batch(ask(&key, &context));
    let expected_answers: Vec<_> = addresses.iter().map(magic_answer).collect();
    assert_eq!(batch.answers, expected_answers);
    assert_eq!(
        fixture.ledger(other_account.client.id),
        [],
        "a sandbox batch was recorded in the live ledger"
    );
}
