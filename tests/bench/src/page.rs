//! Published results: generates `docs/explanation/performance.md` from the result files.

mod goals;
mod plot;
mod result;

pub(crate) use result::SectionResult;

use crate::section::SECTIONS;
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;
use voight_tests::paths::repository;
use voight_tests::publish::replaced;

/// Regenerates the page and its plots.
pub(crate) fn update() -> Result<()> {
    for (path, _, due) in pages()? {
        fs::write(&path, due).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

/// Returns every generated file: its path, its current content, and the content it should have.
fn pages() -> Result<Vec<(PathBuf, String, String)>> {
    let results = SECTIONS.iter().filter_map(|section| SectionResult::read(section.name).transpose());
    let results = results.collect::<Result<Vec<_>>>()?;
    let path = repository().join("docs/explanation/performance.md");
    let page = fs::read_to_string(&path).context("docs/explanation/performance.md cannot be read")?;
    let due = replaced(&page, "goals", &goals::table(&results))
        .context("docs/explanation/performance.md has no marks of goals")?;
    let mut pages = vec![(path, page, due)];
    if let Some(due) = results.iter().find(|result| result.section == "growth").and_then(plot::growth) {
        let path = repository().join("docs/results/performance/growth.svg");
        let is = fs::read_to_string(&path).unwrap_or_default();
        pages.push((path, is, due));
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_what_was_measured() {
        if voight_tests::snapshot::is_update() {
            update().unwrap();
        }
        for (path, is, due) in pages().unwrap() {
            assert!(is == due, "{} has other figures; VOIGHT_UPDATE=1 writes it anew", path.display());
        }
    }
}
