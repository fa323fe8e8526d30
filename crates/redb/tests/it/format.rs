//! Tests migrations of a store on redb.

use crate::migration;
use voight_redb::WalRedb;

#[test]
fn a_store_is_migrated_once_and_then_too_new_for_this_release() {
    migration::is_migrated_once_and_then_too_new::<WalRedb>();
}

#[test]
fn a_migration_is_continued_between_two_formats() {
    migration::is_continued_between_two_formats::<WalRedb>();
}

#[test]
fn a_store_comes_back_from_the_backup_of_its_migration() {
    migration::comes_back_from_the_backup::<WalRedb>();
}
