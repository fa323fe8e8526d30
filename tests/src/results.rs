//! Files that hold what was measured.

use serde::Serialize;
use std::fs;
use std::io;
use std::path::Path;

/// Writes a result to `path` as JSON, whole or not at all; its folder is made if it is not there.
pub fn write(path: &Path, result: &impl Serialize) -> io::Result<()> {
    let draft = path.with_extension("partial");
    let text = serde_json::to_string_pretty(result)? + "\n";
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    fs::write(&draft, text)?;
    fs::rename(&draft, path)
}
