//! Comparison with public detectors on the same sessions.

use super::bot_corpus::{BotCorpusResult, BotFamily};
use crate::table;

/// Returns a row for each family that a public detector also evaluated.
pub(super) fn table(bot_corpus: &BotCorpusResult) -> String {
    let families: Vec<&BotFamily> = bot_corpus
        .families
        .iter()
        .filter(|family| family.botd.is_some() || family.isbot.is_some())
        .collect();
    if families.is_empty() {
        return "Not measured yet: `cargo xtask detect bots` runs the other detectors.\n"
            .to_owned();
    }
    let count =
        |value: Option<usize>| value.map_or_else(|| "-".to_owned(), |count| count.to_string());
    let rows = families.into_iter().map(|family| {
        let BotFamily {
            name,
            sessions,
            stopped,
            botd,
            isbot,
            ..
        } = family;
        [
            name.clone(),
            sessions.to_string(),
            stopped.to_string(),
            count(*botd),
            count(*isbot),
        ]
    });
    table::table(
        [
            "family",
            "sessions",
            "Voight: flagged or rejected",
            "BotD: bot",
            "isbot: bot",
        ],
        rows,
    )
}
