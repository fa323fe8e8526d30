//! Promises of `LookupStore`.

use super::cases;
use crate::fixture::Fixture;
use crate::make::address;
use voight_domain::metering::LookupOutcome;

cases![answer_has_one_row];

fn answer_has_one_row(fixture: &mut Fixture) {
    let account = fixture.account();
    let outcome = fixture.answer(&fixture.request(&account, address(1)));
    assert!(matches!(outcome, LookupOutcome::Recorded(_)));
    assert_eq!(fixture.ledger(account.client.id).len(), 1);
}
