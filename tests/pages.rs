//! Pages with the component: each suite under `pages/suites` runs in Chromium and in Firefox.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

#[path = "pages/published.rs"]
mod published;
#[path = "pages/run.rs"]
mod run;

use run::{Browser, run, titles};

/// Declares a module of two tests for each suite.
///
/// The driver of Firefox takes two to three times as long as that of Chromium, so long suites run there by `--run-ignored all`
/// only.
macro_rules! suites {
    (every_time: [$($suite:ident)*] long: [$($long:ident)*]) => {
        $(suites!(@ $suite);)*
        $(suites!(@ $long ignore = "takes long in Firefox");)*
    };
    (@ $suite:ident $($ignored:meta)?) => {
        mod $suite {
            use super::{Browser, run};

            #[test]
            fn chromium() {
                run(stringify!($suite), Browser::Chromium);
            }

            #[test]
            $(#[$ignored])?
            fn firefox() {
                run(stringify!($suite), Browser::Firefox);
            }
        }
    };
}

suites! {
    every_time: [backend demo integrity plain privacy]
    long: [access blocked failures hostile hosts languages lifecycle looks modals properties react speed]
}

/// `docs/hosts.md` has a row for each case of these suites, in their order.
#[test]
fn the_tables_of_hosts_have_a_row_for_every_case() {
    let Some(titles) = titles(&["hosts", "modals", "blocked", "hostile"]) else { return };
    let text = std::fs::read_to_string(voight_tests::paths::repository().join("docs/hosts.md")).expect("the page");
    let mut rows = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let row = line.strip_prefix("| ").filter(|_| inside);
        rows.extend(row.and_then(|row| row.split(" | ").next()).map(str::to_owned));
        inside = line.starts_with("|---") || line.starts_with('|') && inside;
    }
    assert_eq!(rows, titles);
}
