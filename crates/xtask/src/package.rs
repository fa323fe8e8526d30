//! `cargo xtask package`: writes the npm package `@voight/check` from the served files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use voight_browser::Asset;

use crate::setup::{self, node};
use crate::workspace::Workspace;
use crate::{console, process, typescript};

/// Path prefix of the package's modules in the service. In the package they have the same relative paths as in the repository,
/// by which their types refer to each other.
const SERVED: &str = "sdk/v1/";
const PACKAGED: &str = "assets/sdk/";

/// Other files of the package: path in the repository, and path in the package.
const OTHER_FILES: [(&str, &str); 4] = [
    ("crates/browser/package.json", "package.json"),
    ("crates/browser/npm/README.md", "README.md"),
    ("crates/browser/types/voight.d.ts", "types/voight.d.ts"),
    ("LICENSE", "LICENSE"),
];

/// Installs the required tools, and writes the package to a directory.
pub(crate) fn run(to: Option<PathBuf>) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    setup::ensure_browser_tools(&workspace)?;
    let dir = std::path::absolute(to.unwrap_or_else(|| workspace.npm_package()))?;
    let archive = write(&workspace, &dir)?;
    console::line(format_args!("the package is written; install it with: npm install {}", archive.display()));
    Ok(ExitCode::SUCCESS)
}

/// Rewrites the package and packs it for publication; returns the archive.
pub(crate) fn write(workspace: &Workspace, dir: &Path) -> Result<PathBuf> {
    if dir == workspace.npm_package() && dir.exists() {
        fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display()))?;
    }
    ensure_empty(dir)?;
    for asset in voight_browser::assets() {
        if let Some(path) = install_path(asset) {
            write_file(&dir.join(path), asset.bytes)?;
        }
    }
    for (from, to) in OTHER_FILES {
        let from = workspace.root().join(from);
        let bytes = fs::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
        write_file(&dir.join(to), &bytes)?;
    }
    declare(workspace, dir)?;
    pack(workspace, dir)
}

/// Rejects a directory with content, which may belong to the user.
fn ensure_empty(dir: &Path) -> Result<()> {
    if dir.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        bail!(
            "{} is not empty; name an empty directory, or none to replace the one in the target directory",
            dir.display()
        );
    }
    Ok(())
}

fn pack(workspace: &Workspace, dir: &Path) -> Result<PathBuf> {
    let mut command = Command::new("npm");
    command.current_dir(dir).args(["pack", "--ignore-scripts", "--silent", "--pack-destination", "."]);
    command.env("PATH", node::search_path(workspace)?);
    let printed =
        process::output(&mut command).with_context(|| format!("`{}` failed", process::command_line(&command)))?;
    Ok(dir.join(printed.trim()))
}

/// Returns the path of an asset in the package, if the package contains it.
fn install_path(asset: &Asset) -> Option<String> {
    asset.path.strip_prefix(SERVED).map(|name| format!("{PACKAGED}{name}"))
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let dir = path.parent().context("a file in a directory")?;
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes the type declarations of the modules, generated from the comments in their sources.
fn declare(workspace: &Workspace, dir: &Path) -> Result<()> {
    typescript::compile(workspace, "tsconfig.package.json", &["--outDir".as_ref(), dir.as_os_str()])
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{ensure_empty, install_path};

    #[test]
    fn a_directory_with_content_is_rejected_and_unchanged() {
        let dir = std::env::temp_dir().join(format!("xtask-package-{}", std::process::id()));
        ensure_empty(&dir).unwrap();
        fs::create_dir_all(&dir).unwrap();
        ensure_empty(&dir).unwrap();
        fs::write(dir.join("package.json"), "{}").unwrap();
        let error = ensure_empty(&dir).unwrap_err().to_string();
        assert!(error.contains("is not empty; name an empty directory"), "{error}");
        assert!(dir.join("package.json").exists());
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn the_package_contains_the_component_and_not_the_window() {
        let placed = |path: &str| voight_browser::asset(path).and_then(install_path);
        assert_eq!(placed("sdk/v1/server.js").as_deref(), Some("assets/sdk/server.js"));
        assert_eq!(placed("window/v1/window.js"), None);
    }
}
