//! Reads of missing entities.

use super::super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, FOREVER, Fixture};
use crate::generate::{address, audit, audited, bot, client_name, digest_of, erasure};
use std::time::Duration;
use voight_domain::check::ConcludeOutcome;
use voight_domain::metering::{Day, LedgerId, LookupOutcome};
use voight_domain::ports::{ContextFilter, ErasureCounts, Store};
use voight_domain::registry::{AuditAction, ClientChange, Context, ContextChange, Key, KeyChange};
use voight_domain::vocabulary::{
    AdminTokenId, CheckId, ClientId, EndpointId, Environment, KeyId, Timestamp, UserId,
};
use voight_domain::webhooks::{DeliveryConclusion, DeliveryLane, EndpointChange, EndpointName};

cases![missing_is_none];

/// The store contains none of the entities that the case requests.
fn missing_is_none(fixture: &mut Fixture) {
    let unknown = ClientId::from_bytes([9; 16]);
    let key = fixture.make.key(unknown, Environment::Live, fixture.now());
    let context = fixture.make.context(&key, fixture.now());
    assert_lists_are_empty(fixture.store());
    for round in 0..2 {
        assert_client_is_absent(fixture.store(), unknown);
        assert_no_key(fixture, &key);
        assert_no_context(fixture, &context);
        assert_no_check(fixture.store(), CheckId::from_bytes([9; 16]));
        assert_no_endpoint(fixture.store(), unknown);
        let lookup = fixture.make.lookup(&key, &context, address(1));
        assert_eq!(fixture.answer(&lookup), LookupOutcome::InvalidKey);
        let check = fixture
            .make
            .conclusion(&context, address(1), bot(), fixture.now());
        assert_eq!(fixture.conclude(&check), ConcludeOutcome::ContextMissing);
        assert_eq!(block_on_ok(fixture.store().concluded(check.check)), None);
        // The second round repeats the calls in the presence of other clients' data.
        if round == 0 {
            let account = fixture.account();
            fixture.answer(&fixture.request(&account, address(1)));
            fixture.conclude(&fixture.make.conclusion(
                &account.context,
                address(1),
                bot(),
                fixture.now(),
            ));
        }
    }
}

fn assert_lists_are_empty(store: &dyn Store) {
    assert_eq!(block_on_ok(store.clients(None, ALL)), []);
    assert_eq!(
        block_on_ok(store.contexts(ContextFilter::All, None, ALL)),
        []
    );
    assert_eq!(block_on_ok(store.audit(0, ALL)), []);
    assert_eq!(block_on_ok(store.admin_tokens()), []);
    assert_eq!(
        block_on_ok(store.admin_token(AdminTokenId::from_bytes([9; 16]))),
        None
    );
    assert_eq!(block_on_ok(store.users()), []);
    assert_eq!(block_on_ok(store.user(UserId::from_bytes([9; 16]))), None);
    assert_eq!(block_on_ok(store.unjudged_checks(FOREVER, ALL)), []);
    assert_eq!(block_on_ok(store.evict(FOREVER, Duration::ZERO, ALL)), 0);
    let no_totals = block_on_ok(store.check_totals(Day(i64::MIN), Day(i64::MAX)));
    assert_eq!(no_totals, []);
    let purged_counts = store.purge_check_counts(Day(i64::MAX), ALL);
    assert_eq!(block_on_ok(purged_counts), 0);
    for lane in DeliveryLane::ALL {
        assert_eq!(block_on_ok(store.due_endpoints(lane, ALL)), []);
    }
    assert_eq!(block_on_ok(store.purge_deliveries(FOREVER, ALL)), 0);
}

fn assert_client_is_absent(store: &dyn Store, unknown: ClientId) {
    assert_eq!(block_on_ok(store.client(unknown)), None);
    assert_eq!(
        block_on_ok(store.client_named(&client_name("unknown"))),
        None
    );
    assert_eq!(block_on_ok(store.keys(unknown)), []);
    assert_eq!(
        block_on_ok(store.contexts(ContextFilter::Client(unknown), None, ALL)),
        []
    );
    let entry = audit(AuditAction::ClientChanged, &unknown, Timestamp::default());
    assert_eq!(
        block_on_ok(store.change_client(unknown, ClientChange::LookupRate(None), entry)),
        None
    );
    for environment in [Environment::Live, Environment::Sandbox] {
        let ledger = LedgerId {
            client: unknown,
            environment,
        };
        assert_eq!(block_on_ok(store.meter(ledger)), None);
        assert_eq!(block_on_ok(store.rows(ledger, 0, ALL)), []);
    }
}

fn assert_no_key(fixture: &Fixture, key: &Key) {
    let store = fixture.store();
    assert_eq!(block_on_ok(store.key(key.id)), None);
    assert_eq!(
        block_on_ok(store.key_by_digest(crate::generate::current(key))),
        None
    );
    assert_eq!(
        block_on_ok(store.contexts(ContextFilter::Key(key.id), None, ALL)),
        []
    );
    let entry = || audit(AuditAction::KeyRevoked, &key.id, fixture.now());
    assert_eq!(
        block_on_ok(store.change_key(key.id, KeyChange::Revoke { at: fixture.now() }, entry())),
        None
    );
    assert_eq!(block_on_ok(store.create_key(key.clone(), entry())), None);
    assert_eq!(block_on_ok(store.key(KeyId::from_bytes([9; 16]))), None);
}

fn assert_no_context(fixture: &Fixture, context: &Context) {
    let store = fixture.store();
    assert_eq!(block_on_ok(store.context(&context.id)), None);
    let entry = audit(AuditAction::ContextChanged, &context.id, fixture.now());
    assert_eq!(
        block_on_ok(store.change_context(&context.id, ContextChange::default(), entry)),
        None
    );
    assert_eq!(block_on_ok(store.verdict(&context.id, &address(1))), None);
    assert_eq!(
        block_on_ok(store.timeline(&context.id, &address(1), ALL)),
        []
    );
    assert_eq!(block_on_ok(store.verdicts(&context.id, None, ALL)), []);
    assert_eq!(block_on_ok(store.labels(&context.id, None, ALL)), []);
    let contexts = std::slice::from_ref(&context.id);
    let counts = store.check_counts(contexts, Day(i64::MIN), Day(i64::MAX));
    assert_eq!(block_on_ok(counts), []);
    assert_eq!(
        block_on_ok(store.labels(&context.id, Some(address(1)), ALL)),
        []
    );
    assert_eq!(
        block_on_ok(store.tombstone(&context.id, digest_of(&context.id, address(1)))),
        None
    );
    assert_eq!(
        block_on_ok(store.erase(&erasure(address(9), [context]))),
        ErasureCounts::default()
    );
    assert_eq!(
        block_on_ok(store.verdicts(&context.id, Some(address(1)), ALL)),
        []
    );
}

fn assert_no_check(store: &dyn Store, check: CheckId) {
    assert_eq!(block_on_ok(store.concluded(check)), None);
    assert_eq!(block_on_ok(store.batches(check)), []);
    block_on_ok(store.mark_judged(check));
}

fn assert_no_endpoint(store: &dyn Store, client: ClientId) {
    let id = EndpointId::from_bytes([9; 16]);
    let name = EndpointName { client, id };
    assert_eq!(block_on_ok(store.endpoint(name)), None);
    assert_eq!(block_on_ok(store.endpoints(client)), []);
    let changes = vec![audited(EndpointChange::Pause, id, Timestamp::default())];
    let outcome = block_on_ok(store.change_endpoint(name, changes));
    assert_eq!(outcome, None);
    assert_eq!(block_on_ok(store.claim_deliveries(name, ALL)), None);
    let conclusion = DeliveryConclusion::default();
    let reports = block_on_ok(store.conclude_deliveries(name, conclusion));
    assert_eq!(reports, None);
    assert_eq!(block_on_ok(store.deliveries(name, None, ALL)), []);
    let entry = audit(AuditAction::WebhookDeleted, &id, Timestamp::default());
    assert!(!block_on_ok(store.delete_endpoint(name, entry)));
}
