//! Tests migrations of a store on sled.
#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

#[path = "../../embedded/tests/filled/mod.rs"]
mod filled;
#[path = "../../embedded/tests/made_up_formats/mod.rs"]
mod made_up_formats;
#[path = "../../embedded/tests/map_engine/mod.rs"]
mod map_engine;
#[path = "../../embedded/tests/migration/mod.rs"]
mod migration;

use voight_sled::SledEngine;

#[test]
fn a_store_is_migrated_once_and_then_too_new_for_this_release() {
    migration::is_migrated_once_and_then_too_new::<SledEngine>();
}

#[test]
fn a_migration_is_continued_between_two_formats() {
    migration::is_continued_between_two_formats::<SledEngine>();
}

#[test]
fn a_store_comes_back_from_the_backup_of_its_migration() {
    migration::comes_back_from_the_backup::<SledEngine>();
}
