//! Licence texts of the packages that the program contains.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::release::Release;
use super::sbom;
use crate::files;

/// First words of the names of licence files.
const LICENCE_FILES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

/// Returns the document: each text once, after the packages that have it.
pub(super) fn write(release: &Release) -> Result<String> {
    let mut packages_by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let graph = sbom::graph(&release.metadata)?;
    let packages = release.metadata["packages"]
        .as_array()
        .into_iter()
        .flatten();
    // Packages without a source are those of this workspace.
    for package in packages.filter(|package| !package["source"].is_null()) {
        let id = package["id"].as_str().context("a package with an id")?;
        if !graph.contains_key(id) {
            continue;
        }
        let word = |key: &str| package[key].as_str().unwrap_or_default();
        let name = format!("{} {} ({})", word("name"), word("version"), word("license"));
        let dir = Path::new(word("manifest_path"))
            .parent()
            .context("a manifest in a directory")?;
        let texts = texts(dir)?;
        if texts.is_empty() && word("license").is_empty() {
            bail!("the package {name} has neither a licence nor a licence file; replace it");
        }
        if texts.is_empty() {
            let text = format!(
                "This package contains no licence text; see {}",
                word("repository")
            );
            packages_by_text.entry(text).or_default().push(name);
            continue;
        }
        for text in texts {
            packages_by_text.entry(text).or_default().push(name.clone());
        }
    }
    let mut entries: Vec<_> = packages_by_text
        .into_iter()
        .map(|(text, packages)| (packages, text))
        .collect();
    entries.sort();
    let mut document = "Voight contains the following packages.\n".to_owned();
    for (packages, text) in entries {
        let _ = write!(
            document,
            "\n{}\n{}\n\n{text}\n",
            "=".repeat(80),
            packages.join("\n")
        );
    }
    Ok(document)
}

/// Returns the licence texts in the directory of a package.
fn texts(dir: &Path) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for entry in dir
        .read_dir()
        .with_context(|| format!("cannot list {}", dir.display()))?
    {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if entry.file_type()?.is_file() && LICENCE_FILES.iter().any(|first| name.starts_with(first))
        {
            paths.push(entry.path());
        }
    }
    paths.sort();
    let text = |path: &std::path::PathBuf| {
        let text = String::from_utf8_lossy(&files::read(path)?).replace("\r\n", "\n");
        Ok(text.trim().to_owned())
    };
    paths.iter().map(text).collect()
}
