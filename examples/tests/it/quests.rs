//! Every quest is started as in its README, in a copy of the repository, and a person and bots submit claims.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use voight_tests::clone::{self, Clone};
use voight_tests::skip::skipped;
use voight_tests::tier::is_full_or_skipped;
use voight_tests::{chromium, npm, paths};

/// Declares a test for each quest, under the name of its directory, and the list of their names. Quests with long
/// installations or builds run in the full tier, and by `cargo xtask examples`.
macro_rules! quests {
    (light: $($light:ident)*; heavy: $($heavy:ident)*;) => {
        $(#[test] fn $light() { follow(stringify!($light)); })*
        $(#[test] fn $heavy() { if is_full_or_skipped(stringify!($heavy)) { follow(stringify!($heavy)); } })*

        const TESTED: &[&str] = &[$(stringify!($light),)* $(stringify!($heavy),)*];
    };
}

quests! {
    light: html node_express python_fastapi;
    heavy: nextjs rainbowkit react_vite rust_axum svelte vue wagmi;
}

/// Follows the README of the quest whose directory has this name, with hyphens.
fn follow(test: &str) {
    let name = test.replace('_', "-");
    let required_programs = [
        Path::new(chromium::PROGRAM),
        &clone::libraries_of_pages().join("puppeteer-core"),
    ];
    let missing = required_programs.into_iter().find(|path| !path.exists());
    let missing = missing.map(|path| {
        format!(
            "{} is missing; `cargo xtask test --only setup` installs it",
            path.display()
        )
    });
    if let Some(reason) = missing.or_else(npm::missing) {
        return skipped(test, &reason);
    }
    let clone = Clone::of_folders(&["crates/sdk", "examples", "tests/e2e/pages"]);
    npm::write(&clone.path().join("target/npm"));
    let status = clone.node_tests(
        "examples/tests/quests/quest.test.mjs",
        &[&name],
        |command| {
            // Builds of the previous run are reused.
            command
                .env("CHROMIUM", chromium::PROGRAM)
                .env("CARGO_TARGET_DIR", paths::target().join("examples"));
        },
    );
    assert!(status.success(), "{name}: {status}; its output is above");
}

#[test]
fn every_quest_has_a_test() {
    let examples = fs::read_dir(paths::repository().join("examples")).expect("the examples");
    let folders = examples.map(|entry| entry.expect("an entry").path());
    let quests: BTreeSet<_> = folders
        .filter(|folder| is_quest(folder))
        .filter_map(|folder| test_of(&folder))
        .collect();
    assert_eq!(quests, TESTED.iter().map(ToString::to_string).collect());
}

/// Returns `true` if the README of this directory describes how to start a quest.
fn is_quest(folder: &Path) -> bool {
    fs::read_to_string(folder.join("README.md"))
        .is_ok_and(|readme| readme.contains("<!-- run: quest -->"))
}

fn test_of(folder: &Path) -> Option<String> {
    Some(folder.file_name()?.to_str()?.replace('-', "_"))
}
