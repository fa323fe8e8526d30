//! The published page agrees with the published results.

use voight_detection_eval::page;
use voight_tests::results::without_stale_reasons;

#[test]
fn the_page_matches_the_result_files() {
    for file in page::published().unwrap() {
        let name = file.path.display();
        assert!(
            without_stale_reasons(&file.current) == without_stale_reasons(&file.expected),
            "{name} differs from its results: run `cargo xtask detect report --from-results`"
        );
    }
}
