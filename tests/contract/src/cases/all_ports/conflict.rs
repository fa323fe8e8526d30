//! Changes of missing entities.

use super::super::cases;
use crate::block_on::block_on;
use crate::fixture::{ALL, Fixture};
use crate::generate::{address, audit, book, labelled, overrule, replacement};
use voight_domain::metering::{LedgerId, Limit};
use voight_domain::ports::StoreError;
use voight_domain::registry::AuditAction;
use voight_domain::verdict::{OverrideTo, Truth, Verdict};
use voight_domain::vocabulary::{ClientId, Environment};

cases![changing_missing_entity_conflicts];

fn changing_missing_entity_conflicts(fixture: &mut Fixture) {
    let unknown = ClientId::from_bytes([9; 16]);
    let key = fixture.make.key(unknown, Environment::Live, fixture.now());
    let context = fixture.make.context(&key, fixture.now());
    let entry = || audit(AuditAction::ContextChanged, &context.id, fixture.now());
    let store = fixture.store();

    assert_conflict(&block_on(store.set_limit(
        LedgerId::live(unknown),
        Limit::Lookups(Some(1)),
        book(),
        entry(),
    )));
    assert_conflict(&block_on(store.register_context(
        context.clone(),
        None,
        entry(),
    )));
    let change = overrule(&context, address(1), OverrideTo::Bot);
    assert_conflict(&block_on(store.override_verdict(change, entry())));
    let label = labelled(address(1), Truth::Bot, fixture.now());
    assert_conflict(&block_on(store.put_labels(
        &context.id,
        vec![label],
        entry(),
    )));
    let change = replacement(&context, address(1), Verdict::default(), Verdict::default());
    assert_conflict(&block_on(store.replace_verdict(change, entry())));

    let endpoint = fixture
        .make
        .endpoint(unknown, Environment::Live, fixture.now());
    assert_conflict(&block_on(store.create_endpoint(endpoint, entry())));

    assert_eq!(block_on(store.endpoints(unknown)), Ok(Vec::new()));
    assert_eq!(block_on(store.meter(LedgerId::live(unknown))), Ok(None));
    assert_eq!(block_on(store.context(&context.id)), Ok(None));
    assert_eq!(
        block_on(store.labels(&context.id, None, ALL)),
        Ok(Vec::new())
    );
    assert_eq!(block_on(store.verdict(&context.id, &address(1))), Ok(None));
    assert_eq!(block_on(store.audit(0, ALL)), Ok(Vec::new()));
}

#[track_caller]
fn assert_conflict<T: std::fmt::Debug>(outcome: &Result<T, StoreError>) {
    assert!(
        matches!(outcome, Err(StoreError::Conflict(_))),
        "{outcome:?}, expected a conflict"
    );
}
