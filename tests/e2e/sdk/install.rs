//! Packages of the SDKs, built and installed in fresh environments outside of the repository.

pub(crate) mod go;
pub(crate) mod python;
pub(crate) mod rust;

use super::runner::Runner;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use voight_tests::{npm, paths};

/// Fence of the block in the README of the npm package; blocks of pages for browsers have another.
pub(crate) const JAVASCRIPT_FENCE: &str = "```js";

/// Installed SDK.
pub(crate) struct Installed {
    pub(crate) runners: Vec<Runner>,
    /// Creates the program of the README's block, for a service at this URL.
    pub(crate) block: Box<dyn Fn(&str) -> Command>,
}

/// Returns the first block of a page with this fence, without its fences.
pub(crate) fn first_block(page: &str, fence: &str) -> String {
    let (_, rest) = page
        .split_once(&format!("{fence}\n"))
        .unwrap_or_else(|| panic!("no block {fence}"));
    rest.split_once("\n```")
        .expect("the end of the block")
        .0
        .to_owned()
}

/// Installs the npm package.
pub(crate) fn javascript(folder: &Path) -> Installed {
    npm::install(folder);
    let runner = copy("runner.mjs", folder);
    let block = first_block(
        &super::read("crates/browser/npm/README.md"),
        JAVASCRIPT_FENCE,
    );
    let path = folder.join("block.mjs");
    let folder = folder.to_owned();
    Installed {
        runners: vec![Runner {
            name: "JavaScript",
            command: Box::new(move || program("node", &runner)),
        }],
        block: Box::new(move |url| {
            let variables = "const [receipt, eoaAddress, contextId] = ['RECEIPT', 'ADDRESS', 'VOIGHT_CONTEXT'].map((name) => process.env[name]);";
            let text = format!(
                "{variables}\n{}\nconsole.log(verdict, score);\n",
                block.replace("https://voight.example", url)
            );
            fs::write(&path, text).expect("the block is written");
            let mut command = program("node", &path);
            command.current_dir(&folder);
            command
        }),
    }
}

/// Copies a program that runs cases.
fn copy(name: &str, folder: &Path) -> PathBuf {
    let to = folder.join(name);
    fs::copy(
        paths::repository().join("tests/e2e/sdk/runners").join(name),
        &to,
    )
    .expect("a copy of the runner");
    to
}

/// Copies the committed files of an SDK.
fn copy_package(package: &str, to: &Path) {
    for file in paths::committable(&[package]) {
        let target = to.join(file.strip_prefix(package).expect("a file of the package"));
        fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
        fs::copy(paths::repository().join(&file), target).expect("a copy of a file");
    }
}

fn program(name: &str, file: &Path) -> Command {
    let mut command = Command::new(name);
    command.arg(file);
    command
}
