//! `cargo xtask assets`: builds the files that the binary embeds from the sources of the browser crate.
//!
//! esbuild builds the modules, and the TypeScript compiler the type declarations of the npm package.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::setup::{self, node};
use crate::workspace::Workspace;
use crate::{console, process, typescript};

/// Directories of the browser crate that are built: modules, and the type declarations of the npm package.
const BUILT: [&str; 2] = ["dist", "npm/assets"];

/// Contents of a directory by path.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Installs the tools if they are missing, then rebuilds the committed files, or only compares them.
pub(crate) fn run(check_only: bool) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    setup::ensure_browser_tools(&workspace)?;
    if check_only {
        check(&workspace)?;
        console::line("the built files of crates/browser are up to date");
        return Ok(ExitCode::SUCCESS);
    }
    let built_files = build(&workspace)?;
    let crate_dir = workspace.browser_crate();
    for directory in BUILT {
        empty(&crate_dir.join(directory))?;
    }
    for (path, bytes) in &built_files {
        write(&crate_dir.join(path), bytes)?;
    }
    console::line(format_args!(
        "{} files in {}; commit them with their sources",
        built_files.len(),
        crate_dir.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// Rebuilds the files and compares them with the committed ones.
pub(crate) fn check(workspace: &Workspace) -> Result<Option<String>> {
    let differences = differences(&read_built(&workspace.browser_crate())?, &build(workspace)?);
    if !differences.is_empty() {
        bail!(
            "the built files of crates/browser are out of date: {}; run `cargo xtask assets` and commit the result",
            differences.join(", ")
        );
    }
    Ok(None)
}

fn build(workspace: &Workspace) -> Result<Files> {
    let out = workspace.assets();
    empty(&out)?;
    for directory in BUILT {
        empty(&out.join(directory))?;
    }
    let mut command = Command::new("node");
    command.current_dir(workspace.root());
    command
        .arg(workspace.browser_crate().join("build.mjs"))
        .arg(workspace.tools().join("npm"))
        .arg(out.join("dist"));
    command.env("PATH", node::search_path(workspace)?);
    process::run(&mut command)?;
    typescript::compile(
        workspace,
        "tsconfig.package.json",
        &["--outDir".as_ref(), out.join("npm").as_os_str()],
    )?;
    read_built(&out)
}

/// Reads the built files below a directory.
fn read_built(root: &Path) -> Result<Files> {
    let mut files = Files::new();
    for directory in BUILT {
        let directory_files = read(&root.join(directory))?;
        files.extend(
            directory_files
                .into_iter()
                .map(|(path, bytes)| (Path::new(directory).join(path), bytes)),
        );
    }
    Ok(files)
}

/// Returns the paths whose contents differ, each with the kind of difference.
fn differences(committed: &Files, built: &Files) -> Vec<String> {
    let mut differences = Vec::new();
    for (path, bytes) in built {
        match committed.get(path) {
            None => differences.push(format!("{} is missing", path.display())),
            Some(other) if other != bytes => {
                differences.push(format!("{} differs", path.display()));
            }
            Some(_) => {}
        }
    }
    let surplus = committed.keys().filter(|path| !built.contains_key(*path));
    differences.extend(surplus.map(|path| format!("{} has no source", path.display())));
    differences
}

fn read(root: &Path) -> Result<Files> {
    let mut files = Files::new();
    let mut directories = vec![root.to_path_buf()];
    while let Some(directory) = directories.pop() {
        let entries = fs::read_dir(&directory)
            .with_context(|| format!("cannot read {}", directory.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                directories.push(path);
            } else {
                let bytes =
                    fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
                files.insert(path.strip_prefix(root)?.to_path_buf(), bytes);
            }
        }
    }
    Ok(files)
}

fn empty(directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot empty {}", directory.display()))?;
    }
    fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let directory = path.parent().context("a file in a directory")?;
    fs::create_dir_all(directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{Files, differences};

    fn files(named: &[(&str, &str)]) -> Files {
        named
            .iter()
            .map(|(path, text)| (path.into(), text.as_bytes().to_vec()))
            .collect()
    }

    #[test]
    fn differing_files_are_listed() {
        let committed_files = files(&[("a.js", "1"), ("b.js", "old"), ("gone.js", "")]);
        let built_files = files(&[("a.js", "1"), ("b.js", "new"), ("new.js", "")]);
        assert_eq!(
            differences(&committed_files, &built_files),
            ["b.js differs", "new.js is missing", "gone.js has no source"]
        );
        assert!(differences(&built_files, &built_files).is_empty());
    }
}
