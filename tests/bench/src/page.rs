//! Published results: generates `docs/explanation/performance.md` from the result files.

mod goals;
mod plot;
mod result;

pub(crate) use result::SectionResult;

use crate::section::{PEERS, SECTIONS};
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;
use voight_tests::paths::repository;
use voight_tests::publish::replaced;
use voight_tests::results::source_tree;

/// Regenerates the page and its plots.
pub(crate) fn update() -> Result<()> {
    for (path, _, expected) in pages()? {
        fs::write(&path, expected)
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

/// Returns every generated file: its path, its current content, and the expected content.
fn pages() -> Result<Vec<(PathBuf, String, String)>> {
    let sections = SECTIONS.iter().chain(PEERS);
    let results = sections.filter_map(|section| SectionResult::read(section.name).transpose());
    let results = results.collect::<Result<Vec<_>>>()?;
    let path = repository().join("docs/explanation/performance.md");
    let page =
        fs::read_to_string(&path).context("docs/explanation/performance.md cannot be read")?;
    let source_tree = source_tree()?;
    let goals = goals::table(&results, |sources| source_tree.stale_mark(sources));
    let expected_page = replaced(&page, "goals", &goals)
        .context("docs/explanation/performance.md has no markers of goals")?;
    let mut pages = vec![(path, page, expected_page)];
    if let Some(expected_plot) = results
        .iter()
        .find(|result| result.section == "growth")
        .and_then(plot::growth)
    {
        let path = repository().join("docs/results/performance/growth.svg");
        let current = fs::read_to_string(&path).unwrap_or_default();
        pages.push((path, current, expected_plot));
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_tests::results::without_stale_reasons;

    #[test]
    fn the_page_matches_the_result_files() {
        if voight_support::is_update() {
            update().unwrap();
        }
        for (path, current, expected) in pages().unwrap() {
            let is_same = without_stale_reasons(&current) == without_stale_reasons(&expected);
            assert!(
                is_same,
                "{} is out of date; VOIGHT_UPDATE=1 updates it",
                path.display()
            );
        }
    }
}
