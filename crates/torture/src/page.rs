//! The published table: `docs/reliability.md`, from the result files beside it.

use crate::result::CampaignResult;
use crate::rig::Subject;
use crate::row::Row;
use crate::rows::ROWS;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use voight_tests::paths::repository;

/// What stands around the table.
const BEGIN: &str = "<!-- table: begin -->\n";
const END: &str = "<!-- table: end -->";

/// Where the published result of a row on a subject lies.
pub fn result_path(row: &Row, subject: Subject) -> PathBuf {
    repository().join("docs/reliability").join(format!("{}.{subject}.json", row.name))
}

/// The page as it is, and as it has to be.
pub fn pages() -> Result<(String, String)> {
    let page = fs::read_to_string(page_path()).context("docs/reliability.md cannot be read")?;
    let (before, rest) = page.split_once(BEGIN).context("the page has no begin of its table")?;
    let (_, after) = rest.split_once(END).context("the page has no end of its table")?;
    let due = format!("{before}{BEGIN}{}{END}{after}", table()?);
    Ok((page, due))
}

/// Writes the table into the page.
pub fn update() -> Result<()> {
    let (_, due) = pages()?;
    Ok(fs::write(page_path(), due)?)
}

fn page_path() -> PathBuf {
    repository().join("docs/reliability.md")
}

/// A line for each row and subject.
fn table() -> Result<String> {
    let mut table = String::from(
        "| fault | store | in CI | full run goal | largest run done so far | lost |\n|---|---|---|---|---|---|\n",
    );
    for row in ROWS {
        for subject in row.subjects {
            let result = CampaignResult::read(&result_path(row, *subject))?;
            let (largest, lost) = result.as_ref().map_or_else(|| ("none".to_owned(), String::new()), described);
            let Row { name, unit, in_ci, goal, .. } = row;
            writeln!(table, "| `{name}` | {subject} | {in_ci} {unit} | {goal} | {largest} | {lost} |")?;
        }
    }
    Ok(table)
}

fn described(result: &CampaignResult) -> (String, String) {
    let CampaignResult { units, date, commit, seed, lost, .. } = result;
    (format!("{units}, {date}, commit {commit}, seed {seed}"), lost.to_string())
}
