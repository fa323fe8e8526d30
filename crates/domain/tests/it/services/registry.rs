//! Clients, keys and contexts.

use crate::services::fixture::{ADDRESS, Fixture, person};
use std::time::Duration;
use voight_domain::Scope;
use voight_domain::billing::Money;
use voight_domain::events::{EventSubject, EventType};
use voight_domain::metering::{Limit, Period, PeriodStartDay};
use voight_domain::ports::Clock;
use voight_domain::registry::{
    Actor, AuditAction, ClientChange, ClientStatus, ContextAccess, ContextChange, KEY_EXPIRY_NOTICE,
};
use voight_domain::services::{
    Denied, IssueKey, IssuedKey, LookupQuery, NameCache, Registration, RegistrationRequest,
    Revocation, ServiceError, Unauthorized,
};
use voight_domain::vocabulary::{Environment, KeyId, ScopeSet};
use voight_support::poll_now;

#[test]
fn key_authenticates_until_revocation() {
    let bench = Fixture::new(person());
    let issued_key = bench.key(&bench.client("acme"));
    let secret = issued_key.secret.expose();
    assert_eq!(
        poll_now(bench.registry.authenticate(secret))
            .unwrap()
            .0
            .key
            .id,
        issued_key.key.id
    );
    poll_now(
        bench
            .registry
            .revoke_key(issued_key.key.id, Revocation::default()),
    )
    .unwrap();
    assert_eq!(
        poll_now(bench.registry.authenticate(secret)).unwrap_err(),
        Unauthorized::InvalidKey
    );
}

#[test]
fn rotated_key_accepts_both_secrets_in_overlap() {
    let bench = Fixture::new(person());
    let issued_key = bench.key(&bench.client("acme"));
    let rotated_key = poll_now(bench.registry.rotate_key(
        issued_key.key.id,
        Duration::from_mins(1),
        None,
    ))
    .unwrap();
    assert_eq!(rotated_key.key.id, issued_key.key.id);
    assert!(poll_now(bench.registry.authenticate(issued_key.secret.expose())).is_ok());
    bench.clock.advance(Duration::from_mins(1));
    assert!(poll_now(bench.registry.authenticate(issued_key.secret.expose())).is_err());
    assert!(poll_now(bench.registry.authenticate(rotated_key.secret.expose())).is_ok());
}

#[test]
fn contradictory_rotation_is_rejected() {
    let bench = Fixture::new(person());
    let issued_key = bench.key(&bench.client("acme"));
    let rotate = |overlap| {
        poll_now(bench.registry.rotate_key(issued_key.key.id, overlap, None))
            .map(drop)
            .map_err(|error| error.to_string())
    };
    assert!(
        rotate(Duration::from_hours(31 * 24))
            .unwrap_err()
            .contains("at most 30 days")
    );
    poll_now(
        bench
            .registry
            .revoke_key(issued_key.key.id, Revocation::default()),
    )
    .unwrap();
    let message = rotate(Duration::from_hours(24)).unwrap_err();
    assert!(
        message.contains(&format!("`voight key rotate --now {}`", issued_key.key.id)),
        "{message}"
    );
}

#[test]
fn zero_overlap_rotation_reinstates_a_key() {
    let bench = Fixture::new(person());
    let issued_key = bench.key(&bench.client("acme"));
    poll_now(
        bench
            .registry
            .revoke_key(issued_key.key.id, Revocation::default()),
    )
    .unwrap();
    let reinstated_key = poll_now(bench.registry.rotate_key(
        issued_key.key.id,
        Duration::ZERO,
        Some("ticket 7"),
    ))
    .unwrap();
    assert_eq!(
        (reinstated_key.key.id, reinstated_key.key.revoked_at),
        (issued_key.key.id, None)
    );
    assert!(poll_now(bench.registry.authenticate(reinstated_key.secret.expose())).is_ok());
    assert!(poll_now(bench.registry.authenticate(issued_key.secret.expose())).is_err());
    let log = poll_now(bench.ports.store.audit(0, 100)).unwrap();
    let entry = &log.last().unwrap().entry;
    assert_eq!(entry.action, AuditAction::KeyReinstated);
    assert!(
        entry.detail.contains("active again") && entry.detail.ends_with(": ticket 7"),
        "{}",
        entry.detail
    );
}

#[test]
fn keys_that_expire_soon_are_listed() {
    let bench = Fixture::new(person());
    let now = bench.clock.now();
    let issue = |name: &str, expires_at| {
        let request = IssueKey {
            client: bench.client(name).id,
            environment: Environment::Live,
            scopes: ScopeSet::all(),
            networks: vec![],
            expires_at,
            label: None,
        };
        poll_now(bench.registry.issue_key(request)).unwrap().key
    };
    let count = || poll_now(bench.registry.expiring_keys()).unwrap().len();
    issue("never", None);
    let end_of_notice = now.saturating_add(KEY_EXPIRY_NOTICE);
    issue(
        "later",
        Some(end_of_notice.saturating_add(Duration::from_millis(1))),
    );
    assert_eq!(count(), 0);
    let soon = issue("soon", Some(end_of_notice));
    issue("now", Some(now.saturating_add(Duration::from_millis(1))));
    assert_eq!(count(), 2);
    bench.clock.advance(Duration::from_millis(1));
    assert_eq!(count(), 2, "one has expired, another is due");
    poll_now(bench.registry.revoke_key(soon.id, Revocation::default())).unwrap();
    assert_eq!(count(), 1);
}

#[test]
fn expiring_key_is_reported_once() {
    let bench = Fixture::new(person());
    let client = bench.client("acme");
    let end = bench.clock.now().saturating_add(KEY_EXPIRY_NOTICE);
    let expiries = [None, Some(end), Some(end.saturating_add(KEY_EXPIRY_NOTICE))];
    let [_, expiring_key, _] = expiries.map(|expires_at| {
        let request = IssueKey {
            client: client.id,
            environment: Environment::Live,
            scopes: ScopeSet::all(),
            networks: vec![],
            expires_at,
            label: None,
        };
        poll_now(bench.registry.issue_key(request)).unwrap().key
    });
    for _ in 0..2 {
        let keys = poll_now(bench.registry.expiring_keys()).unwrap();
        assert_eq!(keys.len(), 1, "a reported key still expires soon");
        let now = bench.clock.now();
        poll_now(bench.maintenance.report_expiring_keys(&keys, now)).unwrap();
    }
    let store = &bench.ports.store;
    let events = poll_now(store.events(client.id, 3, 100)).unwrap();
    let rows: Vec<_> = events
        .into_iter()
        .map(|event| (event.event.event_type, event.event.subject))
        .collect();
    let subject = EventSubject::Key(expiring_key.id);
    assert_eq!(rows, [(EventType::KeyExpiring, subject)]);
    let entries: Vec<_> = poll_now(store.audit(0, 100))
        .unwrap()
        .into_iter()
        .filter(|record| record.entry.action == AuditAction::KeyExpiring)
        .map(|record| (record.entry.actor, record.entry.subject))
        .collect();
    assert_eq!(entries, [(Actor::Service, expiring_key.id.to_string())]);
}

#[test]
fn rotation_of_an_expired_key_is_rejected() {
    let bench = Fixture::new(person());
    let client = bench.client("acme");
    let expires_at = Some(bench.clock.now().saturating_add(Duration::from_mins(1)));
    let scopes = ScopeSet::all();
    let request = IssueKey {
        client: client.id,
        environment: Environment::Live,
        scopes,
        networks: vec![],
        expires_at,
        label: None,
    };
    let id = poll_now(bench.registry.issue_key(request)).unwrap().key.id;
    bench.clock.advance(Duration::from_mins(1));
    for overlap in [Duration::ZERO, Duration::from_mins(1)] {
        let message = poll_now(bench.registry.rotate_key(id, overlap, None))
            .unwrap_err()
            .to_string();
        assert!(message.contains("never extends an expiry"), "{message}");
        assert!(
            message.contains(&format!(
                "`voight key revoke {id} --move-contexts-to KEY_ID`"
            )),
            "{message}"
        );
    }
    let key = bench.key(&client).key;
    let entry = poll_now(bench.ports.store.audit(0, 1))
        .unwrap()
        .remove(0)
        .entry;
    poll_now(bench.ports.store.change_client(
        client.id,
        ClientChange::Status(ClientStatus::Closed),
        entry,
    ))
    .unwrap();
    let message = poll_now(bench.registry.rotate_key(key.id, Duration::ZERO, None))
        .unwrap_err()
        .to_string();
    assert!(message.contains("permanently closed"), "{message}");
}

#[test]
fn contexts_at_stake_list_live_contexts_first() {
    let bench = Fixture::new(person());
    let client = bench.client("acme");
    let own_key = bench.key(&client);
    let other_key = bench.key(&client);
    let register = |issued_key: &IssuedKey| {
        let (holder, _) =
            poll_now(bench.registry.authenticate(issued_key.secret.expose())).unwrap();
        bench.register(&holder, "spring")
    };
    let archived_context = register(&own_key);
    let live = register(&own_key);
    let foreign = register(&other_key);
    poll_now(
        bench
            .registry
            .archive_context(&archived_context, Actor::Operator),
    )
    .unwrap();
    let at_stake = |issued_key: &IssuedKey| {
        let contexts = poll_now(bench.registry.contexts_at_stake(issued_key.key.id)).unwrap();
        contexts
            .into_iter()
            .map(|context_at_stake| {
                (
                    context_at_stake.context.id,
                    context_at_stake.becomes_unreachable,
                )
            })
            .collect::<Vec<_>>()
    };
    let unreachable = || poll_now(bench.registry.unreachable_contexts(10)).unwrap();
    assert_eq!(
        at_stake(&own_key),
        [(live.clone(), true), (archived_context.clone(), true)]
    );
    assert_eq!(unreachable(), []);
    // If contexts are shared, one of two keys can be revoked without effect; the revocation of the last one affects all
    // contexts.
    poll_now(
        bench
            .registry
            .change_client(client.id, ClientChange::Contexts(ContextAccess::Client)),
    )
    .unwrap();
    assert_eq!(
        at_stake(&own_key),
        [(live.clone(), false), (archived_context.clone(), false)]
    );
    poll_now(
        bench
            .registry
            .revoke_key(own_key.key.id, Revocation::default()),
    )
    .unwrap();
    assert_eq!(unreachable(), []);
    assert_eq!(
        at_stake(&other_key),
        [
            (live.clone(), true),
            (foreign, true),
            (archived_context.clone(), true)
        ]
    );
    poll_now(bench.registry.change_client(
        client.id,
        ClientChange::Contexts(ContextAccess::RegisteringKey),
    ))
    .unwrap();
    assert_eq!(
        unreachable()
            .iter()
            .map(|context_at_stake| &context_at_stake.context.id)
            .collect::<Vec<_>>(),
        [&live]
    );
    assert_eq!(
        at_stake(&own_key),
        [(live.clone(), false), (archived_context, false)],
        "they are out of reach already"
    );
    // The contexts of a key that is already revoked can still be moved.
    let move_contexts_to = Some(other_key.key.id);
    let revocation = Revocation {
        move_contexts_to,
        reason: Some("leaked".into()),
    };
    let (key, moved) = poll_now(bench.registry.revoke_key(own_key.key.id, revocation)).unwrap();
    assert_eq!((key.id, moved, unreachable()), (own_key.key.id, 2, vec![]));
}

#[test]
fn scope_is_verified_before_client_status() {
    let bench = Fixture::new(person());
    let (mut holder, _) = bench.context("acme");
    holder.client = holder
        .client
        .with_change(ClientChange::Status(ClientStatus::Suspended));
    assert_eq!(
        holder.authorise_scope(Scope::LookupRead),
        Err(Denied::Suspended)
    );
    holder.key.scopes = [Scope::UsageRead].into_iter().collect();
    assert_eq!(
        holder.authorise_scope(Scope::LookupRead),
        Err(Denied::Scope(Scope::LookupRead))
    );
}

#[test]
fn closed_client_reads_only_usage() {
    let bench = Fixture::new(person());
    let (mut holder, _) = bench.context("acme");
    holder.client.status = ClientStatus::Closed;
    assert_eq!(holder.authorise_scope(Scope::UsageRead), Ok(()));
    for scope in [Scope::LookupRead, Scope::ContextRegister] {
        assert_eq!(
            holder.authorise_scope(scope),
            Err(Denied::Closed),
            "{scope}"
        );
    }
    holder.client.status = ClientStatus::Suspended;
    assert_eq!(
        holder.authorise_scope(Scope::UsageRead),
        Err(Denied::Suspended)
    );
}

#[test]
fn key_is_rejected_from_other_networks() {
    let bench = Fixture::new(person());
    let (mut holder, _) = bench.context("acme");
    holder.key.networks = vec!["192.0.2.0/24".parse().unwrap()];
    assert_eq!(
        holder.authorise_network("192.0.2.7".parse().unwrap()),
        Ok(())
    );
    assert_eq!(
        holder.authorise_network("::ffff:192.0.2.7".parse().unwrap()),
        Ok(())
    );
    assert_eq!(
        holder.authorise_network("198.51.100.1".parse().unwrap()),
        Err(Denied::Network)
    );
}

#[test]
fn client_is_found_by_name_or_id() {
    let bench = Fixture::new(person());
    let client = bench.client("acme");
    assert_eq!(
        poll_now(bench.registry.find_client("acme")).unwrap(),
        client
    );
    assert_eq!(
        poll_now(bench.registry.find_client(&client.id.to_string())).unwrap(),
        client
    );
    assert!(matches!(
        poll_now(bench.registry.find_client("unknown")),
        Err(ServiceError::NotFound(_))
    ));
}

#[test]
fn change_replaces_only_its_fields() {
    let bench = Fixture::new(person());
    let (_, id) = bench.context("acme");
    let change = ContextChange {
        device_limit: Some(9),
        ..ContextChange::default()
    };
    let changed_context = poll_now(bench.registry.change_context(
        &id,
        change,
        Actor::Operator,
        "a test".into(),
    ))
    .unwrap();
    assert_eq!(
        (
            changed_context.settings.device_limit,
            changed_context.settings.retention_days
        ),
        (9, 30)
    );
}

#[test]
fn registration_replays_only_to_its_key() {
    let bench = Fixture::new(person());
    let client = bench.client("acme");
    let register = |issued_key: &IssuedKey| {
        let (holder, _) =
            poll_now(bench.registry.authenticate(issued_key.secret.expose())).unwrap();
        let title = "spring".parse().unwrap();
        let idempotency_key = Some("set-up".parse().unwrap());
        let request = RegistrationRequest {
            title,
            idempotency_key,
        };
        poll_now(
            bench
                .registry
                .register_context(&holder, request, Actor::Key(holder.key.id)),
        )
        .unwrap()
    };
    let mine = bench.key(&client);
    let other_key = bench.key(&client);
    let Registration::Registered(id) = register(&mine) else {
        panic!("the first registration")
    };
    assert_eq!(register(&mine), Registration::Replayed(id));
    assert_eq!(
        register(&other_key),
        Registration::KeyReused,
        "its lookups there would be refused"
    );
}

/// Returns the details of the last `count` audit entries.
fn last_details(bench: &Fixture, count: usize) -> Vec<String> {
    let log = poll_now(bench.ports.store.audit(0, 1_000)).unwrap();
    log[log.len() - count..]
        .iter()
        .map(|record| record.entry.detail.clone())
        .collect()
}

#[test]
fn client_changes_are_audited() {
    let bench = Fixture::new(person());
    let id = bench.client("acme").id;
    let change = |change| poll_now(bench.registry.change_client(id, change)).unwrap();
    let origin = "https://quest.example".parse().unwrap();
    assert_eq!(
        change(ClientChange::Status(ClientStatus::Suspended)).status,
        ClientStatus::Suspended
    );
    assert_eq!(
        change(ClientChange::Status(ClientStatus::Active)).status,
        ClientStatus::Active
    );
    assert_eq!(change(ClientChange::Origins(vec![origin])).origins.len(), 1);
    assert_eq!(change(ClientChange::Origins(Vec::new())).origins, []);
    assert_eq!(
        change(ClientChange::LookupRate(Some(7))).lookup_rate,
        Some(7)
    );
    assert_eq!(change(ClientChange::LookupRate(None)).lookup_rate, None);
    let descriptions = [
        "suspended",
        "resumed",
        "origins set to https://quest.example",
        "origins cleared: any origin may host its checks",
        "lookup rate set to 7 per second",
        "lookup rate reset to the configured one",
    ];
    assert_eq!(last_details(&bench, 6), descriptions);
}

#[test]
fn client_closes_with_its_last_invoice() {
    let bench = Fixture::new(person());
    let client = bench.client("acme");
    let set_status = |status| {
        poll_now(
            bench
                .registry
                .change_client(client.id, ClientChange::Status(status)),
        )
    };
    assert!(
        set_status(ClientStatus::Closed)
            .unwrap_err()
            .to_string()
            .contains("close it with its last invoice")
    );
    poll_now(bench.billing.close_client(&client)).unwrap();
    assert!(
        set_status(ClientStatus::Active)
            .unwrap_err()
            .to_string()
            .contains("permanently closed")
    );
    let closed_client = poll_now(bench.registry.find_client("acme")).unwrap();
    let error = poll_now(
        bench
            .billing
            .set_limit(&closed_client, Limit::Lookups(Some(5))),
    )
    .unwrap_err();
    assert!(error.to_string().contains("permanently closed"), "{error}");
}

#[test]
fn limit_changes_are_audited() {
    let bench = Fixture::new(person());
    let client = bench.client("acme");
    let amount = Money {
        minor: 1_250,
        currency: bench.billing.currency(),
    };
    for limit in [
        Limit::Lookups(Some(5)),
        Limit::Lookups(None),
        Limit::Money(Some(amount)),
        Limit::Money(None),
        Limit::Budget(Some(amount)),
        Limit::Budget(None),
    ] {
        poll_now(bench.billing.set_limit(&client, limit)).unwrap();
    }
    let amount = amount.to_string();
    let descriptions = [
        "cap in lookups: 5".to_owned(),
        "cap in lookups: none".to_owned(),
        format!("cap in money: {amount}"),
        "cap in money: none".to_owned(),
        format!("budget: {amount}"),
        "budget: none".to_owned(),
    ];
    assert_eq!(last_details(&bench, 6), descriptions);
}

#[test]
fn list_spans_store_pages() {
    const CONTEXTS: usize = 501;
    let bench = Fixture::new(person());
    let issued_key = bench.key(&bench.client("acme"));
    let (holder, key) = poll_now(bench.registry.authenticate(issued_key.secret.expose())).unwrap();
    let mut contexts: Vec<_> = (0..CONTEXTS)
        .map(|_| bench.register(&holder, "spring"))
        .collect();
    contexts.sort_unstable();
    let contexts_without_origins =
        poll_now(bench.registry.contexts_without_origins(CONTEXTS + 1)).unwrap();
    assert_eq!(
        contexts_without_origins
            .into_iter()
            .map(|context| context.id)
            .collect::<Vec<_>>(),
        contexts
    );
    assert_eq!(
        poll_now(bench.registry.contexts_without_origins(CONTEXTS))
            .unwrap()
            .len(),
        CONTEXTS
    );
    // The last context in the order of the ids is on the second page.
    let context = contexts.pop().unwrap();
    let query = LookupQuery {
        key,
        context: context.clone(),
        address: ADDRESS,
        idempotency_key: None,
        is_detailed: false,
    };
    poll_now(bench.lookups.look_up(query)).unwrap();
    let month = Period::month_containing(bench.clock.now(), PeriodStartDay::default());
    let range = poll_now(bench.ledgers.range(holder.ledger(), month)).unwrap();
    let page = poll_now(
        bench
            .ledgers
            .records(&range, &mut NameCache::default(), 0, 10),
    )
    .unwrap();
    assert_eq!(
        page.records
            .iter()
            .map(|record| &record.context)
            .collect::<Vec<_>>(),
        [&context]
    );
}

#[test]
fn contexts_move_only_to_an_existing_key() {
    let bench = Fixture::new(person());
    let (holder, context) = bench.context("acme");
    let unknown = KeyId::from_bytes([9; 16]);
    let move_result = poll_now(bench.registry.move_context(&context, unknown, None));
    assert!(
        matches!(&move_result, Err(ServiceError::NotFound(what)) if what.contains(&unknown.to_string())),
        "{move_result:?}"
    );
    let revocation = Revocation {
        move_contexts_to: Some(holder.key.id),
        reason: None,
    };
    let revoke_result = poll_now(bench.registry.revoke_key(unknown, revocation));
    assert!(
        matches!(&revoke_result, Err(ServiceError::NotFound(what)) if what.contains(&unknown.to_string())),
        "{revoke_result:?}"
    );
    let other_context = "summer.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap();
    let move_result = poll_now(
        bench
            .registry
            .move_context(&other_context, holder.key.id, None),
    );
    assert!(
        matches!(&move_result, Err(ServiceError::NotFound(what)) if what.contains("summer")),
        "{move_result:?}"
    );
}
