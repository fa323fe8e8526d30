//! Pages with the component: each suite under `pages/suites` is a test in Chromium and one in Firefox. The driver of Firefox takes two to
//! three times as long as that of Chromium, so most suites run there in the full tier only.

mod published;
mod run;
mod runner;

use run::{Browser, run};
use voight_tests::tier::is_full_or_skipped;

/// Declares a module of two tests for each suite, by the browsers in which it runs in the default tier.
macro_rules! suites {
    (both: [$($both:ident)*] chromium: [$($chromium:ident)*] none: [$($none:ident)*]) => {
        $(suites!(@ $both true, true);)*
        $(suites!(@ $chromium true, is_full_or_skipped(concat!(stringify!($chromium), " in Firefox")));)*
        $(suites!(
            @ $none is_full_or_skipped(concat!(stringify!($none), " in Chromium")),
            is_full_or_skipped(concat!(stringify!($none), " in Firefox"))
        );)*

        /// The suites that run in Firefox in the full tier only.
        const FIREFOX_IN_FULL_TIER: &[&str] = &[$(stringify!($chromium)),*];
    };
    (@ $suite:ident $runs_in_chromium:expr, $runs_in_firefox:expr) => {
        mod $suite {
            use super::*;

            #[test]
            fn chromium() {
                if $runs_in_chromium {
                    run(stringify!($suite), Browser::Chromium);
                }
            }

            #[test]
            fn firefox() {
                if $runs_in_firefox {
                    run(stringify!($suite), Browser::Firefox);
                }
            }
        }
    };
}

suites! {
    both: [integrity plain]
    chromium: [access activation backend blocked demo failures hosts hostile languages lifecycle looks modals privacy properties react site]
    none: [speed]
}

/// `docs/reference/embedding.md` has a row for each case of these suites, in their order.
#[test]
fn tables_of_hosts_have_a_row_for_every_case() {
    run::compare_rows();
}

/// A page that says what was tried says of each of its suites in which browser it runs when.
#[test]
fn pages_list_the_suites_in_firefox() {
    let [hosts, looks] = [
        "docs/reference/embedding.md",
        "docs/guides/theming-and-localisation.md",
    ];
    let suites = [
        (hosts, "hosts"),
        (hosts, "modals"),
        (hosts, "blocked"),
        (hosts, "hostile"),
    ];
    for (page, suite) in
        suites
            .into_iter()
            .chain([(looks, "access"), (looks, "languages"), (looks, "looks")])
    {
        let text = std::fs::read_to_string(voight_tests::paths::repository().join(page))
            .expect("the page");
        let mut lines = text
            .lines()
            .filter(|line| line.starts_with("- ") && line.contains(&format!("`{suite}`")));
        let is_in_full_tier = lines
            .next()
            .expect("a line of the suite")
            .ends_with("in Firefox in the full tier.");
        assert!(
            lines.next().is_none(),
            "{page} has more than one line of `{suite}`"
        );
        assert_eq!(
            is_in_full_tier,
            FIREFOX_IN_FULL_TIER.contains(&suite),
            "{page} is wrong of `{suite}` in Firefox"
        );
    }
}
