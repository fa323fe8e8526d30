//! npm package as a platform receives it.

use crate::command::must_succeed;
use crate::paths;
use std::path::{Path, PathBuf};
use std::process::Command;

const SET_UP: &str = "`cargo xtask test --only setup` installs it";

/// Returns the reason why packages cannot be made or used on this machine, if any.
pub fn missing() -> Option<String> {
    let programs = [tool(), paths::tools().join("npm/node_modules/.bin/tsc")];
    programs
        .into_iter()
        .find(|path| !path.exists())
        .map(|path| format!("{} is missing; {SET_UP}", path.display()))
}

/// Writes and packs the package in a directory.
pub fn write(folder: &Path) {
    must_succeed(
        Command::new(tool())
            .args(["package", "--only", "npm", "--out"])
            .arg(folder),
    );
}

/// Writes and packs the package, and installs it in `project`. Returns the directory of the package.
///
/// The directory is in `node_modules`, beside the development tools and libraries of the browser assets.
pub fn install(project: &Path) -> PathBuf {
    let written_dir = project.join("written");
    write(&written_dir);
    let modules = project.join("node_modules");
    let package = modules.join("@voight/check");
    std::fs::create_dir_all(&package).expect("a folder for the package");
    for library in
        std::fs::read_dir(paths::tools().join("npm/node_modules")).expect("the libraries")
    {
        let library = library.expect("a library");
        std::os::unix::fs::symlink(library.path(), modules.join(library.file_name()))
            .expect("a link to a library");
    }
    let archive = archive(&written_dir);
    must_succeed(
        Command::new("tar")
            .arg("-xzf")
            .arg(archive)
            .args(["--strip-components=1", "-C"])
            .arg(&package),
    );
    package
}

/// Returns the only archive in the directory of the package.
fn archive(written_dir: &Path) -> PathBuf {
    let files = std::fs::read_dir(written_dir)
        .expect("the package")
        .map(|entry| entry.expect("a file").path());
    files
        .into_iter()
        .find(|path| path.extension().is_some_and(|extension| extension == "tgz"))
        .expect("an archive")
}

/// Returns the path of `xtask`, which a build of the workspace leaves beside the tests.
fn tool() -> PathBuf {
    paths::target().join("debug/xtask")
}
