//! Checks of the npm package from the perspective of its consumers.

use std::process::Command;

use anyhow::Result;

use crate::setup::node;
use crate::workspace::Workspace;
use crate::{package, process};

/// Checkers of the manifest and of the types. The package consists of ES modules only, so problems of `require` are ignored.
const CHECKERS: [(&str, &[&str]); 2] = [
    ("publint", &["run", "--strict"]),
    (
        "attw",
        &[
            "--profile",
            "esm-only",
            "--no-definitely-typed",
            "--no-summary",
            "--no-emoji",
        ],
    ),
];

/// Writes and packs the package, and runs the checkers on it.
pub(super) fn check(workspace: &Workspace) -> Result<Option<String>> {
    let archive = package::write_npm(workspace)?;
    for (checker, arguments) in CHECKERS {
        let mut command = Command::new(
            workspace
                .tools()
                .join("npm/node_modules/.bin")
                .join(checker),
        );
        command
            .current_dir(workspace.root())
            .args(arguments)
            .arg(&archive);
        command.env("PATH", node::search_path(workspace)?);
        process::run(&mut command)?;
    }
    Ok(None)
}
