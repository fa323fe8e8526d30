//! Published page `docs/explanation/detection.md`, generated from the result files beside it.

mod bot_corpus;
mod comparison;
mod diagram;
mod goal;
mod goals;
mod kind;
mod result;

pub use result::CorpusResult;

use crate::table;
use anyhow::{Context, Result};
use bot_corpus::BotCorpusResult;
use std::fs;
use std::path::PathBuf;
use voight_tests::paths::repository;
use voight_tests::publish::replaced;
use voight_tests::results::{SourceTree, source_tree};

/// Published file, with its current and its expected contents.
pub struct Published {
    /// Path of the file.
    pub path: PathBuf,
    /// Current contents; empty if the file does not exist.
    pub current: String,
    /// Expected contents.
    pub expected: String,
}

/// Returns all files that are generated from result files.
pub fn published() -> Result<Vec<Published>> {
    let corpus = CorpusResult::read(&results().join("corpus.json"))?;
    let bot_corpus = BotCorpusResult::read(&results().join("bot-corpus.json"))?;
    let path = docs().join("explanation/detection.md");
    let page =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let diagram = diagram::svg(&corpus.measured.details.reliability);
    let expected_page = render_page(&page, &corpus, &bot_corpus, &source_tree()?)?;
    Ok(vec![
        Published {
            path,
            expected: expected_page,
            current: page,
        },
        file(results().join("reliability.svg"), diagram),
    ])
}

/// Writes the published files.
pub fn update() -> Result<()> {
    for file in published()? {
        fs::write(&file.path, file.expected)
            .with_context(|| format!("cannot write {}", file.path.display()))?;
    }
    Ok(())
}

/// Returns the directory of result files.
pub fn results() -> PathBuf {
    docs().join("results/detection")
}

fn docs() -> PathBuf {
    repository().join("docs")
}

fn file(path: PathBuf, expected: String) -> Published {
    let current = fs::read_to_string(&path).unwrap_or_default();
    Published {
        path,
        current,
        expected,
    }
}

/// Replaces every generated part of the page.
fn render_page(
    page: &str,
    corpus: &CorpusResult,
    bot_corpus: &BotCorpusResult,
    source_tree: &SourceTree,
) -> Result<String> {
    let results = &corpus.measured;
    let parts = [
        ("goals", goals::table(corpus, bot_corpus)),
        ("families", table::families(results)),
        ("bots", bot_corpus.table(source_tree)),
        ("people", table::people(results)),
        ("tools", table::tools(results)),
        ("abstentions", table::abstentions(results)),
        ("replay", table::replay(results)),
        ("calibration", table::calibration(results)),
        ("comparison", comparison::table(bot_corpus)),
        ("cost", table::cost(results)),
        (
            "origin",
            corpus.origin(&source_tree.stale_mark(&corpus.sources)),
        ),
    ];
    parts
        .into_iter()
        .try_fold(page.to_owned(), |page, (name, text)| {
            replaced(&page, name, &text)
                .with_context(|| format!("docs/explanation/detection.md has no markers of {name}"))
        })
}
