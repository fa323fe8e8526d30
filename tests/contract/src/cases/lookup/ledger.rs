//! Writes of an answered lookup.

use super::super::cases;
use super::recorded;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, TestAccount, WRITERS, together, while_written};
use crate::generate::{address, audit};
use crate::ledger::{assert_chained, assert_gapless, assert_openings, chain, lookups};
use std::time::Duration;
use voight_domain::billing::{Currency, Money};
use voight_domain::metering::{
    AlertSet, IdempotencyInput, LedgerId, Limit, LookupOutcome, LookupRequest, MeterRules, Period,
    PeriodStartDay, RowKind,
};
use voight_domain::registry::{AuditAction, ClientStatus, KeyChange};
use voight_domain::vocabulary::{Environment, Scope};

cases![
    answer_is_atomic,
    answer_is_durable needs DurableAck,
    answer_has_one_row,
    ledger_is_gapless,
    ledger_is_chained,
];

const DAY: Duration = Duration::from_hours(24);

fn answer_is_atomic(fixture: &mut Fixture) {
    let account = fixture.account();
    // The month ends in the middle, and the first idempotency record is younger than a day at the end.
    fixture.clock.set(
        Period::month_containing(fixture.now(), PeriodStartDay::default())
            .end
            .saturating_sub(Duration::from_hours(8)),
    );
    while_written(
        |writer| write_across_months(fixture, &account, writer),
        || read_whole_steps(fixture, &account),
    );
    let meter = block_on_ok(fixture.store().meter(LedgerId::live(account.client.id)));
    assert_eq!(
        meter.map(|meter| meter.seq),
        Some(WRITERS as u64 * LOOKUPS + 1),
        "the rows and one end of a month"
    );
}

const LOOKUPS: u64 = 8;

/// Does lookups whose idempotency records exist once they are recorded.
fn write_across_months(fixture: &Fixture, account: &TestAccount, writer: usize) {
    for _ in 0..LOOKUPS {
        fixture.clock.advance(Duration::from_mins(15));
        let idempotency = Some(fixture.make.idempotency());
        let request = LookupRequest {
            idempotency,
            ..fixture.request(account, address(u32::try_from(writer).unwrap_or(0)))
        };
        let lookup = recorded(fixture.answer(&request));
        assert_eq!(
            fixture.answer(&request),
            LookupOutcome::Replayed(lookup),
            "the row is stored without its idempotency record"
        );
    }
}

/// Checks the number of rows between two reads of the meter. It is at least that of the first and at most that of the
/// second.
fn read_whole_steps(fixture: &Fixture, account: &TestAccount) {
    let client = account.client.id;
    let meter = || block_on_ok(fixture.store().meter(LedgerId::live(client)));
    let meter_before = meter();
    let rows = fixture.ledger(client);
    let seq_after = meter().map_or(0, |meter| meter.seq);
    assert_gapless(&rows);
    assert_openings(&rows);
    assert!(
        rows.len() as u64 <= seq_after,
        "{} rows are stored, the meter counts at most {seq_after}",
        rows.len()
    );
    if let Some(meter_before) = meter_before {
        let counted_rows = usize::try_from(meter_before.seq).unwrap_or(usize::MAX);
        assert!(
            counted_rows <= rows.len(),
            "the meter counts {counted_rows} rows, {} are stored",
            rows.len()
        );
        assert_chained(&meter_before, &rows[..counted_rows], LedgerId::live(client));
    }
}

fn answer_is_durable(fixture: &mut Fixture) {
    let account = fixture.account();
    for round in 0..5 {
        fixture.clock.advance(10 * DAY);
        let idempotency = Some(fixture.make.idempotency());
        let request = LookupRequest {
            idempotency,
            ..fixture.request(&account, address(round))
        };
        let lookup = recorded(fixture.answer(&request));
        let read_ledger = |fixture: &Fixture| {
            (
                fixture.ledger(account.client.id),
                block_on_ok(fixture.store().meter(LedgerId::live(account.client.id))),
            )
        };
        let ledger_before = read_ledger(fixture);
        fixture.reopen();
        assert_eq!(read_ledger(fixture), ledger_before);
        assert_eq!(ledger_before.1.map(|meter| meter.head), Some(lookup.head));
        assert_eq!(fixture.answer(&request), LookupOutcome::Replayed(lookup));
    }
    caps_count_on(fixture);
}

/// Tests a cap in lookups and one in money. Concurrent lookups reach each exactly, and it holds after a reopening.
fn caps_count_on(fixture: &mut Fixture) {
    let cent = Money {
        minor: 1,
        currency: Currency::USD,
    };
    // Seven lookups at a fifth of a cent are rounded to one cent; eight are two cents.
    for (limit, most) in [
        (Limit::Lookups(Some(100)), 100),
        (Limit::Money(Some(cent)), 7),
    ] {
        let account = fixture.account();
        fixture.set_limit(&account.client, limit);
        let mut recorded_count = 0;
        for _ in 0..3 {
            let outcomes = together(|_| {
                let rules = MeterRules {
                    allowance: 0,
                    ..MeterRules::default()
                };
                fixture.answer(&LookupRequest {
                    rules,
                    ..fixture.request(&account, address(1))
                })
            });
            recorded_count += outcomes
                .iter()
                .filter(|outcome| matches!(outcome, LookupOutcome::Recorded(..)))
                .count();
            fixture.reopen();
        }
        assert_eq!(recorded_count, most, "of {limit:?}");
    }
}

fn answer_has_one_row(fixture: &mut Fixture) {
    let account = fixture.account();
    let idempotency = Some(fixture.make.idempotency());
    let request = LookupRequest {
        idempotency,
        ..fixture.request(&account, address(1))
    };
    let recorded_lookup = recorded(fixture.answer(&request));
    let rows = fixture.ledger(account.client.id);
    let [entry] = rows.as_slice() else {
        panic!("a recorded lookup has one row, not {}", rows.len())
    };
    let [lookup] = lookups(&rows)[..] else {
        panic!("the row is not a lookup's")
    };
    assert_eq!(
        (entry.row.seq, entry.row.at),
        (recorded_lookup.seq, fixture.now())
    );
    assert_eq!(
        (lookup.answer, lookup.idempotency),
        (
            recorded_lookup.answer,
            idempotency.map(|idempotency| idempotency.key_digest)
        )
    );
    assert_eq!(
        (lookup.context, lookup.key),
        (account.context.number, account.key.number)
    );
    assert_eq!(
        entry
            .opening
            .map(|opening| opening.commit(&account.context.id)),
        Some(lookup.commitment)
    );
    assert_eq!(
        entry.opening.map(|opening| opening.address),
        Some(request.address)
    );
    for (outcome, request) in unrecorded(fixture, &account, &request) {
        assert_eq!(fixture.answer(&request), outcome);
        assert_eq!(
            fixture.ledger(account.client.id),
            rows,
            "{outcome:?} added a row"
        );
    }
    fixture.set_status(&account.client, ClientStatus::Suspended);
    assert_eq!(
        fixture.answer(&fixture.request(&account, address(3))),
        LookupOutcome::ClientSuspended
    );
    assert_eq!(
        fixture.ledger(account.client.id),
        rows,
        "a suspended client's lookup added a row"
    );
}

/// Returns lookups that are not recorded, with their outcomes; `first` was recorded.
fn unrecorded(
    fixture: &Fixture,
    account: &TestAccount,
    first: &LookupRequest,
) -> Vec<(LookupOutcome, LookupRequest)> {
    let fresh = || fixture.request(account, address(2));
    let revoked_key = fixture.key(&account.client);
    let change = KeyChange::Revoke { at: fixture.now() };
    block_on_ok(fixture.store().change_key(
        revoked_key.id,
        change,
        audit(AuditAction::KeyRevoked, &revoked_key.id, fixture.now()),
    ));
    let mut unable = fixture
        .make
        .key(account.client.id, Environment::Live, fixture.now());
    unable.scopes = [Scope::UsageRead].into_iter().collect();
    let unable = fixture.issue(unable);
    let other_context = fixture.context(&fixture.key(&account.client));
    let reused_key = first.idempotency.map(|idempotency| IdempotencyInput {
        fingerprint: fixture.make.idempotency().fingerprint,
        ..idempotency
    });
    let LookupOutcome::Recorded(answered, _) = replay_of(fixture.answer(first)) else {
        panic!("the lookup was deleted")
    };
    vec![
        (LookupOutcome::Replayed(answered), first.clone()),
        (
            LookupOutcome::IdempotencyKeyReused,
            LookupRequest {
                idempotency: reused_key,
                ..fresh()
            },
        ),
        (
            LookupOutcome::InvalidKey,
            fixture
                .make
                .lookup(&revoked_key, &account.context, address(2)),
        ),
        (
            LookupOutcome::ScopeMissing,
            fixture.make.lookup(&unable, &account.context, address(2)),
        ),
        (
            LookupOutcome::UnknownContext,
            LookupRequest {
                context: other_context.id,
                ..fresh()
            },
        ),
    ]
}

/// Converts a replayed outcome to the recorded outcome that it replays.
fn replay_of(outcome: LookupOutcome) -> LookupOutcome {
    match outcome {
        LookupOutcome::Replayed(answered) => LookupOutcome::Recorded(answered, AlertSet::default()),
        other => other,
    }
}

fn ledger_is_gapless(fixture: &mut Fixture) {
    let accounts = [fixture.account(), fixture.account()];
    let seqs = together(|thread| {
        let lookup = |round: u64| {
            // Clocks are occasionally set back; the dates of the ledger are not.
            let step = Duration::from_hours(36);
            fixture.clock.set(if round % 4 == 3 {
                fixture.now().saturating_sub(step)
            } else {
                fixture.now().saturating_add(step)
            });
            recorded(fixture.answer(&fixture.request(&accounts[thread % 2], address(7)))).seq
        };
        (0..8).map(lookup).collect::<Vec<_>>()
    });
    for (place, account) in accounts.iter().enumerate() {
        let rows = fixture.ledger(account.client.id);
        assert_gapless(&rows);
        let mut answer_seqs: Vec<_> = seqs
            .iter()
            .skip(place)
            .step_by(2)
            .flatten()
            .copied()
            .collect();
        answer_seqs.sort_unstable();
        let lookups = rows
            .iter()
            .filter(|entry| matches!(entry.row.kind, RowKind::Lookup(_)));
        let row_seqs: Vec<_> = lookups.map(|entry| entry.row.seq).collect();
        assert_eq!(
            answer_seqs, row_seqs,
            "the numbers in the responses differ from those of the rows"
        );
    }
}

fn ledger_is_chained(fixture: &mut Fixture) {
    let account = fixture.account();
    let client = account.client.id;
    let rules = MeterRules {
        allowance: 2,
        ..MeterRules::default()
    };
    for number in 0..12 {
        fixture.clock.advance(8 * DAY);
        let request = LookupRequest {
            rules: rules.clone(),
            ..fixture.request(&account, address(number))
        };
        let lookup = recorded(fixture.answer(&request));
        let rows = block_on_ok(fixture.store().rows(LedgerId::live(client), 0, ALL));
        assert_eq!(lookup.head, chain(&rows, LedgerId::live(client)));
        match block_on_ok(fixture.store().meter(LedgerId::live(client))) {
            Some(meter) => assert_chained(&meter, &rows, LedgerId::live(client)),
            None => panic!("there are rows without a meter"),
        }
    }
}
