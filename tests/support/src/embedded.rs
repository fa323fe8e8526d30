//! Sample store, and the tests that every embedded engine must pass.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

pub mod laws;
pub mod migration;
pub mod opening;
pub mod restoring;
mod sample_store;

use std::path::Path;
use voight_engine::PersistentEngine;

pub use sample_store::SampleStore;

/// Engine under test, with the values that differ between engines.
pub trait EngineUnderTest {
    /// Engine of the laws, without a write-ahead log.
    type Engine: PersistentEngine;
    /// Engine of the stores.
    type Store: PersistentEngine;
    /// Name of the engine in the information of a store.
    const NAME: &'static str;
    /// Number of pauses while the engine writes 250 records and then two.
    const PAUSES: usize;

    /// Creates an empty location for the engine's files.
    fn make_empty(path: &Path);
}

/// Generates the tests that every engine must pass, in the modules `laws`, `opening`, `migration` and `restoring`.
///
/// The argument is the name of a type in scope that implements [`EngineUnderTest`].
#[macro_export]
macro_rules! engine_tests {
    ($subject:ident) => {
        $crate::engine_tests! {
            $subject in laws:
            ranges_are_half_open_in_both_orders,
            a_snapshot_does_not_change,
            several_batches_are_seen_at_once,
        }
        $crate::engine_tests! {
            $subject in opening:
            a_new_store_is_three_files_and_keeps_its_identity,
            every_file_is_for_its_owner_only,
            a_store_in_use_is_rejected_in_one_sentence,
            another_pepper_is_rejected,
            a_database_that_is_gone_or_empty_is_not_taken_for_a_new_one,
            files_of_two_stores_are_not_put_together,
            store_of_an_interrupted_creation_is_opened,
            a_folder_that_is_not_there_is_an_error_that_says_what_to_check,
        }
        $crate::engine_tests! {
            $subject in migration:
            a_store_is_migrated_once_and_then_too_new_for_this_release,
            a_migration_is_continued_between_two_formats,
            a_store_comes_back_from_the_backup_of_its_migration,
        }
        $crate::engine_tests! {
            $subject in restoring:
            restored_store_of_a_changed_dump_is_valid,
        }
    };
    ($subject:ident in $module:ident: $($case:ident,)+) => {
        mod $module {
            $(
                #[test]
                fn $case() {
                    $crate::embedded::$module::$case::<super::$subject>();
                }
            )+
        }
    };
}
