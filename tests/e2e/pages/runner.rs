//! The runner of suites fails where a suite does.

use crate::pages::run::{lacks_browser, node_tests};
use std::fs;
use voight_tests::clone::Clone;

#[test]
fn missing_failed_or_endless_suite_fails() {
    if lacks_browser("the runner of suites") {
        return;
    }
    let pages = Clone::of_folders(&["tests/e2e/pages"]);
    for (suite, case, passes) in [
        ("good", Some("async () => {}"), true),
        ("absent", None, false),
        (
            "failed",
            Some("async () => { throw new Error('on purpose'); }"),
            false,
        ),
        (
            "endless",
            Some("() => new Promise(() => setInterval(() => {}, 1000))"),
            false,
        ),
    ] {
        if let Some(case) = case {
            let text =
                format!("export const caseMs = 1000;\nexport const cases = {{ one: {case} }};\n");
            fs::write(
                pages
                    .path()
                    .join(format!("tests/e2e/pages/suites/{suite}.mjs")),
                text,
            )
            .expect("a suite");
        }
        let status = node_tests(&pages, "suite.test.mjs", &[suite, "chromium"]);
        assert_eq!(status.success(), passes, "{suite}: {status}");
    }
}
