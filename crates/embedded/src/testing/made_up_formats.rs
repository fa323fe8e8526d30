//! Two made-up formats of a later release, to which stores of this release are migrated in tests.

use crate::{FORMAT, MigratedRecords, Migration, Migrations, Table};
use std::cell::Cell;
use voight_domain::ports::StoreError;
use voight_engine::Read;

/// Format to which the last migration leads.
pub const NEWEST: u32 = FORMAT + 2;

/// Migrations of the made-up release: one over a table of each database.
pub const MIGRATIONS: Migrations = Migrations::new(&[
    Migration {
        from: FORMAT,
        description: "labels are longer",
        table: Table::Label,
        migrate: lengthen_label,
    },
    Migration {
        from: FORMAT + 1,
        description: "the index of expiring evidence contains the number of clients",
        table: Table::EvidenceDue,
        migrate: rekey_expiry,
    },
]);

/// Version byte of migrated records.
pub const VERSION: u8 = 2;
/// Last byte of a migrated label.
pub const LABEL_END: u8 = 0xaa;

thread_local! {
    static FAILS: Cell<bool> = const { Cell::new(false) };
}

/// Calls `run`, and makes the second migration fail meanwhile on this thread, as if the process were killed between the
/// two.
pub fn while_second_fails<T>(run: impl FnOnce() -> T) -> T {
    FAILS.set(true);
    let result = run();
    FAILS.set(false);
    result
}

/// Appends a byte to a label.
#[expect(clippy::unnecessary_wraps, reason = "the signature of a migration")]
fn lengthen_label(
    key: &[u8],
    record: &[u8],
    _main: &dyn Read,
    changes: &mut MigratedRecords,
) -> Result<(), StoreError> {
    if record[0] != VERSION {
        changes.put(
            key.to_vec(),
            [&[VERSION], &record[1..], &[LABEL_END]].concat(),
        );
    }
    Ok(())
}

/// Moves an index entry to a key without its time, and adds the record of the number of clients from the main database.
fn rekey_expiry(
    key: &[u8],
    record: &[u8],
    main: &dyn Read,
    changes: &mut MigratedRecords,
) -> Result<(), StoreError> {
    if FAILS.get() {
        return Err(StoreError::Fatal("killed".to_owned()));
    }
    if record[0] != VERSION {
        let mut new = vec![VERSION];
        main.get(&[Table::ClientCount as u8], &mut |clients| {
            new.extend_from_slice(clients);
        })?;
        changes.put([&key[..1], &key[9..]].concat(), new);
        changes.remove(key.to_vec());
    }
    Ok(())
}
