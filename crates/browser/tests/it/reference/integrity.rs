//! Verifies the hashes on the page; `VOIGHT_UPDATE` updates them.

use crate::reference::page::{PAGE, between};
use std::fmt::Write as _;
use voight_support::assert_committed;

const START: &str = "<!-- integrity -->\n";
const END: &str = "<!-- end of integrity -->";

/// Returns the table of the modules that pages load, with their hashes.
fn table() -> String {
    let mut table = "| module | integrity |\n|---|---|\n".to_owned();
    let pages = voight_browser::assets()
        .filter(|asset| asset.path.starts_with("sdk/") && !asset.path.contains("/server"));
    for asset in pages {
        let _ = writeln!(table, "| `/{}` | `{}` |", asset.path, asset.integrity);
    }
    table
}

#[test]
fn hashes_are_those_of_the_modules() {
    let due = table();
    let found = between(PAGE, START, END);
    let page = PAGE.replace(
        &format!("{START}{found}{END}"),
        &format!("{START}{due}{END}"),
    );
    let remedy = "its hashes are not those of the modules; run VOIGHT_UPDATE=1 cargo test -p voight-browser --test it reference::";
    assert_committed("docs/reference/component.md", page, remedy);
}
