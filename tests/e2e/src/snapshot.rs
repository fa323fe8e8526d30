//! Committed files that tests compare with their expected contents.

use crate::update;

/// Returns `true` if the files are to be updated, which `VOIGHT_UPDATE` requests. Panics if `CI` is set as well.
pub fn is_update() -> bool {
    update::is_update()
}
