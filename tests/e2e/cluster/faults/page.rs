//! The guide agrees with the outcomes of these tests.

use super::{ALL, FaultCase};

const PAGE: &str = include_str!("../../../../docs/guides/cluster-with-postgresql.md");

fn row(fault: &FaultCase) -> String {
    let outcomes: Vec<_> = ["200"]
        .iter()
        .chain(fault.seen)
        .map(|outcome| format!("`{outcome}`"))
        .collect();
    format!(
        "| {} | {} | {} |",
        fault.what,
        outcomes.join(", "),
        fault.then
    )
}

#[test]
fn guide_lists_the_effects_on_clients() {
    let rows: Vec<_> = ALL.into_iter().map(row).collect();
    let expected_table = format!(
        "<!-- faults: begin -->\n| what breaks | what clients see | and then |\n|---|---|---|\n{}\n<!-- faults: end -->",
        rows.join("\n")
    );
    assert!(
        PAGE.contains(&expected_table),
        "the guide should have this table:\n{expected_table}"
    );
}
