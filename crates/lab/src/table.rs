//! Figures as tables in Markdown, which a terminal shows as well.

use crate::evaluate::{Evaluation, FlagsAfter, Measured};
use std::fmt::{Display, Write as _};

/// A share in percent; one that is not known, a dash.
pub fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.2} %", share * 100.0))
}

/// A number with two decimals; one that is not known, a dash.
pub fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
}

/// A table with these columns.
pub fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rows = rows.into_iter().map(|row| line(&row)).collect::<String>();
    format!("{}|{}\n{rows}", line(&head.map(str::to_owned)), "---|".repeat(N))
}

fn cell(value: impl Display) -> String {
    value.to_string()
}

/// Everything, for a terminal.
pub fn of(measured: &Measured) -> String {
    let Evaluation { model, policy, people, cost_us, skipped, .. } = &measured.evaluation;
    let mut text = format!("model {model}, policy {policy}; the gate is not applicable to recordings\n\n");
    for part in [families(measured), tools(measured), abstentions(measured), calibration(measured)] {
        let _ = writeln!(text, "{part}");
    }
    let _ = writeln!(
        text,
        "people: {} persons, {} segments, {} alarms (95 % bound {}), {} checks, {} flagged",
        people.persons,
        people.segments,
        people.segment_alarms,
        percent(people.segment_alarm_bound95),
        people.sessions,
        people.session_flags
    );
    let _ = writeln!(text, "flagged {}", flags(&people.flags_after));
    let _ = writeln!(text, "without s(k) {}", flags(&measured.details.flags_after_without_spread));
    let _ = writeln!(
        text,
        "\none judgement: {} us in the middle, {} us for 99 of 100, {} us at worst; {} allocations in the middle, {} at most",
        number(cost_us.p50),
        number(cost_us.p99),
        number(cost_us.worst),
        number(measured.details.allocations.p50),
        number(measured.details.allocations.most)
    );
    for what in skipped {
        let _ = writeln!(text, "SKIPPED {what}");
    }
    text
}

/// The share of people flagged after so many checks, in words.
pub fn flags(after: &FlagsAfter) -> String {
    let shares = [(1, after.one), (5, after.five), (20, after.twenty), (50, after.fifty)];
    let said: Vec<String> =
        shares.iter().map(|(checks, share)| format!("after {checks}: {}", percent(*share))).collect();
    said.join(", ")
}

/// A row for each family.
pub fn families(measured: &Measured) -> String {
    let left_out = |name: &str| measured.details.left_out.iter().find(|row| row.name == name).map(|row| row.flagged);
    let rows = measured.evaluation.families.iter().map(|row| {
        let left_out = left_out(&row.name).map_or_else(|| "-".to_owned(), cell);
        let numbers = [row.sessions, row.flagged, row.flagged_without_time_and_fraction].map(cell);
        let [sessions, flagged, without] = numbers;
        [row.name.clone(), sessions, flagged, without, left_out, number(Some(row.median_bot))]
    });
    table(["family", "sessions", "flagged", "without time and fraction", "weights without it", "median nats"], rows)
}

/// A row for each tool.
pub fn tools(measured: &Measured) -> String {
    let rows = measured.evaluation.tools.iter().map(|row| {
        let auc = row.auc.map_or_else(|| "-".to_owned(), |auc| format!("{auc:.3}"));
        [row.name.clone(), cell(row.segments), auc, percent(row.tpr_1pct), percent(row.tpr_1pct_three)]
    });
    table(["tool", "segments", "AUC", "caught at 1 %", "caught by three at 1 %"], rows)
}

/// A row for each source of people's movements.
pub fn abstentions(measured: &Measured) -> String {
    let rows = measured.evaluation.abstain.iter();
    table(
        ["source", "checks", "model said nothing"],
        rows.map(|row| [row.source.clone(), cell(row.streams), cell(row.abstained)]),
    )
}

/// A row for each number of checks and share of bots.
pub fn calibration(measured: &Measured) -> String {
    let rows = measured.evaluation.calibration.iter().map(|row| {
        let [over, ece, brier, loss] = [row.over, row.ece, row.brier, row.log_loss].map(|value| format!("{value:.3}"));
        [cell(row.checks), percent(Some(row.bot_share)), over, ece, brier, loss, cell(row.n)]
    });
    table(["checks", "bots", "over", "ECE", "Brier", "log loss", "addresses"], rows)
}
