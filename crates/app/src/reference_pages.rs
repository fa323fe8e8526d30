//! Reference pages that are generated from the error table, the exit codes and the definition of the command line.

mod cli;
mod errors;

use crate::update;
use std::path::Path;

/// Compares a page with the committed one; writes it if `VOIGHT_UPDATE` is set.
fn verify_committed(name: &str, page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference").join(name);
    if update::is_update() {
        std::fs::write(&path, page).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == page,
        "docs/reference/{name} has drifted; look at the change, then run VOIGHT_UPDATE=1 cargo test -p voight --lib reference"
    );
}
