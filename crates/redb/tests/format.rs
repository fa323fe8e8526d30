//! Tests a store of an older format on redb.
#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

#[path = "../../embedded/tests/format_1/mod.rs"]
mod format_1;

use voight_redb::WalRedb;

#[test]
fn a_store_of_format_1_is_brought_to_this_format() {
    format_1::is_brought_to_this_format::<WalRedb>();
}

#[test]
fn a_store_of_format_1_comes_back_from_its_backup() {
    format_1::comes_back_from_the_backup::<WalRedb>();
}
