//! The hashes on the page; with `VOIGHT_UPDATE` they are put there.

use crate::page::{PAGE, between};
use std::fmt::Write as _;

const START: &str = "<!-- integrity -->\n";
const END: &str = "<!-- end of integrity -->";

/// The modules that pages load, with their hashes.
fn table() -> String {
    let mut table = "| module | integrity |\n|---|---|\n".to_owned();
    let pages =
        voight_browser::assets().filter(|asset| asset.path.starts_with("sdk/") && !asset.path.contains("/server"));
    for asset in pages {
        let _ = writeln!(table, "| `/{}` | `{}` |", asset.path, asset.integrity);
    }
    table
}

#[test]
fn hashes_are_those_of_the_modules() {
    let (due, found) = (table(), between(PAGE, START, END));
    if crate::update::is_update() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/component.md");
        let text = PAGE.replace(&format!("{START}{found}{END}"), &format!("{START}{due}{END}"));
        std::fs::write(file, text).expect("the page is written");
        return;
    }
    assert!(
        found == due,
        "docs/reference/component.md has other hashes than the modules; run VOIGHT_UPDATE=1 cargo test -p voight-browser --test reference"
    );
}
