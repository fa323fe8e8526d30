//! Pages with the component, in every browser there is: each suite under `pages/suites` is run in Chromium and in Firefox.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

#[path = "pages/published.rs"]
mod published;
#[path = "pages/run.rs"]
mod run;

use run::{Browser, run};

/// A module of two tests for each suite.
macro_rules! suites {
    ($($suite:ident)*) => {
        $(mod $suite {
            use super::{Browser, run};

            #[test]
            fn chromium() {
                run(stringify!($suite), Browser::Chromium);
            }

            #[test]
            fn firefox() {
                run(stringify!($suite), Browser::Firefox);
            }
        })*
    };
}

suites! {
    access
    demo
    languages
    looks
    plain
    privacy
    speed
}
