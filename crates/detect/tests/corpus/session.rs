//! Where recorded sessions are.

use serde_json::Value;
use std::path::{Path, PathBuf};

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// The folders of families; the one with an underscore holds movements only.
pub(crate) fn folders(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(root).into_iter().filter(|path| path.is_dir()) {
        let holds_sessions = entries(&path).iter().any(|entry| entry.extension().is_some_and(|ext| ext == "json"));
        if !holds_sessions {
            found.extend(folders(&path));
        } else if !name(&path).starts_with('_') {
            found.push(path);
        }
    }
    found
}

/// The sessions of a family that reached the frame.
pub(crate) fn sessions(family: &Path) -> impl Iterator<Item = Value> {
    let read = |path: PathBuf| serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).unwrap();
    entries(family).into_iter().map(read).filter(|session| session["frame"]["events"].is_array())
}
