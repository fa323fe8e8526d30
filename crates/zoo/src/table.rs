//! The result as text.

use std::fmt::Write as _;
use voight_zoo::result::{FamilyResult, ZooResult};

/// A line for each family, and what could not be run.
pub(crate) fn table(result: &ZooResult) -> String {
    let mut text = format!(
        "{:<24} {:<10} {:>8} {:>9} {:>7} {:>7} {:>6} {:>5} {:>6}  {}\n",
        "family", "kind", "sessions", "completed", "flagged", "refused", "broken", "BotD", "nats", "rules"
    );
    for family in &result.families {
        text += &line(family);
    }
    for skipped in &result.skipped {
        let _ = writeln!(text, "SKIPPED {}: {}", skipped.name, skipped.why);
    }
    text
}

fn line(family: &FamilyResult) -> String {
    let FamilyResult { name, kind, sessions, completed, flagged, refused, broken, .. } = family;
    let botd = family.botd.map_or_else(|| "-".to_owned(), |count| count.to_string());
    let nats = family.median_bot.map_or_else(|| "-".to_owned(), |nats| format!("{nats:.1}"));
    let why = family.rules.iter().chain(&family.refusals);
    let why: Vec<_> = why.map(|(rule, count)| format!("{rule} {count}")).chain(family.faults.iter().cloned()).collect();
    format!(
        "{name:<24} {kind:<10} {sessions:>8} {completed:>9} {flagged:>7} {refused:>7} {broken:>6} {botd:>5} {nats:>6}  {}\n",
        why.join(", ")
    )
}
