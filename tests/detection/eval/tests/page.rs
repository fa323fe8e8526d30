//! The published page agrees with the published results.

use voight_detection_eval::page;

#[test]
fn the_page_holds_the_figures_of_the_result_files_and_no_others() {
    for file in page::published().unwrap() {
        let name = file.path.display();
        assert!(
            file.found == file.due,
            "{name} differs from its results: run `cargo xtask detect report --from-results`"
        );
    }
}
