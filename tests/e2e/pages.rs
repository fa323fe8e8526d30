//! Pages with the component: each suite under `pages/suites` runs in Chromium every time, and in Firefox every time or on demand.

mod published;
mod run;
mod runner;

use run::{Browser, run};

/// Declares a module of two tests for each suite.
///
/// The driver of Firefox takes two to three times as long as that of Chromium, so long suites run there by `--run-ignored all`
/// only.
macro_rules! suites {
    (every_time: [$($suite:ident)*] long: [$($long:ident)*]) => {
        $(suites!(@ $suite);)*
        $(suites!(@ $long ignore = "takes long in Firefox");)*

        /// The suites that Firefox runs on demand only.
        const LONG: &[&str] = &[$(stringify!($long)),*];
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
    every_time: [backend blocked demo hosts integrity modals plain privacy]
    long: [access failures hostile languages lifecycle looks properties react speed]
}

/// `docs/reference/embedding.md` has a row for each case of these suites, in their order.
#[test]
fn the_tables_of_hosts_have_a_row_for_every_case() {
    run::compare_rows();
}

/// A page that says what was tried says of each of its suites in which browser it runs when.
#[test]
fn pages_say_which_suites_run_in_firefox() {
    let [hosts, looks] = ["docs/reference/embedding.md", "docs/guides/theming-and-localisation.md"];
    let suites = [(hosts, "hosts"), (hosts, "modals"), (hosts, "blocked"), (hosts, "hostile")];
    for (page, suite) in suites.into_iter().chain([(looks, "access"), (looks, "languages"), (looks, "looks")]) {
        let text = std::fs::read_to_string(voight_tests::paths::repository().join(page)).expect("the page");
        let mut lines = text.lines().filter(|line| line.starts_with("- ") && line.contains(&format!("`{suite}`")));
        let is_on_demand = lines.next().expect("a line of the suite").ends_with("in Firefox with `--run-ignored all`.");
        assert!(lines.next().is_none(), "{page} has more than one line of `{suite}`");
        assert_eq!(is_on_demand, LONG.contains(&suite), "{page} is wrong of `{suite}` in Firefox");
    }
}
