//! npm package `@voight/check`, written from the served files.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use voight_browser::Asset;

use crate::files;
use crate::setup::node;
use crate::workspace::Workspace;
use crate::{process, typescript};

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

/// Writes the package into an empty directory and packs it for publication; returns the archive.
pub(super) fn write(workspace: &Workspace, dir: &Path) -> Result<PathBuf> {
    for asset in voight_browser::assets() {
        if let Some(path) = install_path(asset) {
            files::write(&dir.join(path), asset.bytes)?;
        }
    }
    for (from, to) in OTHER_FILES {
        files::write(&dir.join(to), &files::read(&workspace.root().join(from))?)?;
    }
    declare(workspace, dir)?;
    pack(workspace, dir)
}

fn pack(workspace: &Workspace, dir: &Path) -> Result<PathBuf> {
    let mut command = Command::new("npm");
    command.current_dir(dir).args(["pack", "--ignore-scripts", "--silent", "--pack-destination", "."]);
    command.env("PATH", node::search_path(workspace)?);
    let printed = process::required_output(&mut command)?;
    Ok(dir.join(printed.trim()))
}

/// Returns the path of an asset in the package, if the package contains it.
fn install_path(asset: &Asset) -> Option<String> {
    asset.path.strip_prefix(SERVED).map(|name| format!("{PACKAGED}{name}"))
}

/// Writes the type declarations of the modules, generated from the comments in their sources.
fn declare(workspace: &Workspace, dir: &Path) -> Result<()> {
    typescript::compile(workspace, "tsconfig.package.json", &["--outDir".as_ref(), dir.as_os_str()])
}

#[cfg(test)]
mod tests {
    use super::install_path;

    #[test]
    fn the_package_contains_the_component_and_not_the_window() {
        let placed = |path: &str| voight_browser::asset(path).and_then(install_path);
        assert_eq!(placed("sdk/v1/server.js").as_deref(), Some("assets/sdk/server.js"));
        assert_eq!(placed("window/v1/window.js"), None);
    }
}
