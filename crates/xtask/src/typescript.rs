//! The TypeScript compiler, which reads the types of the browser assets: plain JavaScript with its types in comments.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::setup::node;
use crate::workspace::Workspace;

/// Runs the compiler over the assets by a configuration of their crate, with more arguments.
///
/// Its packages live in the folder of private tools, where no source file would look for them, so that it runs
/// with a small configuration beside them which extends the crate's own.
pub(crate) fn compile(workspace: &Workspace, name: &str, arguments: &[&OsStr]) -> Result<()> {
    let tools = workspace.tools().join("npm");
    let compiler = tools.join("node_modules/.bin/tsc");
    if !compiler.exists() {
        bail!("tsc is not installed; `cargo xtask test --only setup` installs it");
    }
    let project = tools.join(name);
    let text = configuration(&workspace.browser_crate().join(name));
    fs::write(&project, text).with_context(|| format!("cannot write {}", project.display()))?;
    let mut command = Command::new(compiler);
    command.current_dir(workspace.root()).arg("--project").arg(project).args(arguments);
    command.env("PATH", node::search_path(workspace)?);
    process::run(&mut command)
}

/// Files and options are the crate's; only where packages are found is ours. Types are looked for first where
/// they are published apart from their package.
fn configuration(extended: &Path) -> String {
    let extended = extended.to_string_lossy();
    format!(
        r#"{{
  "extends": {extended:?},
  "compilerOptions": {{
    "typeRoots": ["./node_modules/@types"],
    "paths": {{ "*": ["./node_modules/@types/*", "./node_modules/*"] }}
  }}
}}
"#
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::configuration;

    #[test]
    fn the_configuration_extends_the_one_of_the_crate() {
        let text = configuration(Path::new("/a \"b\"/tsconfig.json"));
        assert!(text.contains(r#""extends": "/a \"b\"/tsconfig.json","#), "{text}");
    }
}
