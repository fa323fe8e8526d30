//! Marker file of a data directory, which records its store.

use super::private_file;
use crate::exit::CommandError;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::Path;

/// File name of the marker.
pub(super) const NAME: &str = "voight.json";

/// Content of the marker. Unknown members are rejected, so that a newer layout is detected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DataDirMarker {
    /// URL of the store.
    pub(super) store: String,
}

impl DataDirMarker {
    /// Reads the marker of a directory, if it has one.
    pub(super) fn read(dir: &Path) -> Result<Option<Self>, CommandError> {
        let path = dir.join(NAME);
        let wrong = |why: String| {
            CommandError::configuration(format!(
                "{} cannot be read ({why}); restore it, or write {{\"store\": \"redb:PATH\"}} into it",
                path.display()
            ))
        };
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text)
                .map(Some)
                .map_err(|error| wrong(error.to_string())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(wrong(error.to_string())),
        }
    }

    /// Writes the marker unless the file has this content already.
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
