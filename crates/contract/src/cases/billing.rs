//! Promises of `BillingStore`.

use super::cases;
use crate::block_on::done;
use crate::fixture::{ALL, Fixture};
use crate::ledger::assert_gapless;
use crate::make::address;
use crate::paging::assert_paged;
use std::time::Duration;
use voight_domain::ports::LedgerEntry;
use voight_domain::vocabulary::Environment;

cases![rows_are_paged_in_order];

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
    let page = |after, limit| done(fixture.store().rows(account.client.id, Environment::Live, after, limit));
    let whole = page(0, ALL);
    assert_eq!(whole.len(), 23, "20 lookups over three ends of a month");
    assert_gapless(&whole);
    let after = |last: Option<&LedgerEntry>| last.map_or(0, |entry| entry.row.seq);
    assert_paged(&whole, &[1, 3, 10, 23, 24], |last, limit| page(after(last), limit));
}
