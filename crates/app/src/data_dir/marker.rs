//! The file that says that a directory is a data directory, and which store it is used with.

use super::private_file;
use crate::exit::CommandError;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::Path;

/// The name of the marker.
pub(super) const NAME: &str = "voight.json";

/// What the marker holds. Unknown members are kept out of it, so that a newer layout is noticed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DataDirMarker {
    /// The URL of the store.
    pub(super) store: String,
}

impl DataDirMarker {
    /// The marker of a directory, if it has one.
    pub(super) fn read(dir: &Path) -> Result<Option<Self>, CommandError> {
        let path = dir.join(NAME);
        let wrong = |why: String| {
            CommandError::configuration(format!(
                "{} cannot be read ({why}); restore it, or write {{\"store\": \"redb:PATH\"}} into it",
                path.display()
            ))
        };
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).map(Some).map_err(|error| wrong(error.to_string())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(wrong(error.to_string())),
        }
    }

    /// Writes the marker unless it is there already, as it is.
    pub(super) fn write(&self, dir: &Path) -> io::Result<()> {
        let text = serde_json::to_string(self)? + "\n";
        let path = dir.join(NAME);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            Ok(())
        } else {
            private_file::replace(&path, &text)
        }
    }
}
