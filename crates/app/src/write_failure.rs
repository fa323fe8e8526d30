//! Failures to write a file or directory that an operator names, with their remedies.

use crate::exit::CommandError;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// Returns the failure to write `path`. `alternative` says how another path is named, for example with `--out`.
pub(crate) fn write_failure(path: &Path, error: &Error, alternative: &str) -> CommandError {
    let remedy =
        write_remedy(path, error).map_or_else(String::new, |remedy| format!("{remedy}, or "));
    CommandError::internal(format!(
        "{} cannot be written ({error}): {remedy}{alternative}",
        path.display()
    ))
}

/// Returns what an operator does so that `path` can be written; `None` if the cause is unknown.
pub(crate) fn write_remedy(path: &Path, error: &Error) -> Option<String> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
        .display();
    Some(match error.kind() {
        ErrorKind::NotFound => {
            format!("the directory {folder} does not exist; create it with `mkdir -p {folder}`")
        }
        ErrorKind::NotADirectory => format!("a part of {folder} is a file; move that file"),
        ErrorKind::AlreadyExists => "it exists already; remove it".to_owned(),
        ErrorKind::IsADirectory => "it is a directory; name a file in it".to_owned(),
        ErrorKind::PermissionDenied => format!("give this user write access to {folder}"),
        ErrorKind::ReadOnlyFilesystem => {
            "the file system is read-only; make it writable".to_owned()
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "the disk is full; free some space".to_owned()
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedy_depends_on_the_cause() {
        for (kind, words) in [
            (
                ErrorKind::NotFound,
                "the directory backup does not exist; create it with `mkdir -p backup`, or name",
            ),
            (
                ErrorKind::PermissionDenied,
                "give this user write access to backup, or name",
            ),
            (ErrorKind::StorageFull, "free some space, or name"),
            (ErrorKind::ReadOnlyFilesystem, "read-only"),
            (ErrorKind::IsADirectory, "it is a directory"),
            (ErrorKind::NotADirectory, "a part of backup is a file"),
        ] {
            let message = write_failure(
                Path::new("backup/a.dump"),
                &kind.into(),
                "name another with --out",
            )
            .message;
            assert!(
                message.starts_with("backup/a.dump cannot be written (") && message.contains(words),
                "{message}"
            );
            assert_eq!(
                message.contains("space"),
                kind == ErrorKind::StorageFull,
                "{message}"
            );
        }
        let message = write_failure(
            Path::new("a.dump"),
            &ErrorKind::NotFound.into(),
            "name another",
        )
        .message;
        assert!(
            message.contains("the directory . does not exist"),
            "{message}"
        );
    }
}
