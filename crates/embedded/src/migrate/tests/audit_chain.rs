use super::*;
use crate::read_records::ReadRecords;
use voight_domain::registry::{Actor, AuditAction, AuditEntry, AuditHead};

/// Store of format 2, dumped by the last release with that format; see the README of the fixtures.
pub(super) const DUMP: &[u8] = include_bytes!("../../../tests/fixtures/format-2.dump");

fn log(store: &Store) -> Vec<AuditEntry> {
    store.main.snapshot().unwrap().list(&table::KeyRange::all(), 1000).unwrap()
}

fn end(store: &Store) -> Option<AuditHead> {
    store.main.snapshot().unwrap().fetch(&table::audit_head()).unwrap()
}

fn migrated(mut store: Store) -> Store {
    store.identity = store.run().unwrap();
    assert_eq!(store.damage(), 0);
    store
}

#[test]
fn every_entry_is_chained_and_none_names_an_address() {
    let (old, new) = (Store::from_dump(DUMP), migrated(Store::from_dump(DUMP)));
    assert_eq!((old.damage(), end(&old)), (0, None));
    let of_overrides = |store: &Store| -> Vec<_> {
        let overrides = log(store).into_iter().filter(|entry| entry.action == AuditAction::VerdictOverridden);
        overrides.map(|entry| entry.detail).collect()
    };
    assert!(of_overrides(&old)[0].starts_with("0x"));
    assert_eq!(of_overrides(&new), ["to bot: seen"; 4]);
    let others = |store: &Store| {
        let mut others = log(store);
        others
            .iter_mut()
            .filter(|entry| entry.action == AuditAction::VerdictOverridden)
            .for_each(|entry| entry.detail.clear());
        others
    };
    assert_eq!(others(&new), others(&old));
    assert_eq!(end(&new), Some(log(&new).iter().fold(AuditHead::genesis(), AuditHead::extended_by)));
    let [old_main, old_evidence] = old.entries();
    let [main, evidence] = new.entries();
    assert_eq!((rest(main), rest(evidence)), (rest(old_main), rest(old_evidence)));
}

#[test]
fn a_crash_at_any_commit_is_gone_on_from() {
    let whole = migrated(Store::from_dump(DUMP));
    for commit in 0..whole.main.applies() - 1 {
        for applied in [false, true] {
            let store = Store::from_dump(DUMP);
            store.main.pass_applies(commit);
            store.main.fail_apply(EngineError::Io("pulled the plug".into()), applied);
            assert!(matches!(store.run(), Err(OpenError::Io { .. })), "commit {commit}");
            assert_eq!(store.damage(), 0, "commit {commit}, applied: {applied}");
            assert_eq!(store.run(), Ok(whole.identity));
            assert_eq!(store.entries(), whole.entries(), "commit {commit}, applied: {applied}");
        }
    }
}

#[test]
fn a_log_with_a_gap_is_not_chained() {
    let store = Store::from_dump(DUMP);
    store.main.modify_entries(|map| drop(map.remove(&table::audit(3).key)));
    let error = store.run().unwrap_err();
    assert!(matches!(&error, OpenError::Damaged { what, .. } if what.contains("before it are missing")), "{error}");
    assert_eq!(end(&store).map(|end| end.seq), Some(2), "what comes before the gap is chained");
}

#[test]
fn only_what_is_an_address_is_taken_out() {
    let store = Store::from_dump(DUMP);
    let entry = |action, detail: &str| AuditEntry {
        at: NOW,
        actor: Actor::Operator,
        action,
        subject: "subject".into(),
        detail: detail.into(),
    };
    let address = "0x52908400098527886E0F7030069857D2E4169EE7";
    let kept = [
        entry(AuditAction::VerdictOverridden, "to human: 0x52 is known to us"),
        entry(AuditAction::ClientChanged, &format!("{address} to human: it is")),
    ];
    let added =
        kept.iter().cloned().chain([entry(AuditAction::VerdictOverridden, &format!("{address} to human: {address}"))]);
    let behind = log(&store).len() as u64 + 1;
    write(&store, |step| {
        (behind..).zip(added).for_each(|(seq, entry)| step.put(table::audit(seq), &entry));
    });
    let log = log(&migrated(store));
    assert_eq!(log[log.len() - 3..log.len() - 1], kept);
    assert_eq!(log[log.len() - 1].detail, format!("to human: {address}"), "the words of the operator are kept");
}

/// Writes to the main database as the store does, with valid checksums.
fn write(store: &Store, put: impl FnOnce(&mut WriteTransaction<'_>)) {
    let (seen, group) = (store.main.snapshot().unwrap(), crate::Batch::default());
    let mut step = WriteTransaction::new(&seen, &group);
    put(&mut step);
    store.main.apply(&step.into_batch()).unwrap();
}

#[test]
fn what_was_chained_cannot_be_written_anew() {
    let store = migrated(Store::from_dump(DUMP));
    let (entries, last) = (log(&store), end(&store).unwrap());
    let changed = AuditEntry { actor: Actor::Service, ..entries[4].clone() };
    write(&store, |step| step.put(table::audit(5), &changed));
    assert_eq!(store.damage(), 1, "an entry is another");
    write(&store, |step| step.put(table::audit(5), &entries[4]));
    write(&store, |step| step.remove(table::audit(last.seq)));
    assert_eq!(store.damage(), 1, "the last entry is gone");
    write(&store, |step| step.put(table::audit(last.seq), &entries[entries.len() - 1]));
    write(&store, |step| step.remove(table::audit_head()));
    assert_eq!(store.damage(), 1, "the end is gone");
    write(&store, |step| step.put(table::audit_head(), &last));
    assert_eq!(store.damage(), 0);
}
