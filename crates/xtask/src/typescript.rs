//! TypeScript compiler, which checks the types in the comments of the JavaScript assets.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::setup::node;
use crate::workspace::Workspace;

/// Runs the compiler on the assets with a configuration of their crate and additional arguments.
///
/// The type packages are in the directory of private tools, which the compiler would not search for a source file. Therefore it
/// runs with a small configuration in that directory, which extends the crate's own.
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
    command
        .current_dir(workspace.root())
        .arg("--project")
        .arg(project)
        .args(arguments);
    command.env("PATH", node::search_path(workspace)?);
    process::run(&mut command)
}

/// Returns a configuration that extends the crate's with the location of packages. Types that are published separately from
/// their package are searched first.
fn configuration(extended: &Path) -> String {
    let extended_path = extended.to_string_lossy();
    format!(
        r#"{{
  "extends": {extended_path:?},
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
    fn configuration_extends_that_of_the_crate() {
        let text = configuration(Path::new("/a \"b\"/tsconfig.json"));
        assert!(
            text.contains(r#""extends": "/a \"b\"/tsconfig.json","#),
            "{text}"
        );
    }
}
