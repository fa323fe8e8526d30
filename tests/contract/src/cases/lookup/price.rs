//! Price of a lookup, and the ledger that counts it.

use super::super::cases;
use super::recorded;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, THREADS, together};
use crate::generate::address;
use crate::ledger::{assert_gapless, lookups};
use std::time::Duration;
use voight_domain::metering::{
    DailyLookups, LedgerId, Limit, LookupOutcome, LookupRequest, MAX_BATCH_ADDRESSES, MeterRules,
    Period, PeriodStartDay,
};
use voight_domain::verdict::magic_answer;
use voight_domain::vocabulary::{Environment, EoaAddress, Timestamp};

cases![
    allowance_is_exact,
    cap_is_exact,
    sandbox_is_metered_apart,
    sandbox_lookups_of_a_day_are_limited
];

fn allowance_is_exact(fixture: &mut Fixture) {
    const ROUNDS: usize = 5;
    const FREE: usize = 100;
    const ALL_ROUNDS: usize = THREADS * ROUNDS;
    let first = fixture.account();
    let second_key = fixture.key(&first.client);
    let second_context = fixture.context(&second_key);
    let rules = MeterRules {
        allowance: FREE as u64,
        ..MeterRules::default()
    };
    let tomorrow = fixture.now().saturating_add(Duration::from_hours(24));
    together(|thread| {
        for _ in 0..ROUNDS {
            let request = match thread % 3 {
                0 => fixture.request(&first, address(1)),
                1 => fixture
                    .make
                    .lookup(&second_key, &second_context, address(1)),
                _ => fixture.make.lookup(
                    &fixture.rotate(&second_key, tomorrow),
                    &second_context,
                    address(1),
                ),
            };
            recorded(fixture.answer(&LookupRequest {
                rules: rules.clone(),
                ..request
            }));
        }
    });
    let free: Vec<_> = lookups(&fixture.ledger(first.client.id))
        .iter()
        .map(|row| row.free)
        .collect();
    let expected_free: Vec<_> = (0..ALL_ROUNDS).map(|place| place < FREE).collect();
    assert_eq!(
        free, expected_free,
        "the free rows are not exactly the first {FREE}"
    );
    let meter = block_on_ok(fixture.store().meter(LedgerId::live(first.client.id)));
    let totals = meter.map(|meter| (meter.allowance_used, meter.billable, meter.charged));
    assert_eq!(
        totals,
        Some((FREE as u64, ALL_ROUNDS as u64, (ALL_ROUNDS - FREE) as u64))
    );
}

fn cap_is_exact(fixture: &mut Fixture) {
    const CAP: u64 = 50;
    let account = fixture.account();
    fixture.set_limit(&account.client, Limit::Lookups(Some(CAP)));
    for _ in 0..2 {
        let period = Period::month_containing(fixture.now(), PeriodStartDay::default());
        let outcomes =
            together(|_| [0; 2].map(|_| fixture.answer(&fixture.request(&account, address(1)))));
        let is_recorded = |outcome: &&LookupOutcome| matches!(outcome, LookupOutcome::Recorded(..));
        let recorded_count = outcomes.iter().flatten().filter(is_recorded).count();
        assert_eq!(
            recorded_count as u64, CAP,
            "the number of lookups of the period differs from the cap"
        );
        let rejection = LookupOutcome::CapReached {
            remaining: 0,
            resets_at: period.end,
        };
        let rejected_count = outcomes
            .iter()
            .flatten()
            .filter(|outcome| **outcome == rejection)
            .count();
        assert_eq!(recorded_count + rejected_count, THREADS * 2, "{outcomes:?}");
        fixture.clock.set(period.end);
    }
    let rows = lookups(&fixture.ledger(account.client.id));
    assert_eq!(rows.len() as u64, 2 * CAP);
    assert!(
        rows.iter().all(|row| row.cap == Some(CAP)),
        "a row does not contain the cap in force"
    );
    fixture.set_limit(&account.client, Limit::Lookups(None));
    for _ in 0..=CAP {
        recorded(fixture.answer(&fixture.request(&account, address(1))));
    }
}

fn sandbox_lookups_of_a_day_are_limited(fixture: &mut Fixture) {
    let account = fixture.sandbox_account();
    let other_key = fixture.issue(fixture.make.key(
        account.client.id,
        Environment::Sandbox,
        fixture.now(),
    ));
    let other_context = fixture.context(&other_key);
    let addresses: Vec<_> = (0..).map(address).take(MAX_BATCH_ADDRESSES).collect();
    let batch = |count: usize| {
        fixture.answer_batch(&fixture.make.batch_lookup(
            &account.key,
            &account.context,
            &addresses[..count],
        ))
    };
    for _ in 1..DailyLookups::SANDBOX_LIMIT / MAX_BATCH_ADDRESSES as u64 {
        assert!(matches!(
            batch(MAX_BATCH_ADDRESSES),
            LookupOutcome::Recorded(..)
        ));
    }
    recorded(fixture.answer(&fixture.request(&account, address(1))));
    let day = 24 * 3_600_000;
    let resets_at = Timestamp::from_millis((fixture.now().as_millis() / day + 1) * day);
    let remaining = MAX_BATCH_ADDRESSES as u64 - 1;
    assert_eq!(
        batch(MAX_BATCH_ADDRESSES),
        LookupOutcome::CapReached {
            remaining,
            resets_at
        },
        "all or none"
    );
    assert!(matches!(
        batch(MAX_BATCH_ADDRESSES - 1),
        LookupOutcome::Recorded(..)
    ));
    let lookup = || fixture.answer(&fixture.make.lookup(&other_key, &other_context, address(1)));
    assert_eq!(
        lookup(),
        LookupOutcome::CapReached {
            remaining: 0,
            resets_at
        },
        "another key of the client"
    );
    fixture
        .clock
        .advance(resets_at.saturating_since(fixture.now()));
    recorded(lookup());
}

fn sandbox_is_metered_apart(fixture: &mut Fixture) {
    let live = fixture.account();
    let key = fixture.issue(
        fixture
            .make
            .key(live.client.id, Environment::Sandbox, fixture.now()),
    );
    let context = fixture.context(&key);
    let rules = MeterRules {
        allowance: 3,
        ..MeterRules::default()
    };
    let bot = EoaAddress::from_bytes([0x22; 20]);
    for seq in 1..=4 {
        let sandbox = LookupRequest {
            rules: rules.clone(),
            ..fixture.make.lookup(&key, &context, bot)
        };
        let sandbox_lookup = recorded(fixture.answer(&sandbox));
        assert_eq!(
            (sandbox_lookup.seq, sandbox_lookup.answer),
            (seq, magic_answer(&bot))
        );
        let live_lookup = recorded(fixture.answer(&LookupRequest {
            rules: rules.clone(),
            ..fixture.request(&live, bot)
        }));
        assert_eq!(live_lookup.seq, seq);
        assert!(
            !live_lookup.answer.is_bot,
            "a magic address of the sandbox applied to a live lookup"
        );
    }
    for environment in [Environment::Live, Environment::Sandbox] {
        let ledger = LedgerId {
            client: live.client.id,
            environment,
        };
        let rows = block_on_ok(fixture.store().rows(ledger, 0, ALL));
        assert_gapless(&rows);
        let free: Vec<_> = lookups(&rows).iter().map(|row| row.free).collect();
        assert_eq!(free, [true, true, true, false], "{environment:?}");
        let meter = block_on_ok(fixture.store().meter(ledger));
        assert_eq!(meter.map(|meter| meter.seq), Some(4), "{environment:?}");
    }
}
