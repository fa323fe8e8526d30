use super::*;
use crate::testing::made_up_formats::{LABEL_END, MIGRATIONS, NEWEST, VERSION, while_second_fails};
use crate::{DumpReader, FORMAT, Table, write_dump};
use std::fs;
use std::time::Duration;
use voight_domain::ports::StoreError;
use voight_engine::testing::{FailedBatch, FaultyEngine, Map};
use voight_engine::{EngineError, Read, checksum};
use voight_support::NOW;
use voight_support::embedded::SampleStore;

/// File name of the backup of a migration at [`NOW`].
const BACKUP: &str = "store.before-format-3.20270115T080000Z.dump";
/// Name of the backup while it is written.
const PARTIAL: &str = "store.before-format-3.partial";

/// Store of this release's format, which the made-up release migrates.
struct Store {
    main: FaultyEngine,
    evidence: FaultyEngine,
}

impl Store {
    fn new() -> Self {
        let sample = SampleStore::filled();
        let store = Self {
            main: FaultyEngine::default(),
            evidence: FaultyEngine::default(),
        };
        store
            .main
            .modify_entries(|map| map.clone_from(&sample.main.entries()));
        store
            .evidence
            .modify_entries(|map| map.clone_from(&sample.evidence.entries()));
        store
    }

    fn migrated() -> Self {
        let store = Self::new();
        store.run().unwrap();
        store
    }

    fn identity(&self) -> Identity {
        identity::read(&self.main, "map").unwrap().unwrap()
    }

    fn outdated<'a>(&'a self, path: &'a Path) -> OutdatedStore<'a, FaultyEngine> {
        let main = &self.main;
        let evidence = &self.evidence;
        let identity = self.identity();
        OutdatedStore {
            path,
            main,
            evidence,
            identity,
            migrations: MIGRATIONS,
        }
    }

    /// Migrates the store with one record per commit.
    fn run(&self) -> Result<Identity, OpenError> {
        run_all(&self.outdated(Path::new("map")), 1)
    }

    fn entries(&self) -> [Map; 2] {
        [&self.main, &self.evidence].map(|engine| engine.entries().as_ref().clone())
    }

    fn applies(&self) -> [usize; 2] {
        [&self.main, &self.evidence].map(FaultyEngine::applies)
    }

    fn dump(&self) -> Vec<u8> {
        let main = self.main.snapshot().unwrap();
        let evidence = self.evidence.snapshot().unwrap();
        let mut dump = Vec::new();
        write_dump(&self.identity(), &main, Some(&evidence), &mut dump).unwrap();
        dump
    }
}

/// Returns the keys and verified records of a table.
fn records(map: &Map, table: Table) -> Vec<(&[u8], &[u8])> {
    let entries = map.range(vec![table as u8]..vec![table as u8 + 1]);
    entries
        .map(|(key, value)| (key.as_slice(), checksum::verify(key, value).unwrap()))
        .collect()
}

/// Removes the tables that the migrations change.
fn unchanged(mut map: Map) -> Map {
    let changed_tables = [Table::Identity, Table::Label, Table::EvidenceDue];
    map.retain(|key, _| Table::of_key(key).is_none_or(|table| !changed_tables.contains(&table)));
    map
}

#[test]
fn release_writes_newest_format() {
    assert_eq!(FORMAT, 1);
    assert_eq!(Migrations::RELEASED.format(), 1);
    assert_eq!(NEWEST, 3);
    assert_eq!(MIGRATIONS.format(), 3);
}

#[test]
#[should_panic(expected = "a format is left out")]
fn missing_migration_panics() {
    #[expect(clippy::unnecessary_wraps, reason = "the signature of a migration")]
    const fn migrate(
        _: &[u8],
        _: &[u8],
        _: &dyn Read,
        _: &mut MigratedRecords,
    ) -> Result<(), StoreError> {
        Ok(())
    }
    let from = |from| Migration {
        from,
        description: "",
        table: Table::Label,
        migrate,
    };
    let _ = Migrations::new(Box::leak(Box::new([from(1), from(3)])));
}

#[test]
fn exactly_the_old_records_are_migrated() {
    let old = Store::new();
    let new = Store::migrated();
    assert_eq!(new.identity(), old.identity().in_format(NEWEST));
    let [old_main, old_evidence] = old.entries();
    let [main, evidence] = new.entries();
    let identity = [Table::Identity as u8];
    assert_eq!(main.get(&identity[..]), evidence.get(&identity[..]));
    assert_eq!(unchanged(main.clone()), unchanged(old_main.clone()));
    assert_eq!(unchanged(evidence.clone()), unchanged(old_evidence.clone()));
    let labels = records(&old_main, Table::Label);
    let expected_keys: Vec<_> = labels
        .iter()
        .map(|(key, record)| (*key, [&[VERSION], &record[1..], &[LABEL_END]].concat()))
        .collect();
    assert_eq!(expected_keys.len(), 4);
    assert!(
        records(&main, Table::Label).into_iter().eq(expected_keys
            .iter()
            .map(|(key, record)| (*key, &record[..])))
    );
    let clients = &main[&[Table::ClientCount as u8][..]];
    let mut expected_keys: Vec<_> = records(&old_evidence, Table::EvidenceDue)
        .iter()
        .map(|(key, _)| [&key[..1], &key[9..]].concat())
        .collect();
    expected_keys.sort_unstable();
    let due_records = records(&evidence, Table::EvidenceDue);
    assert!(
        due_records
            .iter()
            .map(|(key, _)| *key)
            .eq(expected_keys.iter().map(Vec::as_slice))
    );
    assert!(
        due_records
            .iter()
            .all(|(_, record)| *record == [&[VERSION], clients.as_slice()].concat())
    );
}

/// Interrupts the migration at every commit, with and without the effect of the last one. The next run continues from
/// the format that the store has then, and completes the migration.
#[test]
fn migration_resumes_after_any_crash() {
    let complete = Store::migrated();
    assert_eq!(
        complete.applies(),
        [4 + 2, 4 + 2],
        "four records of each table, and an identity for each format"
    );
    let mut formats = Vec::new();
    for (database, commits) in complete.applies().into_iter().enumerate() {
        for (number, batch) in (0..commits).flat_map(|number| {
            [FailedBatch::Discarded, FailedBatch::Applied].map(|batch| (number, batch))
        }) {
            let store = Store::new();
            let engine = [&store.main, &store.evidence][database];
            engine.pass_applies(number);
            engine.fail_apply(EngineError::Io("killed".into()), batch);
            assert!(
                matches!(store.run(), Err(OpenError::Io { .. })),
                "commit {number}"
            );
            formats.push(store.identity().format());
            assert_eq!(store.run(), Ok(complete.identity()));
            assert_eq!(
                store.entries(),
                complete.entries(),
                "commit {number} of {database}, the last batch: {batch:?}"
            );
        }
    }
    formats.sort_unstable();
    formats.dedup();
    assert_eq!(
        formats,
        [1, 2, 3],
        "the store was interrupted in each of them"
    );
}

#[test]
fn newest_format_is_not_migrated() {
    let store = Store::migrated();
    let applies = store.applies();
    assert_eq!(store.run(), Ok(store.identity()));
    assert_eq!(store.applies(), applies);
}

#[test]
fn corrupt_record_ends_migration() {
    let store = Store::new();
    store.evidence.modify_entries(|map| {
        map.iter_mut()
            .filter(|(key, _)| key[0] == Table::EvidenceDue as u8)
            .for_each(|(_, value)| value[1] ^= 1);
    });
    let error = store.run().unwrap_err();
    assert!(
        matches!(&error, OpenError::Damaged { what, .. } if what.contains("end of evidence")),
        "{error}"
    );
    assert_eq!(
        store.identity().format(),
        FORMAT + 1,
        "the first migration is complete"
    );
}

fn names(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    names
}

#[test]
fn backup_is_the_store_before_migration() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::new();
    let path = directory.path().join("store");
    let dump = store.dump();
    let identity = migrate(&store.outdated(&path), NOW).unwrap();
    assert_eq!(names(directory.path()), [BACKUP, "store.id"]);
    let backup = fs::read(directory.path().join(BACKUP)).unwrap();
    assert!(backup == dump, "the backup is not the store as it was");
    assert_eq!(
        DumpReader::open(backup.as_slice())
            .unwrap()
            .identity()
            .format(),
        FORMAT
    );
    let sidecar = Sidecar::for_store(&path);
    assert_eq!(sidecar.read(NEWEST), Ok(Some(identity)));
    assert!(matches!(
        sidecar.read(FORMAT),
        Err(OpenError::Newer {
            found: NEWEST,
            known: FORMAT,
            ..
        })
    ));
    assert_eq!(store.entries(), Store::migrated().entries());
}

#[test]
fn migration_requires_a_backup() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::new();
    let path = directory.path().join("store");
    // A directory at this path makes the backup fail.
    fs::create_dir(directory.path().join(PARTIAL)).unwrap();
    let entries = store.entries();
    let error = migrate(&store.outdated(&path), NOW).unwrap_err();
    assert!(
        matches!(
            &error,
            OpenError::NoBackup {
                found: FORMAT,
                known: NEWEST,
                ..
            }
        ),
        "{error}"
    );
    fs::remove_dir(directory.path().join(PARTIAL)).unwrap();
    let corrupt = || {
        store.main.modify_entries(|map| {
            map.iter_mut()
                .filter(|(key, _)| key[0] == Table::Client as u8)
                .for_each(|(_, value)| value[0] ^= 1);
        });
    };
    corrupt();
    let error = migrate(&store.outdated(&path), NOW).unwrap_err();
    assert!(
        matches!(&error, OpenError::Damaged { what, .. } if what.contains("table client")),
        "{error}"
    );
    corrupt();
    assert_eq!(names(directory.path()), Vec::<String>::new());
    assert_eq!(store.entries(), entries);
}

#[test]
fn resumed_migration_writes_no_second_backup() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::new();
    let path = directory.path().join("store");
    while_second_fails(|| migrate(&store.outdated(&path), NOW)).unwrap_err();
    assert_eq!(store.identity().format(), FORMAT + 1);
    let file_names = names(directory.path());
    assert_eq!(file_names, [BACKUP, "store.id"]);
    migrate(
        &store.outdated(&path),
        NOW.saturating_add(Duration::from_secs(1)),
    )
    .unwrap();
    assert_eq!(names(directory.path()), file_names);
    assert_eq!(store.entries(), Store::migrated().entries());
}
