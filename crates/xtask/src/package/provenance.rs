//! Provenance of a release: an in-toto statement with the predicate SLSA Provenance 1.0.
//!
//! It states how to repeat the build. It contains no time and no machine, so that a repeated build writes the same document.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::Result;
use serde_json::json;

use super::release::{OLDEST_GLIBC, Release};
use crate::process::required_output;
use crate::release_tool::DIST;
use crate::workspace::Workspace;

/// Returns the document for the artifacts and the packages of the image, each with its SHA-256 digest.
pub(super) fn write(
    workspace: &Workspace,
    release: &Release,
    artifacts: &BTreeMap<String, String>,
    image_base: &BTreeMap<String, String>,
) -> Result<String> {
    let digest_entry = |(name, digest): (&String, &String)| json!({ "name": name, "digest": { "sha256": digest } });
    let mut materials =
        vec![json!({ "name": "source", "digest": { "gitCommit": release.commit } })];
    materials.extend(image_base.iter().map(digest_entry));
    let zig = required_output(
        Command::new(workspace.package_tools().join("bin/python"))
            .args(["-m", "ziglang", "version"]),
    )?;
    let document = json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": artifacts.iter().map(digest_entry).collect::<Vec<_>>(),
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "https://voight.example/build/xtask-package/v1",
                "externalParameters": { "command": "cargo xtask package", "commit": release.commit },
                "internalParameters": {
                    "target": release.target,
                    "profile": DIST,
                    "glibc": OLDEST_GLIBC,
                    "sourceDateEpoch": release.epoch,
                    "rustc": required_output(Command::new("rustc").arg("--version"))?.trim(),
                    "zig": zig.trim(),
                },
                "resolvedDependencies": materials,
            },
            "runDetails": { "builder": { "id": "https://voight.example/builder/cargo-xtask" } },
        },
    });
    Ok(serde_json::to_string_pretty(&document)?)
}
