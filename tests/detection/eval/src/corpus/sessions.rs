//! Recorded sessions of browsers: `family/number.json`, and the clicks in `_bulk/family.json`.

use super::archive::{below, unpacked};
use super::clicks;
use super::pointer::RecordedMovement;
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;

/// Session of a family.
#[derive(Debug)]
pub struct RecordedSession {
    /// Tool that drove the browser.
    pub family: String,
    /// Directory and file name.
    pub name: String,
    /// Recording.
    pub record: Value,
}

/// Contents of an archive.
#[derive(Default)]
pub(super) struct RecordedArchive {
    pub(super) sessions: Vec<RecordedSession>,
    pub(super) clicks: Vec<RecordedMovement>,
    pub(super) skipped: Vec<String>,
}

/// Directory whose files hold many clicks each instead of one session.
const BULK: &str = "_bulk";

/// Reads the first of `names` that exists in `folder`; `None` if none does.
pub(super) fn read(dir: &Path, names: &[&str]) -> Result<Option<RecordedArchive>> {
    let Some(path) = names
        .iter()
        .map(|name| dir.join(name))
        .find(|path| path.exists())
    else {
        return Ok(None);
    };
    let mut entries = if path.is_dir() {
        below(&path)?
    } else {
        unpacked(&path)?
    };
    entries.sort_by_cached_key(|(path, _)| order(path));
    let mut archive = RecordedArchive::default();
    for (path, bytes) in entries {
        archive
            .add(&path, &bytes)
            .with_context(|| format!("{path} of {} is not a recording", dir.display()))?;
    }
    Ok(Some(archive))
}

/// Returns the last directory and the file name of a path.
fn ends(path: &str) -> (&str, &str) {
    let (dirs, file) = path.rsplit_once('/').unwrap_or(("", path));
    (dirs.rsplit('/').next().unwrap_or_default(), file)
}

/// Returns the sort key: by family name, then by session number.
fn order(path: &str) -> (String, u64, String) {
    let (family, file) = ends(path);
    let number = file.trim_end_matches(".json").parse().unwrap_or(u64::MAX);
    (family.to_owned(), number, file.to_owned())
}

impl RecordedArchive {
    fn add(&mut self, path: &str, bytes: &[u8]) -> Result<()> {
        let (family, file) = ends(path);
        let name = format!("{family}/{file}");
        if family == BULK {
            self.clicks
                .extend(clicks::read(file.trim_end_matches(".json"), bytes)?);
            return Ok(());
        }
        let record: Value = serde_json::from_slice(bytes)?;
        if record["frame"]["events"].is_array() {
            self.sessions.push(RecordedSession {
                family: family.to_owned(),
                name,
                record,
            });
        } else {
            self.skipped
                .push(format!("{name}: the session never reached the window"));
        }
        Ok(())
    }
}
