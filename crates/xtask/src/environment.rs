//! Environment variables that black-box tests and tools rely on; see the README.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::setup::node;
use crate::workspace::Workspace;

/// Sets the variables for the service's `binary`, the private tools and the recordings.
pub(crate) fn provide(command: &mut Command, workspace: &Workspace, binary: &Path) -> Result<()> {
    command.env("VOIGHT_BIN", binary);
    command.env("VOIGHT_TOOLS", workspace.tools());
    if workspace.is_full_tier() {
        command.env("VOIGHT_FULL", "1");
    }
    if std::env::var_os("VOIGHT_CORPUS").is_none() {
        command.env("VOIGHT_CORPUS", workspace.default_corpus());
    }
    command.env("PATH", node::search_path(workspace)?);
    Ok(())
}
