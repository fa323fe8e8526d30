//! The published page agrees with the published results.

use voight_detection_eval::page;

#[test]
fn the_page_matches_the_result_files() {
    for file in page::published().unwrap() {
        let name = file.path.display();
        assert!(
            file.current == file.expected,
            "{name} differs from its results: run `cargo xtask detect report --from-results`"
        );
    }
}
