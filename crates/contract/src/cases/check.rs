//! Promises of `CheckStore`.

use super::cases;
use crate::block_on::done;
use crate::fixture::Fixture;
use crate::make::{address, human};

cases![conclude_is_idempotent];

fn conclude_is_idempotent(fixture: &mut Fixture) {
    let account = fixture.account();
    let check = fixture.make.conclusion(&account.context, address(1), human(), fixture.now());
    assert_eq!(fixture.conclude(&check), fixture.conclude(&check));
    assert_eq!(done(fixture.store().timeline(&account.context.id, &address(1), 10)).len(), 1);
}
