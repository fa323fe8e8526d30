//! Promises of `EventStore`.

use super::cases;
use super::snapshots::{continue_job, uploaded};
use crate::block_on::{block_on, block_on_ok};
use crate::fixture::{ALL, Fixture, TestAccount, together};
use crate::generate::{address, audit, bot, human, overrule, replacement};
use crate::paging::assert_paged;
use std::time::Duration;
use voight_domain::events::{ClientEvent, EventFeed, EventSubject, EventType};
use voight_domain::invoicing::{CloseScope, InvoiceChange};
use voight_domain::metering::{Limit, LookupRequest, MeterRules};
use voight_domain::ports::{FeedOfClient, RegisterOutcome};
use voight_domain::registry::{
    Actor, AuditAction, ContextChange, ContextTransfer, KeyChange, TransferScope,
};
use voight_domain::verdict::{Assessment, OverrideTo, Verdict, answer};
use voight_domain::vocabulary::{ClientId, Environment, Timestamp};

cases![
    event_and_change_are_one,
    events_are_gapless,
    events_follow_the_rules,
    retried_change_has_one_event,
    events_are_paged_in_order,
    recent_feeds_are_listed,
    old_events_are_purged,
];

fn events(fixture: &Fixture, client: ClientId) -> Vec<ClientEvent> {
    block_on_ok(fixture.store().events(client, 0, ALL))
}

fn feed(fixture: &Fixture, client: ClientId) -> EventFeed {
    block_on_ok(fixture.store().event_feed(client))
}

/// Returns the types of the events after those of the registration of the account, and forgets nothing.
fn types_after(fixture: &Fixture, account: &TestAccount, number: u64) -> Vec<EventType> {
    block_on_ok(fixture.store().events(account.client.id, number, ALL))
        .into_iter()
        .map(|event| event.event.event_type)
        .collect()
}

fn conclude(fixture: &Fixture, account: &TestAccount, number: u32, assessment: Assessment) {
    fixture.conclude(&fixture.make.conclusion(
        &account.context,
        address(number),
        assessment,
        fixture.now(),
    ));
}

fn look_up(fixture: &Fixture, account: &TestAccount, number: u32) {
    fixture.answer(&fixture.request(account, address(number)));
}

fn change_context(fixture: &Fixture, account: &TestAccount, change: ContextChange) {
    let id = &account.context.id;
    let entry = audit(AuditAction::ContextChanged, id, fixture.now());
    block_on_ok(fixture.store().change_context(id, change, entry));
}

fn change_key(fixture: &Fixture, account: &TestAccount, change: KeyChange) {
    let id = account.key.id;
    let entry = audit(AuditAction::KeyRotated, &id, fixture.now());
    block_on_ok(fixture.store().change_key(id, change, entry));
}

fn event_and_change_are_one(fixture: &mut Fixture) {
    let account = fixture.account();
    let before = events(fixture, account.client.id);
    let missing_context = fixture.make.context(&account.key, fixture.now());
    let entry = audit(
        AuditAction::ContextChanged,
        &missing_context.id,
        fixture.now(),
    );
    let store = fixture.store();
    let change = ContextChange::default();
    let changed_context =
        block_on_ok(store.change_context(&missing_context.id, change, entry.clone()));
    assert_eq!(changed_context, None);
    let overridden_verdict = block_on(store.override_verdict(
        overrule(&missing_context, address(1), OverrideTo::Bot),
        entry.clone(),
    ));
    assert!(overridden_verdict.is_err(), "{overridden_verdict:?}");
    let duplicate_key = block_on(store.create_key(account.key.clone(), entry.clone()));
    assert!(duplicate_key.is_err(), "{duplicate_key:?}");
    let duplicate_context = block_on(store.register_context(account.context.clone(), None, entry));
    assert!(duplicate_context.is_err(), "{duplicate_context:?}");
    assert_eq!(events(fixture, account.client.id), before);
    assert_eq!(feed(fixture, account.client.id).last, before.len() as u64);
}

fn events_are_gapless(fixture: &mut Fixture) {
    let account = fixture.account();
    together(|thread| {
        let thread = u32::try_from(thread).unwrap_or(u32::MAX);
        for number in 0..5 {
            conclude(fixture, &account, 10 * thread + number, human());
            fixture.context(&account.key);
        }
    });
    let all_events = events(fixture, account.client.id);
    let numbers: Vec<_> = all_events.iter().map(|event| event.number).collect();
    let expected_numbers: Vec<_> = (1..=all_events.len() as u64).collect();
    assert_eq!(numbers, expected_numbers);
    assert!(all_events.is_sorted_by_key(|event| event.at));
    let last_event = all_events.last().map(|event| (event.number, event.at));
    let feed = feed(fixture, account.client.id);
    assert_eq!(Some((feed.last, feed.last_at)), last_event);
    assert_eq!(feed.purged, 0);
}

fn events_follow_the_rules(fixture: &mut Fixture) {
    let account = fixture.account();
    let created_types = types_after(fixture, &account, 0);
    assert_eq!(
        created_types,
        [EventType::KeyIssued, EventType::ContextCreated]
    );
    assert_verdict_events(fixture, &account);
    assert_registry_events(fixture, &account);
    assert_usage_events(fixture);
    assert_invoice_events(fixture);
    assert_snapshot_events(fixture);
}

/// Asserts that events have the answer exactly for an address that the client has looked up.
fn assert_verdict_events(fixture: &Fixture, account: &TestAccount) {
    let client = account.client.id;
    let before = feed(fixture, client).last;
    // The first verdict has an event, later changes have none until the client has looked the address up.
    conclude(fixture, account, 1, human());
    conclude(fixture, account, 1, bot());
    conclude(fixture, account, 2, bot());
    conclude(fixture, account, 3, human());
    let first_types = types_after(fixture, account, before);
    assert_eq!(first_types, [EventType::VerdictChanged; 3]);
    for number in [2, 3] {
        look_up(fixture, account, number);
        look_up(fixture, account, number);
    }
    conclude(fixture, account, 2, bot());
    conclude(fixture, account, 3, bot());
    let entry = audit(AuditAction::VerdictOverridden, "address", fixture.now());
    let store = fixture.store();
    let to_human = overrule(&account.context, address(2), OverrideTo::Human);
    block_on_ok(store.override_verdict(to_human, entry.clone()));
    let verdict = block_on_ok(store.verdict(&account.context.id, &address(3)));
    let verdict = verdict.unwrap_or_default();
    let clean = replacement(&account.context, address(3), verdict, Verdict::default());
    block_on_ok(store.replace_verdict(clean, entry));
    let later_events = block_on_ok(store.events(client, before + 3, ALL));
    let later_types: Vec<_> = later_events
        .iter()
        .map(|event| event.event.event_type)
        .collect();
    assert_eq!(
        later_types,
        [
            EventType::VerdictFlagged,
            EventType::VerdictChanged,
            EventType::VerdictChanged
        ]
    );
    for (event, number) in later_events.iter().zip([3, 2, 3]) {
        let EventSubject::Verdict {
            context,
            address: subject,
            answer: event_answer,
        } = &event.event.subject
        else {
            panic!("no verdict: {event:?}");
        };
        assert_eq!(
            (context, *subject),
            (&account.context.id, Some(address(number)))
        );
        let is_bot = event.event.event_type == EventType::VerdictFlagged;
        assert_eq!(event_answer.map(|answer| answer.is_bot), Some(is_bot));
    }
    let stored_verdict = block_on_ok(store.verdict(&account.context.id, &address(3)));
    let last_answer = stored_verdict.map(|verdict| answer(&verdict, &account.context.settings));
    let last_subject = later_events.last().map(|event| &event.event.subject);
    assert!(
        matches!(last_subject, Some(EventSubject::Verdict { answer, .. }) if *answer == last_answer),
        "{last_subject:?}"
    );
}

fn assert_registry_events(fixture: &Fixture, account: &TestAccount) {
    let before = feed(fixture, account.client.id).last;
    let other_key = fixture.key(&account.client);
    let transfer = ContextTransfer {
        scope: TransferScope::Context(account.context.id.clone()),
        to: other_key.id,
        at: fixture.now(),
        actor: Actor::Operator,
        reason: String::new(),
    };
    block_on_ok(fixture.store().transfer_contexts(transfer));
    let archived_at = Some(Some(fixture.now()));
    let archival = ContextChange {
        archived_at,
        ..ContextChange::default()
    };
    change_context(fixture, account, archival);
    change_context(fixture, account, ContextChange::default());
    fixture.rotate(&account.key, fixture.now());
    let revocation = KeyChange::Revoke { at: fixture.now() };
    change_key(fixture, account, revocation.clone());
    change_key(fixture, account, revocation);
    assert_eq!(
        types_after(fixture, account, before),
        [
            EventType::KeyIssued,
            EventType::ContextChanged,
            EventType::ContextArchived,
            EventType::KeyRotated,
            EventType::KeyRevoked,
        ]
    );
}

fn assert_usage_events(fixture: &Fixture) {
    for (account, environment) in [
        (fixture.account(), Environment::Live),
        (fixture.sandbox_account(), Environment::Sandbox),
    ] {
        let before = feed(fixture, account.client.id).last;
        if environment == Environment::Live {
            fixture.set_limit(&account.client, Limit::Lookups(Some(6)));
        }
        for number in 0..8 {
            let request = fixture.request(&account, address(number));
            fixture.answer(&LookupRequest {
                rules: MeterRules {
                    allowance: 5,
                    ..MeterRules::default()
                },
                ..request
            });
        }
        let usage_events = block_on_ok(fixture.store().events(account.client.id, before, ALL));
        let rows: Vec<_> = usage_events
            .iter()
            .map(|event| (event.event.event_type, event.event.subject.clone()))
            .collect();
        let mut expected_rows = vec![
            (EventType::Allowance80, EventSubject::Ledger(4)),
            (EventType::Allowance100, EventSubject::Ledger(5)),
        ];
        if environment == Environment::Live {
            expected_rows.push((EventType::CapReached, EventSubject::Ledger(6)));
        }
        assert_eq!(rows, expected_rows);
        assert!(
            usage_events
                .iter()
                .all(|event| event.event.environment == environment)
        );
    }
}

fn assert_invoice_events(fixture: &Fixture) {
    let account = fixture.account();
    let client = account.client.id;
    let before = feed(fixture, client).last;
    let rules = MeterRules {
        allowance: 0,
        ..MeterRules::default()
    };
    let close = |lookups: u32| {
        for number in 0..lookups {
            let request = fixture.request(&account, address(number));
            fixture.answer(&LookupRequest {
                rules: rules.clone(),
                ..request
            });
        }
        fixture.clock.advance(Duration::from_hours(24 * 31));
        let issued_invoices = block_on_ok(fixture.store().close(
            client,
            CloseScope::EndedPeriods,
            rules.clone(),
            Actor::Operator,
        ));
        match issued_invoices.as_deref() {
            Some([invoice]) => invoice.id,
            other => panic!("not one invoice: {other:?}"),
        }
    };
    let change = |id, change| {
        let entry = audit(AuditAction::InvoicePaid, &id, fixture.now());
        block_on_ok(fixture.store().change_invoice(id, change, entry));
    };
    change(close(1), InvoiceChange::Pay);
    let reason = "wrong".to_owned();
    change(close(1), InvoiceChange::Void { reason });
    // The period of the voided invoice is on the next one.
    change(close(0), InvoiceChange::WriteOff);
    let event_rows: Vec<_> = block_on_ok(fixture.store().events(client, before, ALL))
        .into_iter()
        .filter(|event| matches!(event.event.subject, EventSubject::Invoice(_)))
        .map(|event| (event.event.event_type, event.event.subject))
        .collect();
    assert_eq!(
        event_rows,
        [
            (EventType::InvoiceIssued, EventSubject::Invoice(1)),
            (EventType::InvoicePaid, EventSubject::Invoice(1)),
            (EventType::InvoiceIssued, EventSubject::Invoice(2)),
            (EventType::InvoiceVoided, EventSubject::Invoice(2)),
            (EventType::InvoiceIssued, EventSubject::Invoice(3)),
        ]
    );
}

fn assert_snapshot_events(fixture: &Fixture) {
    let account = fixture.account();
    let before = feed(fixture, account.client.id).last;
    let snapshot = uploaded(fixture, &account, &[&[1, 2], &[3]]);
    fixture.set_limit(&account.client, Limit::Lookups(Some(0)));
    continue_job(fixture, &snapshot);
    continue_job(fixture, &snapshot);
    fixture.set_limit(&account.client, Limit::Lookups(None));
    for _ in 0..3 {
        continue_job(fixture, &snapshot);
    }
    assert_eq!(
        types_after(fixture, &account, before),
        [EventType::SnapshotPaused, EventType::SnapshotDraft]
    );
}

fn retried_change_has_one_event(fixture: &mut Fixture) {
    let account = fixture.account();
    let before = feed(fixture, account.client.id).last;
    let now = fixture.now();
    let conclusion = fixture
        .make
        .conclusion(&account.context, address(1), human(), now);
    let context = fixture.make.context(&account.key, now);
    let idempotency = fixture.make.idempotency();
    for _ in 0..3 {
        fixture.conclude(&conclusion);
        let entry = audit(AuditAction::ContextRegistered, &context.id, now);
        let outcome = block_on_ok(fixture.store().register_context(
            context.clone(),
            Some(idempotency),
            entry,
        ));
        assert!(
            matches!(
                outcome,
                RegisterOutcome::Registered(_) | RegisterOutcome::Replayed(_)
            ),
            "{outcome:?}"
        );
    }
    assert_eq!(
        types_after(fixture, &account, before),
        [EventType::VerdictChanged, EventType::ContextCreated]
    );
}

fn events_are_paged_in_order(fixture: &mut Fixture) {
    let account = fixture.account();
    for number in 0..7 {
        conclude(fixture, &account, number, human());
    }
    let client = account.client.id;
    fixture.account();
    assert_paged(&events(fixture, client), &[1, 2, 100], |last, limit| {
        let after = last.map_or(0, |event| event.number);
        block_on_ok(fixture.store().events(client, after, limit))
    });
    let unknown_client = fixture.make.client(fixture.now()).id;
    assert_eq!(events(fixture, unknown_client), []);
    assert_eq!(feed(fixture, unknown_client), EventFeed::default());
}

fn recent_feeds_are_listed(fixture: &mut Fixture) {
    let list = |since: Timestamp, after, limit| {
        block_on_ok(fixture.store().recent_feeds(since, after, limit))
    };
    let start = fixture.now();
    let old_account = fixture.account();
    fixture.client();
    fixture.clock.advance(Duration::from_secs(1));
    let since = fixture.now();
    let new_accounts = [0; 3].map(|_| fixture.account());
    let mut feeds: Vec<_> = new_accounts
        .iter()
        .map(|account| account.client.id)
        .map(|client| FeedOfClient {
            client,
            feed: feed(fixture, client),
        })
        .collect();
    feeds.sort_by_key(|feed| feed.client);
    assert_eq!(list(since, None, ALL), feeds);
    assert_paged(&feeds, &[1, 2], |last, limit| {
        list(since, last.map(|feed| feed.client), limit)
    });
    let all_clients: Vec<_> = list(start, None, ALL)
        .iter()
        .map(|feed| feed.client)
        .collect();
    assert_eq!(all_clients.len(), 4, "a client without events has a feed");
    assert!(all_clients.contains(&old_account.client.id));
}

fn old_events_are_purged(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_account = fixture.account();
    fixture.clock.advance(Duration::from_secs(1));
    let cutoff = fixture.now();
    fixture.context(&account.key);
    let purge = |limit| block_on_ok(fixture.store().purge_events(cutoff, limit));
    let purged_counts = [0; 3].map(|_| purge(3));
    assert_eq!(purged_counts, [3, 1, 0]);
    let kept_numbers: Vec<_> = events(fixture, account.client.id)
        .iter()
        .map(|event| event.number)
        .collect();
    assert_eq!(kept_numbers, [3]);
    assert_eq!(events(fixture, other_account.client.id), []);
    let feeds = [&account, &other_account].map(|account| feed(fixture, account.client.id));
    assert_eq!(feeds.map(|feed| (feed.last, feed.purged)), [(3, 2), (2, 2)]);
    // Numbers are not assigned again.
    fixture.context(&other_account.key);
    let next_numbers: Vec<_> = events(fixture, other_account.client.id)
        .iter()
        .map(|event| event.number)
        .collect();
    assert_eq!(next_numbers, [3]);
}
