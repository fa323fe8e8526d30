//! Times at which endpoints are due.

use super::super::cases;
use super::super::snapshots::{continue_job, uploaded};
use super::{change, claim, conclude, create, deliver_all, due, is_due, record};
use crate::block_on::block_on_ok;
use crate::fixture::{Fixture, TestAccount};
use crate::generate::{address, answered, audit, bot, human, overrule, replacement};
use std::time::Duration;
use voight_domain::invoicing::{CloseScope, InvoiceChange};
use voight_domain::metering::{BatchLookupRequest, LookupRequest, MeterRules};
use voight_domain::registry::{Actor, AuditAction, ContextChange, ContextTransfer, TransferScope};
use voight_domain::verdict::{OverrideTo, Verdict};
use voight_domain::webhooks::{
    ATTEMPT_LEASE, AttemptOutcome, DeliveryLane, EndpointChange, EndpointName, MAX_RETRY_AFTER,
};

cases![
    appended_event_makes_endpoints_due,
    due_endpoints_are_listed_by_time,
];

fn appended_event_makes_endpoints_due(fixture: &mut Fixture) {
    let account = fixture.account();
    let name = create(fixture, &account);
    let other_name = create(fixture, &fixture.account());
    assert_registry_makes_due(fixture, name, &account);
    assert_verdicts_make_due(fixture, name, &account);
    assert_usage_makes_due(fixture, name, &account);
    assert_invoices_make_due(fixture, name, &account);
    assert_endpoints_make_due(fixture, name, &account);
    assert_eq!(record(fixture, other_name).due_at, None);
    assert_inactive_endpoint_is_not_due(fixture, name, &account);
}

/// Asserts that an endpoint with nothing to send is due after a call.
#[track_caller]
fn assert_makes_due(fixture: &Fixture, name: EndpointName, call: &str, append: impl FnOnce()) {
    deliver_all(fixture, name);
    assert!(!is_due(fixture, name), "due before {call}");
    append();
    assert!(is_due(fixture, name), "not due after {call}");
    assert_eq!(record(fixture, name).due_at, Some(fixture.now()), "{call}");
}

fn assert_registry_makes_due(fixture: &Fixture, name: EndpointName, account: &TestAccount) {
    let other_key = fixture.key(&account.client);
    assert_makes_due(fixture, name, "create_key", || {
        fixture.key(&account.client);
    });
    assert_makes_due(fixture, name, "change_key", || {
        fixture.rotate(&other_key, fixture.now());
    });
    let context = fixture.context(&account.key);
    assert_makes_due(fixture, name, "register_context", || {
        fixture.context(&account.key);
    });
    assert_makes_due(fixture, name, "change_context", || {
        let archival = ContextChange {
            archived_at: Some(Some(fixture.now())),
            ..ContextChange::default()
        };
        let entry = audit(AuditAction::ContextChanged, &context.id, fixture.now());
        let store = fixture.store();
        block_on_ok(store.change_context(&context.id, archival, entry));
    });
    assert_makes_due(fixture, name, "transfer_contexts", || {
        let transfer = ContextTransfer {
            scope: TransferScope::Context(context.id.clone()),
            to: other_key.id,
            at: fixture.now(),
            actor: Actor::Operator,
            reason: String::new(),
        };
        block_on_ok(fixture.store().transfer_contexts(transfer));
    });
}

fn assert_verdicts_make_due(fixture: &Fixture, name: EndpointName, account: &TestAccount) {
    let context = &account.context;
    let conclude_check = |assessment| {
        let now = fixture.now();
        fixture.conclude(
            &fixture
                .make
                .conclusion(context, address(1), assessment, now),
        );
    };
    let entry = || audit(AuditAction::VerdictOverridden, &context.id, fixture.now());
    assert_makes_due(fixture, name, "conclude", || conclude_check(human()));
    assert_makes_due(fixture, name, "override_verdict", || {
        let change = overrule(context, address(2), OverrideTo::Bot);
        block_on_ok(fixture.store().override_verdict(change, entry()));
    });
    fixture.answer(&fixture.request(account, address(1)));
    conclude_check(bot());
    assert_makes_due(fixture, name, "replace_verdict", || {
        let store = fixture.store();
        let verdict = block_on_ok(store.verdict(&context.id, &address(1))).unwrap_or_default();
        let change = replacement(context, address(1), verdict, Verdict::default());
        block_on_ok(store.replace_verdict(change, entry()));
    });
}

fn rules(allowance: u64) -> MeterRules {
    MeterRules {
        allowance,
        ..MeterRules::default()
    }
}

fn assert_usage_makes_due(fixture: &Fixture, name: EndpointName, account: &TestAccount) {
    assert_makes_due(fixture, name, "answer", || {
        let request = fixture.request(account, address(1));
        fixture.answer(&LookupRequest {
            rules: rules(2),
            ..request
        });
    });
    assert_makes_due(fixture, name, "change_snapshot", || {
        let snapshot = uploaded(fixture, account, &[&[1]]);
        for _ in 0..2 {
            continue_job(fixture, &snapshot);
        }
    });
    let batch_account = fixture.account();
    let batch_name = create(fixture, &batch_account);
    assert_makes_due(fixture, batch_name, "answer_batch", || {
        let TestAccount { key, context, .. } = &batch_account;
        let request = fixture
            .make
            .batch_lookup(key, context, &[address(1), address(2)]);
        fixture.answer_batch(&BatchLookupRequest {
            rules: rules(2),
            ..request
        });
    });
}

fn assert_invoices_make_due(fixture: &Fixture, name: EndpointName, account: &TestAccount) {
    let client = account.client.id;
    let request = fixture.request(account, address(1));
    fixture.answer(&LookupRequest {
        rules: rules(0),
        ..request
    });
    fixture.clock.advance(Duration::from_hours(24 * 31));
    let store = fixture.store();
    let mut invoices = Vec::new();
    assert_makes_due(fixture, name, "close", || {
        let issued_invoices =
            store.close(client, CloseScope::EndedPeriods, rules(0), Actor::Operator);
        invoices = block_on_ok(issued_invoices).unwrap_or_default();
    });
    assert_makes_due(fixture, name, "change_invoice", || {
        let id = invoices[0].id;
        let entry = audit(AuditAction::InvoicePaid, &id, fixture.now());
        block_on_ok(store.change_invoice(id, InvoiceChange::Pay, entry));
    });
}

/// Asserts that the event of one endpoint is sent to another one.
fn assert_endpoints_make_due(fixture: &Fixture, name: EndpointName, account: &TestAccount) {
    let gone_name = create(fixture, account);
    fixture.key(&account.client);
    let attempts = claim(fixture, gone_name, 1);
    assert_makes_due(fixture, name, "conclude_deliveries", || {
        conclude(fixture, gone_name, &attempts, answered(410));
    });
    assert_eq!(record(fixture, gone_name).due_at, None);
}

fn assert_inactive_endpoint_is_not_due(
    fixture: &Fixture,
    name: EndpointName,
    account: &TestAccount,
) {
    deliver_all(fixture, name);
    change(fixture, name, EndpointChange::Pause);
    fixture.key(&account.client);
    assert_eq!(record(fixture, name).due_at, None, "paused");
    change(fixture, name, EndpointChange::Resume);
    assert!(is_due(fixture, name), "resumed");
    assert_eq!(claim(fixture, name, 1).len(), 1);
    fixture.key(&account.client);
    let lease_end = fixture.now().saturating_add(ATTEMPT_LEASE);
    assert_eq!(record(fixture, name).due_at, Some(lease_end), "claimed");
    assert!(!is_due(fixture, name));
    fixture.clock.set(lease_end);
    assert!(is_due(fixture, name));
}

fn due_endpoints_are_listed_by_time(fixture: &mut Fixture) {
    let accounts = [(); 3].map(|()| fixture.account());
    let mut endpoints: Vec<_> = accounts
        .iter()
        .map(|account| (create(fixture, account), account))
        .collect();
    // The order of times is not that of names.
    endpoints.sort_by_key(|(name, _)| std::cmp::Reverse(*name));
    for (_, account) in &endpoints {
        fixture.clock.advance(Duration::from_secs(1));
        fixture.key(&account.client);
    }
    for (_, account) in endpoints.iter().rev() {
        fixture.clock.advance(Duration::from_secs(1));
        fixture.key(&account.client);
    }
    let names: Vec<_> = endpoints.iter().map(|(name, _)| *name).collect();
    let list = |lane, limit| block_on_ok(fixture.store().due_endpoints(lane, limit));
    for limit in 1..=4 {
        let expected_names = &names[..limit.min(3)];
        assert_eq!(list(DeliveryLane::Healthy, limit), expected_names);
        assert_eq!(list(DeliveryLane::Failing, limit), []);
    }
    assert_retry_is_due_at_its_time(fixture, &names);
    assert_wrong_clock_delays_nothing(fixture, &names);
}

/// Lets the first endpoint fail and deliver, and asserts that it is in the other lane until then.
fn assert_retry_is_due_at_its_time(fixture: &Fixture, names: &[EndpointName]) {
    let [first, others @ ..] = names else {
        panic!("there are no endpoints");
    };
    let attempts = claim(fixture, *first, 10);
    conclude(fixture, *first, &attempts, answered(500));
    assert_eq!(due(fixture, DeliveryLane::Healthy), others);
    assert_eq!(due(fixture, DeliveryLane::Failing), []);
    let retry_at = record(fixture, *first).due_at.unwrap_or_default();
    assert!(retry_at > fixture.now());
    fixture
        .clock
        .set(retry_at.saturating_sub(Duration::from_millis(1)));
    assert_eq!(due(fixture, DeliveryLane::Failing), []);
    fixture.clock.set(retry_at);
    assert_eq!(due(fixture, DeliveryLane::Failing), [*first]);
    assert_eq!(due(fixture, DeliveryLane::Healthy), others);
    assert_eq!(deliver_all(fixture, *first).len(), 2);
    assert_eq!(due(fixture, DeliveryLane::Healthy), others);
    assert_eq!(due(fixture, DeliveryLane::Failing), []);
}

/// Sets the clock back behind the longest wait: the retry is due at once.
fn assert_wrong_clock_delays_nothing(fixture: &Fixture, names: &[EndpointName]) {
    let last = names[2];
    let attempts = claim(fixture, last, 10);
    let outcome = AttemptOutcome::Answered {
        status: 503,
        retry_after: Some(MAX_RETRY_AFTER),
    };
    conclude(fixture, last, &attempts, outcome);
    fixture
        .clock
        .set(fixture.now().saturating_sub(Duration::from_mins(5)));
    assert_eq!(due(fixture, DeliveryLane::Failing), []);
    // The times of the other endpoints are not so late that they must be wrong.
    assert_eq!(due(fixture, DeliveryLane::Healthy), []);
    fixture
        .clock
        .set(fixture.now().saturating_sub(Duration::from_hours(5)));
    assert_eq!(due(fixture, DeliveryLane::Failing), [last]);
    assert_eq!(claim(fixture, last, 10).len(), 1);
    assert_eq!(due(fixture, DeliveryLane::Failing), []);
}
