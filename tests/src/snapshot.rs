//! Committed files that tests compare with what they have to be.

use crate::update;

/// Whether they are to be written anew, which `VOIGHT_UPDATE` asks for. Panics if `CI` is set, too.
pub fn is_update() -> bool {
    update::is_update()
}
