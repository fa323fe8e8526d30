//! The guide agrees with the outcomes of these tests.

use super::{ALL, FaultCase};

const PAGE: &str = include_str!("../../../../docs/guides/cluster-with-postgresql.md");

fn row(fault: &FaultCase) -> String {
    let seen: Vec<_> = ["200"]
        .iter()
        .chain(fault.seen)
        .map(|what| format!("`{what}`"))
        .collect();
    format!("| {} | {} | {} |", fault.what, seen.join(", "), fault.then)
}

#[test]
fn guide_lists_the_effects_on_clients() {
    let rows: Vec<_> = ALL.into_iter().map(row).collect();
    let expected = format!(
        "<!-- faults: begin -->\n| what breaks | what clients see | and then |\n|---|---|---|\n{}\n<!-- faults: end -->",
        rows.join("\n")
    );
    assert!(
        PAGE.contains(&expected),
        "the guide should have this table:\n{expected}"
    );
}
