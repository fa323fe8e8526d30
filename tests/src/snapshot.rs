//! Committed files that tests compare with what they have to be.

use crate::update;

/// Returns `true` if they are to be written anew, which `VOIGHT_UPDATE` asks for. Panics if `CI` is set, too.
pub fn is_update() -> bool {
    update::is_update()
}
