//! Reading a ledger, and deleting its openings and, in the sandbox, its rows.

use super::super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture};
use crate::generate::address;
use crate::ledger::assert_gapless;
use crate::paging::assert_paged;
use std::time::Duration;
use voight_domain::metering::LedgerId;
use voight_domain::ports::LedgerEntry;

cases![
    rows_are_paged_in_order,
    deleted_openings_keep_the_ledger,
    expired_sandbox_rows_are_deleted
];

fn rows_are_paged_in_order(fixture: &mut Fixture) {
    let account = fixture.account();
    let neighbours = [fixture.account(), fixture.account(), fixture.account()];
    for number in 0..20 {
        fixture.clock.advance(Duration::from_hours(100));
        fixture.answer(&fixture.request(&account, address(number)));
        for neighbour in &neighbours {
            fixture.answer(&fixture.request(neighbour, address(number)));
        }
    }
    let page = |after, limit| {
        block_on_ok(
            fixture
                .store()
                .rows(LedgerId::live(account.client.id), after, limit),
        )
    };
    let complete = page(0, ALL);
    assert_eq!(complete.len(), 23, "20 lookups over three ends of a month");
    assert_gapless(&complete);
    let last_seq = |last: Option<&LedgerEntry>| last.map_or(0, |entry| entry.row.seq);
    assert_paged(&complete, &[1, 3, 10, 23, 24], |last, limit| {
        page(last_seq(last), limit)
    });
}

fn deleted_openings_keep_the_ledger(fixture: &mut Fixture) {
    let account = fixture.account();
    let neighbour = fixture.account();
    for number in 0..10 {
        fixture.clock.advance(Duration::from_hours(24));
        fixture.answer(&fixture.request(&account, address(number)));
        fixture.answer(&fixture.request(&neighbour, address(number)));
    }
    let ledgers_before = [&account, &neighbour].map(|account| fixture.ledger(account.client.id));
    let meter = || block_on_ok(fixture.store().meter(LedgerId::live(account.client.id)));
    let cutoff = ledgers_before[0][4].row.at;
    let meter_before = meter();
    // Deletes three openings at a time over both ledgers until none is due.
    let forgotten = [0; 5].map(|_| block_on_ok(fixture.store().forget_openings(cutoff, 3)));
    assert_eq!(
        forgotten,
        [3, 3, 2, 0, 0],
        "the first four of each ledger were written before"
    );
    for (account, ledgers_before) in [&account, &neighbour].into_iter().zip(ledgers_before) {
        for (entry, old) in fixture
            .ledger(account.client.id)
            .into_iter()
            .zip(ledgers_before)
        {
            assert_eq!(entry.row, old.row, "a row has changed");
            let expected_opening = old.opening.filter(|_| old.row.at >= cutoff);
            assert_eq!(
                entry.opening, expected_opening,
                "of the row of {}",
                old.row.at
            );
        }
    }
    assert_eq!(meter(), meter_before);
}

fn expired_sandbox_rows_are_deleted(fixture: &mut Fixture) {
    let accounts = [
        fixture.account(),
        fixture.sandbox_account(),
        fixture.sandbox_account(),
    ];
    let ledgers = accounts.each_ref().map(|account| LedgerId {
        client: account.client.id,
        environment: account.key.environment,
    });
    // Each ledger has an end of a month between its rows.
    for number in 0..6 {
        fixture.clock.advance(Duration::from_hours(24 * 10));
        for account in &accounts {
            fixture.answer(&fixture.request(account, address(number)));
        }
    }
    let rows = |ledger| block_on_ok(fixture.store().rows(ledger, 0, ALL));
    let state = || ledgers.map(|ledger| (block_on_ok(fixture.store().meter(ledger)), rows(ledger)));
    let state_before = state();
    let cutoff = state_before[1].1[4].row.at;
    let deleted_rows = [0; 4].map(|_| block_on_ok(fixture.store().expire_sandbox_rows(cutoff, 3)));
    assert_eq!(
        deleted_rows,
        [3, 3, 2, 0],
        "the first four rows of each sandbox were written before"
    );
    let state_after = state();
    assert_eq!(state_after[0], state_before[0], "a live ledger has changed");
    for (ledger, ((meter, rows), (meter_before, rows_before))) in ledgers
        .iter()
        .zip(state_after.iter().zip(&state_before))
        .skip(1)
    {
        assert_eq!(meter, meter_before);
        assert_eq!(rows[..], rows_before[4..]);
        let periods = block_on_ok(fixture.store().ended_periods(*ledger, 0, ALL));
        assert!(
            periods.iter().all(|period| period.last_seq > 4),
            "a period has lost its last row: {periods:?}"
        );
    }
    fixture.clock.advance(Duration::from_hours(24 * 400));
    assert_eq!(
        block_on_ok(fixture.store().expire_sandbox_rows(fixture.now(), ALL)) + 2,
        2 * state_before[1].1[4..].len()
    );
    for (ledger, account) in ledgers.into_iter().zip(&accounts).skip(1) {
        assert_eq!(rows(ledger).len(), 1, "the last row of a ledger stays");
        fixture.answer(&fixture.request(account, address(9)));
        let last_seq = rows(ledger).last().map(|entry| entry.row.seq);
        assert_eq!(
            block_on_ok(fixture.store().meter(ledger)).map(|meter| meter.seq),
            last_seq
        );
        assert!(last_seq.is_some(), "a row");
    }
}
