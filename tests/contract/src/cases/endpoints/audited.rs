//! Changes of endpoints and their audit entries.

use super::super::cases;
use super::record;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, together};
use crate::generate::audit;
use voight_domain::events::EventType;
use voight_domain::registry::{AuditAction, AuditEntry};
use voight_domain::vocabulary::{ClientId, Environment};
use voight_domain::webhooks::{
    AuditedChange, Endpoint, EndpointChange, EndpointCreation, EndpointName, FilterChange,
    MAX_ENDPOINTS,
};

cases![endpoint_change_and_audit_are_one];

fn endpoint_change_and_audit_are_one(fixture: &mut Fixture) {
    let account = fixture.account();
    let client = account.client.id;
    let mut log = AuditLog::new(fixture);
    let endpoint = new_endpoint(fixture, client);
    let name = endpoint.name();
    let creation_entry = log.next_entry();
    together(|_| {
        let creation = fixture
            .store()
            .create_endpoint(endpoint.clone(), creation_entry.clone());
        block_on_ok(creation)
    });
    log.expect([creation_entry], "a creation that is repeated");
    for requested_changes in requests() {
        change(&mut log, name, &requested_changes);
    }
    assert_other_names_are_not_audited(&mut log, name);
    assert_limit_is_not_audited(&mut log, client);
    delete(&mut log, name);
}

/// Audit log with the entries that it must have.
struct AuditLog<'a> {
    fixture: &'a Fixture,
    expected_entries: Vec<AuditEntry>,
    entry_count: usize,
}

impl<'a> AuditLog<'a> {
    fn new(fixture: &'a Fixture) -> Self {
        Self {
            fixture,
            expected_entries: entries(fixture),
            entry_count: 0,
        }
    }

    /// Returns an entry that is distinct from all others.
    fn next_entry(&mut self) -> AuditEntry {
        self.entry_count += 1;
        let subject = format!("entry {}", self.entry_count);
        audit(AuditAction::WebhookChanged, &subject, self.fixture.now())
    }

    /// Asserts that these entries, and no others, were appended.
    #[track_caller]
    fn expect(&mut self, new_entries: impl IntoIterator<Item = AuditEntry>, what: &str) {
        self.expected_entries.extend(new_entries);
        assert_eq!(entries(self.fixture), self.expected_entries, "{what}");
    }
}

fn entries(fixture: &Fixture) -> Vec<AuditEntry> {
    block_on_ok(fixture.store().audit(0, ALL))
        .into_iter()
        .map(|record| record.entry)
        .collect()
}

fn new_endpoint(fixture: &Fixture, client: ClientId) -> Endpoint {
    let now = fixture.now();
    fixture.make.endpoint(client, Environment::Live, now)
}

/// Requested change, and `true` if it changes something.
type RequestedChange = (EndpointChange, bool);

/// Returns requests, each of which is made in one call.
fn requests() -> Vec<Vec<RequestedChange>> {
    let url = EndpointChange::Url("https://platform.example/new".to_owned());
    let types = [EventType::KeyIssued].into_iter().collect();
    let filter = EndpointChange::Filter(FilterChange {
        types: Some(types),
        contexts: None,
    });
    vec![
        vec![],
        vec![(url.clone(), true)],
        vec![
            (url, false),
            (filter.clone(), true),
            (EndpointChange::Pause, true),
        ],
        vec![(filter, false), (EndpointChange::Pause, false)],
        vec![
            (EndpointChange::Resume, true),
            (EndpointChange::Resume, false),
        ],
        vec![
            (EndpointChange::Rotate, true),
            (EndpointChange::Rotate, true),
        ],
        // The account has two events, which were before the endpoint.
        vec![(EndpointChange::ReplayEvent(3), false)],
        vec![(EndpointChange::ReplayEvent(1), true)],
        vec![(EndpointChange::ReplayFrom(3), false)],
        vec![(EndpointChange::ReplayFrom(1), true)],
        vec![(EndpointChange::ReplayFrom(2), false)],
    ]
}

/// Makes a request, and expects the entries of those changes that change something.
fn change(log: &mut AuditLog<'_>, name: EndpointName, requested_changes: &[RequestedChange]) {
    let audited_changes: Vec<_> = requested_changes
        .iter()
        .map(|(change, _)| AuditedChange {
            change: change.clone(),
            audit: log.next_entry(),
        })
        .collect();
    let effective_entries: Vec<_> = audited_changes
        .iter()
        .zip(requested_changes)
        .filter(|(_, (_, is_effective))| *is_effective)
        .map(|(audited_change, _)| audited_change.audit.clone())
        .collect();
    let outcome = block_on_ok(log.fixture.store().change_endpoint(name, audited_changes));
    let stored_record = record(log.fixture, name);
    assert_eq!(outcome, Some(Ok(stored_record)), "{requested_changes:?}");
    log.expect(effective_entries, &format!("{requested_changes:?}"));
}

/// Calls that name an endpoint that does not exist.
fn assert_other_names_are_not_audited(log: &mut AuditLog<'_>, name: EndpointName) {
    let fixture = log.fixture;
    let other_client = fixture.account().client.id;
    log.expected_entries = entries(fixture);
    let other_name = EndpointName {
        client: other_client,
        ..name
    };
    let audited_change = AuditedChange {
        change: EndpointChange::Rotate,
        audit: log.next_entry(),
    };
    let store = fixture.store();
    let outcome = block_on_ok(store.change_endpoint(other_name, vec![audited_change]));
    assert_eq!(outcome, None);
    let deletion = store.delete_endpoint(other_name, log.next_entry());
    assert!(!block_on_ok(deletion));
    log.expect([], "calls for another client");
}

/// Creates endpoints until the client has the maximum number, and one more.
fn assert_limit_is_not_audited(log: &mut AuditLog<'_>, client: ClientId) {
    let fixture = log.fixture;
    let mut creation_entries = Vec::new();
    let create = |entry| {
        let endpoint = new_endpoint(fixture, client);
        block_on_ok(fixture.store().create_endpoint(endpoint, entry))
    };
    for _ in 1..MAX_ENDPOINTS {
        let entry = log.next_entry();
        creation_entries.push(entry.clone());
        assert!(matches!(create(entry), EndpointCreation::Created(_)));
    }
    let excess_entry = log.next_entry();
    assert_eq!(create(excess_entry), EndpointCreation::LimitReached);
    log.expect(creation_entries, "creations up to the limit");
}

/// Deletes an endpoint twice.
fn delete(log: &mut AuditLog<'_>, name: EndpointName) {
    let entries = [(); 2].map(|()| log.next_entry());
    let deletions = entries.clone().map(|entry| {
        let deletion = log.fixture.store().delete_endpoint(name, entry);
        block_on_ok(deletion)
    });
    assert_eq!(deletions, [true, false]);
    log.expect(entries.into_iter().take(1), "a deletion that is repeated");
}
