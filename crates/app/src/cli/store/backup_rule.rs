//! The rule for backups, in the words of `docs/guides/back-up-and-restore.md`.

use std::path::Path;

/// What to back up, and where not to keep it.
pub(in crate::cli) const BACKUP_RULE: &str = "Back up two things and keep them apart: the store, with `voight store backup`, and once \
the pepper. A backup does not contain the pepper, and without it a restored store opens no key.";

/// The rule, with the file of the pepper.
pub(in crate::cli) fn backup_rule(pepper: &Path) -> String {
    format!("{BACKUP_RULE} The pepper is in {}.", pepper.display())
}
