mod audit_chain;
mod claims_in_runs;
mod ended_periods;

use super::*;
use crate::map_engine::Map;
use crate::record::Encode;
use crate::testing::FaultyEngine;
use crate::{DatabaseKind, DumpReader, EngineError, Verifier, checksum, table};
use std::fs;
use std::time::Duration;

/// Store of format 1, dumped by the last release with that format; see the README of the fixtures.
const DUMP: &[u8] = include_bytes!("../../tests/fixtures/format-1.dump");
/// Time at which the store was filled.
const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// File name of the backup of a migration at [`NOW`].
const BACKUP: &str = "store.before-format-6.20270115T080000Z.dump";

struct Store {
    main: FaultyEngine,
    evidence: FaultyEngine,
    identity: Identity,
}

impl Store {
    fn of_format_1() -> Self {
        Self::from_dump(DUMP)
    }

    fn from_dump(dump: &[u8]) -> Self {
        let mut dump = DumpReader::open(dump).unwrap();
        let identity = *dump.identity();
        let store = Self { main: FaultyEngine::default(), evidence: FaultyEngine::default(), identity };
        while let Some(entry) = dump.next_entry().unwrap() {
            let engine = if entry.part == DatabaseKind::Main { &store.main } else { &store.evidence };
            engine.modify_entries(|map| drop(map.insert(entry.key, entry.value)));
        }
        for engine in [&store.main, &store.evidence] {
            identity::write(engine, &identity, "map").unwrap();
        }
        store
    }

    fn older<'a>(&'a self, path: &'a Path) -> OutdatedStore<'a, FaultyEngine> {
        OutdatedStore { path, main: &self.main, evidence: &self.evidence, identity: self.identity }
    }

    /// Migrates the store with one record per commit.
    fn run(&self) -> Result<Identity, OpenError> {
        run_all(&self.older(Path::new("map")), 1)
    }

    fn migrated() -> Self {
        let mut store = Self::of_format_1();
        store.identity = store.run().unwrap();
        store
    }

    fn entries(&self) -> [Map; 2] {
        [&self.main, &self.evidence].map(|engine| engine.entries().as_ref().clone())
    }

    fn damage(&self) -> u64 {
        let damage = |engine: &FaultyEngine, part| {
            let mut walk = Verifier::new(part);
            while walk.slice(&engine.snapshot().unwrap(), 100).unwrap() {}
            walk.report().damaged
        };
        damage(&self.main, DatabaseKind::Main) + damage(&self.evidence, DatabaseKind::Evidence)
    }
}

/// Returns the entries of all tables that no migration changes.
fn rest(mut map: Map) -> Map {
    let about = [
        &[Table::EvidenceHead, Table::EvidenceAge, Table::EvidenceDue][..],
        &[Table::Identity, Table::Audit, Table::AuditHead, Table::Meter, Table::EndedPeriod],
        &[Table::IdempotencyRecord, Table::ClaimByDigest, Table::ClaimEnd],
    ]
    .concat();
    map.retain(|key, _| !about.iter().any(|table| Table::of_key(key) == Some(*table)));
    map
}

#[test]
fn every_format_leads_to_the_next() {
    assert!(MIGRATIONS.iter().map(|migration| migration.from).eq(1..FORMAT));
}

#[test]
fn evidence_ends_when_its_context_says_and_all_else_stays() {
    let (old, new) = (Store::of_format_1(), Store::migrated());
    assert_eq!((old.damage(), new.damage()), (0, 0));
    assert_eq!(new.identity, old.identity.in_format(FORMAT));
    let ([old_main, old_evidence], [main, evidence]) = (old.entries(), new.entries());
    let key = table::identity().key;
    assert_eq!(main.get(&key), evidence.get(&key));
    assert_eq!(rest(main), rest(old_main));
    assert_eq!(rest(evidence.clone()), rest(old_evidence));
    let listed: Vec<_> = evidence.keys().filter(|key| Table::of_key(key) == Some(Table::EvidenceDue)).collect();
    // Contexts with a retention of 10, 11, 20 and 21 days; their checks were opened that many hours before.
    let expected = [10_u32, 11, 20, 21].map(|days| {
        let opened_at = NOW.saturating_sub(Duration::from_hours(days.into()));
        let check = voight_domain::CheckId::new(opened_at, [days.to_le_bytes()[0]; 10]);
        table::by_expiry(opened_at.saturating_add(Duration::from_hours(24 * u64::from(days))), check).key
    });
    assert_eq!(listed, expected.iter().collect::<Vec<_>>());
    assert!(!evidence.keys().any(|key| Table::of_key(key) == Some(Table::EvidenceAge)));
}

#[test]
fn evidence_of_nobody_is_kept_for_the_usual_time() {
    let store = Store::of_format_1();
    let of = |key: &Vec<u8>| Table::of_key(key) == Some(Table::ContextIndex);
    store.main.modify_entries(|map| map.retain(|key, _| !of(key)));
    store.run().unwrap();
    for (key, value) in store.evidence.entries().iter().filter(|(key, _)| key[0] == Table::EvidenceHead as u8) {
        let head = crate::record::EvidenceSummary::decode(checksum::verify(key, value).unwrap()).unwrap();
        assert_eq!(head.keep_until, Some(head.opened_at.saturating_add(Duration::from_hours(24 * 30))));
    }
}

/// Interrupts the migration at every commit, with and without the effect of the last one. The store is always
/// undamaged, and the next run completes the migration.
#[test]
fn a_crash_at_any_commit_is_gone_on_from() {
    let whole = Store::migrated();
    let commits = [whole.main.applies() - 1, whole.evidence.applies() - 1];
    assert_eq!(
        commits,
        [14 + 2 + 16 + 5, 4 + 5],
        "fourteen audit entries, two meters, sixteen claims, four heads of evidence, and an identity for each format"
    );
    for (part, commits) in commits.into_iter().enumerate() {
        for (number, applied) in (0..commits).flat_map(|number| [(number, false), (number, true)]) {
            let store = Store::of_format_1();
            let engine = [&store.main, &store.evidence][part];
            engine.pass_applies(number);
            engine.fail_apply(EngineError::Io("pulled the plug".into()), applied);
            assert!(matches!(store.run(), Err(OpenError::Io { .. })), "commit {number}");
            assert_eq!(store.damage(), 0, "commit {number} of part {part}, applied: {applied}");
            assert_eq!(store.run(), Ok(whole.identity));
            assert_eq!(store.entries(), whole.entries(), "commit {number} of part {part}, applied: {applied}");
        }
    }
}

#[test]
fn what_has_this_format_is_not_touched() {
    let store = Store::migrated();
    let before = (store.main.applies(), store.evidence.applies());
    assert_eq!(store.run(), Ok(store.identity));
    assert_eq!((store.main.applies(), store.evidence.applies()), before);
}

#[test]
fn damage_is_named_and_ends_it() {
    let store = Store::of_format_1();
    store.evidence.modify_entries(|map| {
        map.iter_mut().filter(|(key, _)| key[0] == Table::EvidenceHead as u8).for_each(|(_, value)| value[1] ^= 1);
    });
    let error = store.run().unwrap_err();
    assert!(matches!(&error, OpenError::Damaged { what, .. } if what.contains("evidence of a check")), "{error}");
    assert_eq!((store.main.applies(), store.evidence.applies()), (1, 1));
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    names
}

#[test]
fn the_backup_is_the_store_as_it_was() {
    let (folder, store) = (tempfile::tempdir().unwrap(), Store::of_format_1());
    let path = folder.path().join("store");
    let identity = migrate(&store.older(&path), NOW).unwrap();
    assert_eq!(names(folder.path()), [BACKUP, "store.id"]);
    assert_eq!(fs::read(folder.path().join(BACKUP)).unwrap(), DUMP);
    assert_eq!(Sidecar::for_store(&path).read(), Ok(Some(identity)));
    assert_eq!(store.entries(), Store::migrated().entries());
}

#[test]
fn without_a_backup_nothing_is_changed() {
    let (folder, store) = (tempfile::tempdir().unwrap(), Store::of_format_1());
    let path = folder.path().join("store");
    // A directory at this path makes the backup fail.
    fs::create_dir(folder.path().join("store.before-format-6.partial")).unwrap();
    let before = store.entries();
    let error = migrate(&store.older(&path), NOW).unwrap_err();
    assert!(matches!(&error, OpenError::NoBackup { found: 1, known: FORMAT, .. }), "{error}");
    store.main.modify_entries(|map| map.values_mut().for_each(|value| value[0] ^= 1));
    fs::remove_dir(folder.path().join("store.before-format-6.partial")).unwrap();
    let error = migrate(&store.older(&path), NOW).unwrap_err();
    assert!(matches!(&error, OpenError::Damaged { what, .. } if what.contains("table client")), "{error}");
    store.main.modify_entries(|map| map.values_mut().for_each(|value| value[0] ^= 1));
    assert_eq!(names(folder.path()), Vec::<String>::new());
    assert_eq!(store.entries(), before);
}

#[test]
fn what_was_begun_is_not_backed_up_again() {
    let (folder, store) = (tempfile::tempdir().unwrap(), Store::of_format_1());
    let path = folder.path().join("store");
    store.main.fail_apply(EngineError::Io("pulled the plug".into()), false);
    migrate(&store.older(&path), NOW).unwrap_err();
    let after = names(folder.path());
    migrate(&store.older(&path), NOW.saturating_add(Duration::from_secs(1))).unwrap();
    assert_eq!(names(folder.path()), after);
    assert_eq!(store.entries(), Store::migrated().entries());
}
