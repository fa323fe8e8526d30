//! Comparison with public detectors on the same sessions.

use super::bot_corpus::{BotCorpusResult, BotFamily};
use crate::table;

/// Returns a row for each family that a public detector judged as well.
pub(super) fn table(zoo: &BotCorpusResult) -> String {
    let judged: Vec<&BotFamily> =
        zoo.families.iter().filter(|family| family.botd.is_some() || family.isbot.is_some()).collect();
    if judged.is_empty() {
        return "Not measured yet: `cargo xtask detect zoo` asks the other detectors.\n".to_owned();
    }
    let count = |value: Option<usize>| value.map_or_else(|| "-".to_owned(), |count| count.to_string());
    let rows = judged.into_iter().map(|family| {
        let BotFamily { name, sessions, stopped, botd, isbot, .. } = family;
        [name.clone(), sessions.to_string(), stopped.to_string(), count(*botd), count(*isbot)]
    });
    table::table(["family", "sessions", "Voight: flagged or refused", "BotD: bot", "isbot: bot"], rows)
}
