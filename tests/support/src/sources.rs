//! Digests of the sources that a published result depends on, by which a page marks results that are older than their sources.
//!
//! A digest is computed from the contents of files, so it needs no history and does not depend on dates.

mod lock_file;
mod manifest;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use lock_file::LockFile;

/// Digests by the name of a package of the workspace or by a path in the repository. Part of each result.
pub type SourceDigests = BTreeMap<String, String>;

/// Number of hexadecimal digits of a digest.
const DIGITS: usize = 16;
/// Packages of files that the service delivers unread. Results depend on them only if they are named.
const DELIVERED: [&str; 3] = ["voight-book", "voight-browser", "voight-docs"];
/// Entries of a directory that are no sources.
const NO_SOURCES: [&str; 3] = ["target", "node_modules", "__pycache__"];
/// Further entries of the directory of a package that do not change the package.
const NOT_IN_A_PACKAGE: [&str; 2] = ["tests", "README.md"];
/// Beginning of the mark of a stale result.
const STALE: &str = ", **stale**: ";
/// Reason of a stale result without digests.
const WITHOUT_DIGESTS: &str = "its sources were not recorded";

/// Sources that a result depends on.
#[derive(Debug, Clone, Default)]
pub struct TriedSources {
    /// Packages of the workspace. Those that they depend on, and their other dependencies, are included.
    pub packages: Vec<String>,
    /// Packages that the result does not depend on, although one of the others depends on them.
    pub except: Vec<String>,
    /// Files and directories, relative to the root of the repository.
    pub paths: Vec<String>,
}

/// Sources of the repository.
#[derive(Debug)]
pub struct SourceTree {
    root: PathBuf,
    /// Directories of the packages of the workspace, by name.
    packages: BTreeMap<String, String>,
    lock_file: LockFile,
    /// Digests that were computed already; `None` for sources that do not exist.
    digests: RefCell<BTreeMap<String, Option<String>>>,
}

impl SourceTree {
    /// Reads the manifests of the repository at `root`.
    ///
    /// # Errors
    ///
    /// `Cargo.toml` or `Cargo.lock` cannot be read.
    pub fn read(root: &Path) -> io::Result<Self> {
        let text = |name: &str| fs::read_to_string(root.join(name));
        Ok(Self {
            root: root.to_owned(),
            packages: manifest::workspace_packages(&text("Cargo.toml")?),
            lock_file: LockFile::parse(&text("Cargo.lock")?),
            digests: RefCell::default(),
        })
    }

    /// Returns the root of the repository.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the digests to record in a result.
    pub fn digests(&self, tried_sources: &TriedSources) -> SourceDigests {
        let packages = self.with_dependencies(tried_sources);
        let names = packages
            .into_iter()
            .chain(tried_sources.paths.iter().cloned());
        names
            .map(|name| (self.digest(&name).unwrap_or_default(), name))
            .map(|(digest, name)| (name, digest))
            .collect()
    }

    /// Returns the reason for which a result is stale; `None` if its sources are unchanged.
    pub fn stale_reason(&self, digests: &SourceDigests) -> Option<String> {
        if digests.is_empty() {
            return Some(WITHOUT_DIGESTS.to_owned());
        }
        let is_changed =
            |(name, digest): &(&String, &String)| self.digest(name).as_ref() != Some(*digest);
        let changed_parts: Vec<_> = digests
            .iter()
            .filter(is_changed)
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        (!changed_parts.is_empty()).then(|| format!("{} changed since", changed_parts.join(", ")))
    }

    /// Returns the mark that a page shows after a result; empty if its sources are unchanged.
    pub fn stale_mark(&self, digests: &SourceDigests) -> String {
        self.stale_reason(digests)
            .map(|reason| format!("{STALE}{reason}"))
            .unwrap_or_default()
    }

    /// Returns the names of packages with those of the workspace that they depend on.
    fn with_dependencies(&self, tried_sources: &TriedSources) -> BTreeSet<String> {
        let mut packages = BTreeSet::new();
        let mut open = tried_sources.packages.clone();
        while let Some(name) = open.pop() {
            if packages.insert(name.clone()) {
                let dependencies = self.dependencies(&name).into_iter();
                let is_tried = |name: &String| {
                    !DELIVERED.contains(&&**name) && !tried_sources.except.contains(name)
                };
                open.extend(
                    dependencies.filter(|name| self.packages.contains_key(name) && is_tried(name)),
                );
            }
        }
        packages
    }

    /// Returns the direct dependencies of a package of the workspace, other than those of its tests.
    fn dependencies(&self, package: &str) -> Vec<String> {
        let manifest = self
            .packages
            .get(package)
            .map(|folder| self.root.join(folder).join("Cargo.toml"));
        manifest
            .and_then(|path| fs::read_to_string(path).ok())
            .map(|text| manifest::dependencies(&text))
            .unwrap_or_default()
    }

    /// Returns the digest of a package or a path; `None` if it does not exist.
    fn digest(&self, name: &str) -> Option<String> {
        if let Some(digest) = self.digests.borrow().get(name) {
            return digest.clone();
        }
        let digest = match self.packages.get(name) {
            Some(folder) => self.package_digest(name, folder),
            None => self.path_digest(name),
        };
        self.digests
            .borrow_mut()
            .insert(name.to_owned(), digest.clone());
        digest
    }

    /// Returns the digest of the files of a package and of the versions of its dependencies outside of the workspace.
    fn package_digest(&self, package: &str, folder: &str) -> Option<String> {
        let mut hasher = blake3::Hasher::new();
        let folder = self.root.join(folder);
        hash_files(
            &mut hasher,
            &folder,
            &[&NO_SOURCES[..], &NOT_IN_A_PACKAGE].concat(),
        )
        .ok()?;
        let external: Vec<_> = self
            .dependencies(package)
            .into_iter()
            .filter(|name| !self.packages.contains_key(name))
            .collect();
        for version in self.lock_file.versions(&external) {
            hash_text(&mut hasher, version.as_bytes());
        }
        Some(text(&hasher))
    }

    fn path_digest(&self, path: &str) -> Option<String> {
        let mut hasher = blake3::Hasher::new();
        hash_files(&mut hasher, &self.root.join(path), &NO_SOURCES).ok()?;
        Some(text(&hasher))
    }
}

/// Returns a page without the reasons of its stale marks. A commit that changes further sources of a stale result does not have to
/// write the page again.
pub fn without_stale_reasons(page: &str) -> String {
    let mut parts = page.split(STALE);
    let first = parts.next().unwrap_or_default();
    let reason_end = |part: &str| {
        part.find(" |")
            .or_else(|| part.find(['\n', '.']))
            .unwrap_or(part.len())
    };
    let following_parts = parts.map(|part| format!("{STALE}{}", &part[reason_end(part)..]));
    iter::once(first.to_owned())
        .chain(following_parts)
        .collect()
}

fn text(hasher: &blake3::Hasher) -> String {
    hasher.finalize().to_hex()[..DIGITS].to_owned()
}

/// Hashes a text with its length, so that adjacent texts cannot be exchanged.
fn hash_text(hasher: &mut blake3::Hasher, text: &[u8]) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text);
}

/// Hashes the names and contents of a file, or of all files below a directory, in the order of their names.
fn hash_files(hasher: &mut blake3::Hasher, path: &Path, except: &[&str]) -> io::Result<()> {
    if !path.is_dir() {
        hash_text(hasher, &fs::read(path)?);
        return Ok(());
    }
    let mut names = fs::read_dir(path)?
        .map(|entry| Ok(entry?.file_name()))
        .collect::<io::Result<Vec<_>>>()?;
    names.sort();
    for name in names {
        let text = name.to_string_lossy();
        if !text.starts_with('.') && !except.contains(&&*text) {
            hash_text(hasher, text.as_bytes());
            hash_files(hasher, &path.join(&name), except)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
