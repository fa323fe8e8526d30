//! Rule for backups, in the words of `docs/guides/back-up-and-restore.md`.

use std::path::Path;

/// Rule for backups: their parts, and the places to keep them.
pub(in crate::cli) const BACKUP_RULE: &str = "Back up two things and keep them apart: the store, with `voight store backup`, and once \
the pepper. A backup does not contain the pepper, and without it a restored store opens no key.";

/// Returns the rule with the path of the pepper.
pub(in crate::cli) fn backup_rule(pepper: &Path) -> String {
    format!("{BACKUP_RULE} The pepper is in {}.", pepper.display())
}
