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
const BESIDE: [(&str, &str); 4] = [
    ("crates/browser/package.json", "package.json"),
    ("crates/browser/npm/README.md", "README.md"),
    ("crates/browser/types/voight.d.ts", "types/voight.d.ts"),
    ("LICENSE", "LICENSE"),
];

/// Installs the required tools, and writes the package to a directory.
pub(crate) fn run(to: Option<PathBuf>) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    setup::ensure_browser_tools(&workspace)?;
    let folder = std::path::absolute(to.unwrap_or_else(|| workspace.npm_package()))?;
    let archive = write(&workspace, &folder)?;
    console::line(format_args!("the package is written; install it with: npm install {}", archive.display()));
    Ok(ExitCode::SUCCESS)
}

/// Rewrites the package and packs it for publication; returns the archive.
pub(crate) fn write(workspace: &Workspace, folder: &Path) -> Result<PathBuf> {
    if folder == workspace.npm_package() && folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    refuse_used(folder)?;
    for asset in voight_browser::assets() {
        if let Some(path) = install_path(asset) {
            put(&folder.join(path), asset.bytes)?;
        }
    }
    for (from, to) in BESIDE {
        let from = workspace.root().join(from);
        let bytes = fs::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
        put(&folder.join(to), &bytes)?;
    }
    declare(workspace, folder)?;
    pack(workspace, folder)
}

/// Rejects a directory with content, which may belong to the user.
fn refuse_used(folder: &Path) -> Result<()> {
    if folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        bail!(
            "{} is not empty; name a folder that is, or none to renew the one in the target folder",
            folder.display()
        );
    }
    Ok(())
}

fn pack(workspace: &Workspace, folder: &Path) -> Result<PathBuf> {
    let mut command = Command::new("npm");
    command.current_dir(folder).args(["pack", "--ignore-scripts", "--silent", "--pack-destination", "."]);
    command.env("PATH", node::search_path(workspace)?);
    let printed =
        process::output(&mut command).with_context(|| format!("`{}` failed", process::command_line(&command)))?;
    Ok(folder.join(printed.trim()))
}

/// Returns the path of an asset in the package, if the package contains it.
fn install_path(asset: &Asset) -> Option<String> {
    asset.path.strip_prefix(SERVED).map(|name| format!("{PACKAGED}{name}"))
}

fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("a file in a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes the type declarations of the modules, generated from the comments in their sources.
fn declare(workspace: &Workspace, folder: &Path) -> Result<()> {
    typescript::compile(workspace, "tsconfig.package.json", &["--outDir".as_ref(), folder.as_os_str()])
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{install_path, refuse_used};

    #[test]
    fn a_folder_that_is_used_is_refused_and_stays() {
        let folder = std::env::temp_dir().join(format!("xtask-package-{}", std::process::id()));
        refuse_used(&folder).unwrap();
        fs::create_dir_all(&folder).unwrap();
        refuse_used(&folder).unwrap();
        fs::write(folder.join("package.json"), "{}").unwrap();
        let error = refuse_used(&folder).unwrap_err().to_string();
        assert!(error.contains("is not empty; name a folder that is"), "{error}");
        assert!(folder.join("package.json").exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_component_is_of_the_package_and_the_window_is_not() {
        let placed = |path: &str| voight_browser::asset(path).and_then(install_path);
        assert_eq!(placed("sdk/v1/server.js").as_deref(), Some("assets/sdk/server.js"));
        assert_eq!(placed("window/v1/window.js"), None);
    }
}
