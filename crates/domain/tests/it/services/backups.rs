//! Newest backup in the audit log.

use crate::services::fixture::{Fixture, person};
use std::time::Duration;
use voight_domain::ports::Clock;
use voight_domain::services::NewestBackup;
use voight_support::poll_now;

/// Number of audit entries that need more than one page.
const MANY: usize = 1_100;

/// Writes more than `MANY` audit entries that are no backups.
fn write_other_entries(fixture: &Fixture, prefix: &str) {
    for number in 0..MANY {
        fixture.context(&format!("{prefix}-{number}"));
    }
}

#[test]
fn newest_backup_is_found_before_many_entries() {
    let fixture = Fixture::new(person());
    let search = |known| poll_now(fixture.operator.newest_backup(known)).unwrap();
    write_other_entries(&fixture, "early");
    let none = search(NewestBackup::default());
    assert_eq!(none.completed_at, None);
    for records in [1, 2] {
        fixture.clock.advance(Duration::from_secs(1));
        poll_now(fixture.operator.record_backup(records)).unwrap();
    }
    let completed_at = Some(fixture.clock.now());
    assert_eq!(search(none).completed_at, completed_at);
    write_other_entries(&fixture, "late");
    let newest = search(NewestBackup::default());
    assert_eq!(newest.completed_at, completed_at);
    assert_eq!(search(newest), newest, "no entry is read twice");
}
