//! `cargo xtask metrics`: generates the reference page of the metrics, the alert rules and the dashboard from their table.
//!
//! The table is Rust code of `voight-http`, whose tests write and compare the files.

use std::process::ExitCode;

use anyhow::Result;

use crate::console;
use crate::process;
use crate::workspace::Workspace;

/// Files that the tests of the table write, relative to the repository.
const FILES: [&str; 3] = [
    "docs/reference/metrics.md",
    "examples/deploy/grafana/voight.json",
    "examples/deploy/prometheus/alerts.yaml",
];

/// Rewrites the generated files, or only compares them.
pub(crate) fn run(check_only: bool) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    let mut command = workspace.cargo();
    command.args(["test", "--package", "voight-http", "--lib", "metrics::"]);
    if check_only {
        command.env_remove("VOIGHT_UPDATE");
    } else {
        command.env("VOIGHT_UPDATE", "1").env_remove("CI");
    }
    process::run(&mut command)?;
    for file in FILES {
        console::line(file);
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_committed() {
        let workspace = Workspace::locate().unwrap();
        for file in FILES {
            assert!(workspace.root().join(file).is_file(), "{file}");
        }
    }
}
