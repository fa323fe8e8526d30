//! Owner of the data directory. Files that root creates in the directory of another user are unusable for the service.

use super::unreadable;
use crate::exit::CommandError;
use rustix::process::geteuid;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Rejects the data directory of another user if this process runs as root. The system rejects other users.
pub(super) fn check(path: &Path) -> Result<(), CommandError> {
    let owner = fs::metadata(path)
        .map_err(|error| unreadable(path, &error))?
        .uid();
    if is_usable(geteuid().as_raw(), owner) {
        return Ok(());
    }
    Err(CommandError::configuration(format!(
        "the data directory {} belongs to user {owner}, and this command runs as root: the service could not use the files that it \
         creates; run it as that user, for example with `sudo -u '#{owner}'`",
        path.display()
    )))
}

/// Describes the owner of a path or, if it does not exist, of its directory; empty if this user owns it.
pub(super) fn describe(path: &Path) -> String {
    let about = fs::metadata(path).or_else(|_| fs::metadata(path.parent().unwrap_or(path)));
    let user = geteuid().as_raw();
    match about.map(|about| about.uid()) {
        Ok(owner) if owner != user => {
            format!(", the owner is user {owner} and this process runs as user {user}")
        }
        _ => String::new(),
    }
}

const fn is_usable(user: u32, owner: u32) -> bool {
    user != 0 || owner == 0
}

#[cfg(test)]
mod tests {
    use super::is_usable;

    #[test]
    fn root_uses_only_its_own_directory() {
        assert!(is_usable(0, 0));
        assert!(!is_usable(0, 65_532));
        assert!(is_usable(1000, 1000));
        assert!(is_usable(1000, 0));
    }
}
