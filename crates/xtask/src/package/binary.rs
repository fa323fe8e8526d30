//! Binary of the packages: the profile `dist`, linked for an old glibc, with the list of its dependencies inside.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::release::{OLDEST_GLIBC, Release};
use crate::files;
use crate::process;
use crate::release_tool::DIST;
use crate::workspace::Workspace;

/// Flags that replace the macros of date and time in C code. A fixed `SOURCE_DATE_EPOCH` is not sufficient, because Zig reuses an
/// object that it compiled with another one.
const NO_TIME: [&str; 3] = [
    "-Wno-builtin-macro-redefined",
    "-D__DATE__=\"unknown\"",
    "-D__TIME__=\"unknown\"",
];

/// Builds the binary and returns its bytes.
///
/// The paths of the repository, of the target directory and of cargo's home are replaced, so that the bytes do not depend on them.
pub(super) fn build(workspace: &Workspace, release: &Release) -> Result<Vec<u8>> {
    let build_dir = workspace.target();
    let cargo_home = cargo_home()?;
    let remapped_paths = [
        (workspace.root().to_owned(), "/voight"),
        (build_dir.clone(), "/target"),
        (cargo_home, "/cargo"),
    ];
    let rust: Vec<_> = remapped_paths
        .iter()
        .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()))
        .collect();
    let c = remapped_paths
        .iter()
        .map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display()));
    let c: Vec<_> = c.chain(NO_TIME.map(ToOwned::to_owned)).collect();
    let mut command = workspace.cargo();
    command.args([
        "auditable",
        "zigbuild",
        "--locked",
        "--profile",
        DIST,
        "--package",
        "voight",
    ]);
    command
        .arg("--target")
        .arg(format!("{}.{OLDEST_GLIBC}", release.target));
    command.arg("--target-dir").arg(&build_dir);
    command.env("CARGO_ENCODED_RUSTFLAGS", rust.join("\u{1f}"));
    command.env(
        format!("CFLAGS_{}", release.target.replace('-', "_")),
        c.join(" "),
    );
    command.env(
        "CARGO_ZIGBUILD_PYTHON_PATH",
        workspace.package_tools().join("bin/python"),
    );
    command.env("CARGO_ZIGBUILD_CACHE_DIR", build_dir.join("zig"));
    command.env("CARGO_INCREMENTAL", "0");
    process::run(&mut command)?;
    files::read(&build_dir.join(&release.target).join(DIST).join("voight"))
}

/// Returns the directory of cargo, which contains the sources of the dependencies.
fn cargo_home() -> Result<PathBuf> {
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = || std::env::home_dir().map(|home| home.join(".cargo"));
    cargo_home
        .or_else(home)
        .context("the directory of cargo is unknown; set CARGO_HOME")
}

/// Returns the standard output of the packaged program.
pub(super) fn run(program: &Path, arguments: &[&str]) -> Result<String> {
    process::required_output(
        Command::new(program)
            .args(arguments)
            .env("VOIGHT_CONFIG", ""),
    )
}
