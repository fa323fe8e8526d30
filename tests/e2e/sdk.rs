//! SDKs: each is built as a package, installed from it in a fresh environment, and runs the conformance vectors, a sequence of calls
//! to the real service, and the block of its README.

mod coverage;
mod install;
mod live;
mod lossy_proxy;
mod runner;
mod scripted;
mod vectors;
mod webhooks;

use install::{Installed, go, javascript, python, rust};
use live::Live;
use std::path::Path;
use vectors::Vectors;
use voight_tests::paths;
use voight_tests::skip::skipped;
use voight_tests::test_name;

/// Programs and tools that a test needs, with the reason for a skip if one is missing.
fn is_missing(test: &str, tools: &[&Path]) -> bool {
    let missing = tools.iter().find(|tool| !tool.exists());
    if let Some(tool) = missing {
        skipped(
            test,
            &format!(
                "{} is missing; `cargo xtask test --only setup` installs it",
                tool.display()
            ),
        );
    }
    missing.is_some()
}

/// Runs everything with an installed SDK.
fn verify(installed: &Installed) {
    let vectors = Vectors::read();
    for runner in &installed.runners {
        runner.run_cases(&vectors);
    }
    let live = Live::start();
    for (index, runner) in installed.runners.iter().enumerate() {
        live.run(runner, &vectors, index);
    }
    live.run_block(installed);
}

#[test]
fn helper_in_javascript_follows_the_vectors() {
    let name = test_name!();
    if let Some(missing) = voight_tests::npm::missing() {
        return skipped(name, &missing);
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    verify(&javascript(folder.path()));
}

#[test]
fn clients_in_python_follow_the_vectors() {
    let tools = python::tools();
    if !is_missing(test_name!(), &[&tools]) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        verify(&python::install(folder.path(), &tools));
    }
}

#[test]
fn client_in_go_follows_the_vectors() {
    if !is_missing(test_name!(), &[Path::new(go::PROGRAM)]) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        verify(&go::install(folder.path()));
    }
}

#[test]
fn client_in_rust_follows_the_vectors() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    verify(&rust::install(folder.path()));
}

#[test]
fn page_has_the_blocks_of_the_readmes() {
    let page = read("docs/reference/sdks.md");
    for (readme, block) in [
        ("crates/browser/npm/README.md", install::JAVASCRIPT_FENCE),
        ("crates/sdk/python/README.md", "```python"),
        ("crates/sdk/go/README.md", "```go"),
        ("crates/sdk/rust/README.md", "```rust,no_run"),
    ] {
        let text = install::first_block(&read(readme), block);
        assert!(
            page.contains(&text),
            "docs/reference/sdks.md does not have the block of {readme}:\n{text}"
        );
    }
}

#[test]
fn package_versions_equal_the_service_version() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        (
            "crates/sdk/python/pyproject.toml",
            format!("version = \"{version}\""),
        ),
        (
            "crates/sdk/python/voight/__init__.py",
            format!("__version__ = \"{version}\""),
        ),
        (
            "crates/sdk/go/client.go",
            format!("const Version = \"{version}\""),
        ),
        (
            "crates/sdk/rust/Cargo.toml",
            format!("version = \"{version}\""),
        ),
    ] {
        assert!(
            read(file).lines().any(|file_line| file_line == line),
            "{file} has no line `{line}`"
        );
    }
}

fn read(path: &str) -> String {
    std::fs::read_to_string(paths::repository().join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}
