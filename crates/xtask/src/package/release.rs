//! Facts about the release that all packages share.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use serde_json::Value;

use crate::process::required_output;
use crate::workspace::Workspace;

/// Oldest glibc on which the binary starts.
pub(super) const OLDEST_GLIBC: &str = "2.17";

/// Suffix of the commit id if tracked files have changes.
const DIRTY: &str = "-dirty";

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
        let metadata = required_output(workspace.cargo().args([
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
        let version = packages
            .clone()
            .find(|package| package["name"] == "voight")
            .and_then(|app| app["version"].as_str());
        let version = version
            .context("the workspace has no package `voight`")?
            .to_owned();
        let changes = required_output(workspace.git().args([
            "status",
            "--porcelain",
            "--untracked-files=no",
        ]))?;
        let commit = required_output(workspace.git().args(["rev-parse", "HEAD"]))?
            .trim()
            .to_owned();
        let epoch = required_output(workspace.git().args(["log", "-1", "--format=%ct"]))?
            .trim()
            .parse()?;
        let commit = if changes.is_empty() {
            commit
        } else {
            commit + DIRTY
        };
        Ok(Self {
            version,
            commit,
            epoch,
            target,
            metadata,
            out,
        })
    }

    /// Rejects a tag of another version, and a checkout with changes.
    pub(super) fn check_tag(&self, tag: &str) -> Result<()> {
        if tag != format!("v{}", self.version) {
            bail!(
                "the tag is {tag}, and the version is {}; tag the commit that sets the version",
                self.version
            );
        }
        if self.commit.ends_with(DIRTY) {
            bail!(
                "the checkout has changes that are not committed; a release is built from its commit"
            );
        }
        Ok(())
    }

    /// Returns the time of the commit.
    pub(super) fn time(&self) -> Timestamp {
        i64::try_from(self.epoch)
            .ok()
            .and_then(|epoch| Timestamp::from_second(epoch).ok())
            .unwrap_or_default()
    }

    /// Returns the path of an output file.
    pub(super) fn output(&self, name: impl AsRef<Path>) -> PathBuf {
        self.out.join(name)
    }

    /// Returns the architecture in the words of Debian and of container images.
    pub(super) fn debian_arch(&self) -> &'static str {
        if self.target.starts_with("aarch64") {
            "arm64"
        } else {
            "amd64"
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::Release;

    fn release(commit: &str) -> Release {
        let version = "0.2.0".to_owned();
        let target = "x86_64-unknown-linux-gnu".to_owned();
        Release {
            version,
            commit: commit.to_owned(),
            epoch: 0,
            target,
            metadata: Value::Null,
            out: "out".into(),
        }
    }

    #[test]
    fn a_tag_is_that_of_a_committed_version() {
        assert!(release("abc").check_tag("v0.2.0").is_ok());
        let error = release("abc").check_tag("v0.3.0").unwrap_err().to_string();
        assert!(
            error.contains("the tag is v0.3.0, and the version is 0.2.0"),
            "{error}"
        );
        let dirty_error = release("abc-dirty")
            .check_tag("v0.2.0")
            .unwrap_err()
            .to_string();
        assert!(dirty_error.contains("not committed"), "{dirty_error}");
    }

    #[test]
    fn packages_have_the_program_version() {
        let version = env!("CARGO_PKG_VERSION");
        let packages = [
            (
                "crates/browser/package.json",
                format!("\"version\": \"{version}\""),
            ),
            (
                "crates/sdk/go/client.go",
                format!("const Version = \"{version}\""),
            ),
            (
                "crates/sdk/python/voight/__init__.py",
                format!("__version__ = \"{version}\""),
            ),
            (
                "crates/sdk/python/pyproject.toml",
                format!("\nversion = \"{version}\""),
            ),
            (
                "crates/sdk/rust/Cargo.toml",
                format!("\nversion = \"{version}\""),
            ),
            (
                "examples/deploy/compose.yaml",
                format!("image: voight:${{VOIGHT_VERSION:-{version}}}"),
            ),
            (
                "examples/deploy/compose.postgres.yaml",
                format!("image: voight:${{VOIGHT_VERSION:-{version}}}"),
            ),
            (
                "examples/deploy/helm/voight/Chart.yaml",
                format!("\nversion: {version}\nappVersion: {version}\n"),
            ),
        ];
        for (path, text) in packages {
            let file =
                std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR")))
                    .unwrap();
            assert!(
                file.contains(&text),
                "{path} has another version than {version}"
            );
        }
    }

    #[test]
    fn workflow_pins_its_actions() {
        let workflow = include_str!("../../../../.github/workflows/release.yml");
        assert!(workflow.contains("run: cargo xtask package --tag \"$GITHUB_REF_NAME\" --sign "));
        for line in workflow
            .lines()
            .filter_map(|line| line.trim().strip_prefix("- uses: "))
        {
            let (action, version) = line.split_once(" # v").unwrap();
            let (_, digest) = action.split_once('@').unwrap();
            assert!(
                digest.len() == 40 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()),
                "{action}"
            );
            assert!(!version.is_empty());
        }
        assert_eq!(workflow.matches("run: cargo").count(), 1);
    }
}
