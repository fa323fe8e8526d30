//! Facts about the release that all packages share.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use jiff::Timestamp;
use serde_json::Value;

use crate::process;
use crate::workspace::Workspace;

/// Oldest glibc on which the binary starts.
pub(super) const OLDEST_GLIBC: &str = "2.17";

/// One release, built from the current commit.
#[derive(Debug)]
pub(super) struct Release {
    /// Version of the program.
    pub(super) version: String,
    /// Commit id, with the suffix `-dirty` if tracked files have changes.
    pub(super) commit: String,
    /// Time of the commit, in seconds since 1970: the modification time of every packaged file.
    pub(super) epoch: u64,
    /// Target triple of this machine, for example `x86_64-unknown-linux-gnu`.
    pub(super) target: String,
    /// Metadata of the packages that the binary contains, from `cargo metadata`.
    pub(super) metadata: Value,
    /// Output directory.
    pub(super) out: PathBuf,
}

impl Release {
    /// Collects the facts about the current commit.
    pub(super) fn describe(workspace: &Workspace, out: PathBuf) -> Result<Self> {
        let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let metadata = text(workspace.cargo().args([
            "metadata",
            "--locked",
            "--format-version=1",
            "--filter-platform",
            &target,
            "--manifest-path",
            "crates/app/Cargo.toml",
        ]))?;
        let metadata: Value = serde_json::from_str(&metadata)?;
        let packages = metadata["packages"].as_array().into_iter().flatten();
        let version =
            packages.clone().find(|package| package["name"] == "voight").and_then(|app| app["version"].as_str());
        let version = version.context("the workspace has no package `voight`")?.to_owned();
        let changes = text(workspace.git().args(["status", "--porcelain", "--untracked-files=no"]))?;
        let commit = text(workspace.git().args(["rev-parse", "HEAD"]))?.trim().to_owned();
        let epoch = text(workspace.git().args(["log", "-1", "--format=%ct"]))?.trim().parse()?;
        let commit = if changes.is_empty() { commit } else { format!("{commit}-dirty") };
        Ok(Self { version, commit, epoch, target, metadata, out })
    }

    /// Returns the time of the commit.
    pub(super) fn time(&self) -> Timestamp {
        i64::try_from(self.epoch).ok().and_then(|epoch| Timestamp::from_second(epoch).ok()).unwrap_or_default()
    }

    /// Returns the path of an output file.
    pub(super) fn output(&self, name: impl AsRef<Path>) -> PathBuf {
        self.out.join(name)
    }

    /// Returns the architecture in the words of Debian and of container images.
    pub(super) fn debian_arch(&self) -> &'static str {
        if self.target.starts_with("aarch64") { "arm64" } else { "amd64" }
    }
}

/// Returns the standard output of a command that must succeed.
pub(super) fn text(command: &mut Command) -> Result<String> {
    process::output(command).with_context(|| format!("`{}` failed", process::command_line(command)))
}
