//! The published page says what the published results say.

use voight_torture::page;

#[test]
fn the_page_holds_the_figures_of_the_result_files_and_no_others() {
    let (page, due) = page::pages().unwrap();
    assert!(page == due, "docs/reliability.md differs from its result files: run `cargo xtask torture --publish`");
}
