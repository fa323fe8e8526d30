//! Changes and their audit entries.

use super::super::cases;
use crate::block_on::{block_on, block_on_ok};
use crate::fixture::{ALL, Fixture, TestAccount, WRITERS, while_written};
use crate::generate::{address, audit, human, overrule};
use voight_domain::registry::{AuditAction, AuditEntry, ClientChange, ContextChange, KeyChange};
use voight_domain::verdict::OverrideTo;
use voight_domain::vocabulary::{ClientId, KeyId};

cases![change_and_audit_are_one, change_and_audit_are_seen_together needs SingleMoment];

fn change_and_audit_are_one(fixture: &mut Fixture) {
    let account = fixture.account();
    let mut expected_entries = entries(fixture);
    assert_eq!(
        expected_entries.len(),
        3,
        "client, key and context were not audited once each"
    );
    for (number, change) in CHANGES.into_iter().enumerate() {
        // All entries are distinct, so that none can be mistaken for another.
        let entry = audit(
            AuditAction::ClockAcknowledged,
            &format!("change {number}"),
            fixture.now(),
        );
        change(fixture, &account, entry.clone());
        expected_entries.push(entry);
        assert_eq!(entries(fixture), expected_entries);
    }
    rejected_changes(fixture, &account);
    assert_eq!(
        entries(fixture),
        expected_entries,
        "the log has an entry without a change"
    );
}

fn entries(fixture: &Fixture) -> Vec<AuditEntry> {
    block_on_ok(fixture.store().audit(0, ALL))
        .into_iter()
        .map(|record| record.entry)
        .collect()
}

/// One change of each kind. Each writes its audit entry together with the change.
const CHANGES: [fn(&Fixture, &TestAccount, AuditEntry); 6] = [
    change_client,
    rotate_key,
    revoke_key,
    change_context,
    override_verdict,
    append_audit,
];

fn change_client(fixture: &Fixture, account: &TestAccount, entry: AuditEntry) {
    block_on_ok(fixture.store().change_client(
        account.client.id,
        ClientChange::LookupRate(Some(9)),
        entry,
    ));
}

fn rotate_key(fixture: &Fixture, account: &TestAccount, entry: AuditEntry) {
    let change = KeyChange::Rotate {
        secret: fixture.make.secret(),
        overlap_until: Some(fixture.now()),
    };
    block_on_ok(fixture.store().change_key(account.key.id, change, entry));
}

fn revoke_key(fixture: &Fixture, account: &TestAccount, entry: AuditEntry) {
    block_on_ok(fixture.store().change_key(
        account.key.id,
        KeyChange::Revoke { at: fixture.now() },
        entry,
    ));
}

fn change_context(fixture: &Fixture, account: &TestAccount, entry: AuditEntry) {
    let change = ContextChange {
        archived_at: Some(Some(fixture.now())),
        ..ContextChange::default()
    };
    block_on_ok(
        fixture
            .store()
            .change_context(&account.context.id, change, entry),
    );
}

fn override_verdict(fixture: &Fixture, account: &TestAccount, entry: AuditEntry) {
    let change = overrule(&account.context, address(1), OverrideTo::Bot);
    block_on_ok(fixture.store().override_verdict(change, entry));
}

fn append_audit(fixture: &Fixture, _: &TestAccount, entry: AuditEntry) {
    block_on_ok(fixture.store().append_audit(entry));
}

/// Makes calls that change nothing audited.
fn rejected_changes(fixture: &Fixture, account: &TestAccount) {
    let store = fixture.store();
    let entry = || audit(AuditAction::ClientChanged, "nothing", fixture.now());
    let unknown = ClientId::from_bytes([9; 16]);
    assert!(block_on(store.create_client(account.client.clone(), entry())).is_err());
    assert_eq!(
        block_on_ok(store.change_client(unknown, ClientChange::LookupRate(None), entry())),
        None
    );
    let mut orphan = fixture
        .make
        .key(unknown, account.key.environment, fixture.now());
    assert_eq!(block_on_ok(store.create_key(orphan.clone(), entry())), None);
    orphan.client = account.client.id;
    orphan.secrets = block_on_ok(store.keys(account.client.id)).remove(0).secrets;
    assert!(block_on(store.create_key(orphan, entry())).is_err());
    let revoke = KeyChange::Revoke { at: fixture.now() };
    assert_eq!(
        block_on_ok(store.change_key(KeyId::from_bytes([9; 16]), revoke, entry())),
        None
    );
    let missing = fixture.make.context(&account.key, fixture.now()).id;
    assert_eq!(
        block_on_ok(store.change_context(&missing, ContextChange::default(), entry())),
        None
    );
    fixture.conclude(&fixture.make.conclusion(
        &account.context,
        address(1),
        human(),
        fixture.now(),
    ));
}

/// Checks that a visible change has its entry, and a visible entry its change.
fn change_and_audit_are_seen_together(fixture: &mut Fixture) {
    const ROUNDS: usize = 4;
    let entries_before = entries(fixture).len();
    let clients_before = block_on_ok(fixture.store().clients(None, ALL)).len();
    let assert_audited = || {
        let clients = || block_on_ok(fixture.store().clients(None, ALL)).len() - clients_before;
        let first = clients();
        let audit_count = entries(fixture).len() - entries_before;
        let last = clients();
        assert!(
            first <= audit_count && audit_count <= last,
            "{first} clients, {audit_count} entries, {last} clients"
        );
    };
    while_written(
        |_| (0..ROUNDS).for_each(|_| drop(fixture.client())),
        assert_audited,
    );
    assert_eq!(entries(fixture).len(), entries_before + WRITERS * ROUNDS);
}
