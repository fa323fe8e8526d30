//! Result as text.

use voight_bot_corpus::result::{BotCorpusResult, FamilyResult};
use voight_tests::table::aligned;

const HEAD: [&str; 10] = [
    "family",
    "kind",
    "sessions",
    "completed",
    "flagged",
    "rejected",
    "broken",
    "BotD",
    "nats",
    "rules",
];
/// Columns without numbers.
const TEXTS: [usize; 3] = [0, 1, 9];

/// Formats a line for each family, and the families that could not be run.
pub(crate) fn table(result: &BotCorpusResult) -> String {
    let rows: Vec<_> = [HEAD.map(str::to_owned).to_vec()]
        .into_iter()
        .chain(result.families.iter().map(row))
        .collect();
    let skip_lines = result
        .skipped
        .iter()
        .map(|family| format!("SKIPPED {}: {}", family.name, family.reason));
    [aligned(&rows, &TEXTS)]
        .into_iter()
        .chain(skip_lines)
        .collect::<Vec<_>>()
        .join("\n")
}

fn row(family: &FamilyResult) -> Vec<String> {
    let FamilyResult {
        name,
        kind,
        sessions,
        completed,
        flagged,
        rejected,
        broken,
        ..
    } = family;
    let counts = [sessions, completed, flagged, rejected, broken].map(ToString::to_string);
    let botd = family
        .botd
        .map_or_else(|| "-".to_owned(), |count| count.to_string());
    let nats = family
        .median_bot
        .map_or_else(|| "-".to_owned(), |nats| format!("{nats:.1}"));
    let causes = family.rules.iter().chain(&family.rejections);
    let causes: Vec<_> = causes
        .map(|(rule, count)| format!("{rule} {count}"))
        .chain(family.faults.iter().cloned())
        .collect();
    let names = [name.clone(), kind.to_string()];
    names
        .into_iter()
        .chain(counts)
        .chain([botd, nats, causes.join(", ")])
        .collect()
}
