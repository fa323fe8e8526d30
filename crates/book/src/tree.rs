//! Source files: the repository, with pages that are generated from others.

use crate::path;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

/// Repository with generated pages. Paths are relative to its root.
pub(crate) struct SourceTree {
    root: PathBuf,
    generated: BTreeMap<String, String>,
}

impl SourceTree {
    /// Creates the tree of a repository.
    pub(crate) fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            generated: BTreeMap::new(),
        }
    }

    /// Adds a generated page.
    pub(crate) fn insert(&mut self, path: String, text: String) {
        self.generated.insert(path, text);
    }

    /// Reads a page or another text.
    pub(crate) fn text(&self, path: &str) -> io::Result<String> {
        self.generated.get(path).map_or_else(
            || fs::read_to_string(self.root.join(path)),
            |text| Ok(text.clone()),
        )
    }

    /// Reads a file.
    pub(crate) fn bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.root.join(path))
    }

    /// Returns `true` if the file exists or is generated.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.generated.contains_key(path) || self.root.join(path).is_file()
    }

    /// Returns `true` if the directory exists.
    pub(crate) fn has_directory(&self, path: &str) -> bool {
        self.root.join(path).is_dir()
    }

    /// Returns the names in a directory, sorted.
    pub(crate) fn names(&self, directory: &str) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(self.root.join(directory))?;
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let mut names = names.collect::<io::Result<Vec<_>>>()?;
        names.retain(|name| !name.starts_with('.'));
        names.sort_unstable();
        Ok(names)
    }

    /// Returns the Markdown files in a directory and those below it, sorted.
    pub(crate) fn pages(&self, directory: &str) -> io::Result<Vec<String>> {
        let mut pages = Vec::new();
        for name in self.names(directory)? {
            let path = path::join(directory, &name).unwrap_or_default();
            if self.has_directory(&path) {
                pages.extend(self.pages(&path)?);
            } else if is_markdown(&name) {
                pages.push(path);
            }
        }
        Ok(pages)
    }
}

/// Returns `true` for the path of a Markdown file.
pub(crate) fn is_markdown(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, extension)| extension == "md")
}
