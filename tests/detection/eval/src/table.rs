//! Results as tables in Markdown, which are also readable on a terminal.

use crate::evaluate::{Evaluation, EvaluationResults, FlagsAfter};
use crate::train::Report;
use std::fmt::Display;
pub use voight_tests::table::markdown as table;

/// Formats a share in percent; an unknown one as a dash.
pub fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.2} %", share * 100.0))
}

/// Formats a number with two decimals; an unknown one as a dash.
pub fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
}

fn cell(value: impl Display) -> String {
    value.to_string()
}

/// Formats all results for a terminal.
pub fn render(measured: &EvaluationResults) -> String {
    let Evaluation {
        model,
        policy,
        skipped,
        ..
    } = &measured.evaluation;
    let head =
        format!("model {model}, policy {policy}; the gate is not applicable to recordings\n");
    let parts = [
        families,
        people,
        tools,
        replay,
        abstentions,
        calibration,
        cost,
    ]
    .map(|part| part(measured));
    let skipped = skipped
        .iter()
        .map(|subject| format!("SKIPPED {subject}"))
        .collect::<Vec<_>>()
        .join("\n");
    [head]
        .into_iter()
        .chain(parts)
        .chain([skipped])
        .collect::<Vec<_>>()
        .join("\n")
}

/// Formats the results of people.
pub fn people(measured: &EvaluationResults) -> String {
    let EvaluationResults {
        evaluation: Evaluation { people, .. },
        details,
    } = measured;
    let rows = [
        ("persons", cell(people.persons)),
        (
            "movements, and those that the model evaluated",
            format!("{}, {}", people.segments, details.evaluated_segments),
        ),
        ("alarms by behaviour only", cell(people.segment_alarms)),
        (
            "share of alarms, upper bound (95 %, by person)",
            percent(people.segment_alarm_bound95),
        ),
        ("maximum share of one person", percent(details.worst_person)),
        (
            "checks of two movements, and those that flag a new address",
            format!("{}, {}", people.sessions, people.session_flags),
        ),
        ("flagged in one context", flags(&people.flags_after)),
        (
            "flagged in one context, without the multiple-testing correction",
            flags(&details.flags_after_without_correction),
        ),
    ];
    table(
        ["people", "figure"],
        rows.map(|(what, estimate)| [what.to_owned(), estimate]),
    )
}

/// Formats the shares of recognised replays.
pub fn replay(measured: &EvaluationResults) -> String {
    let replay = measured.evaluation.replay;
    let rows = [
        ("exact", replay.exact),
        ("mirrored", replay.mirrored),
        ("jittered", replay.jittered),
        ("warped", replay.warped),
        ("blended", replay.blended),
        ("false match of another person", replay.false_match),
    ];
    table(
        ["presented again", "known again"],
        rows.map(|(what, share)| [what.to_owned(), percent(share)]),
    )
}

/// Formats the cost of a judgement.
pub fn cost(measured: &EvaluationResults) -> String {
    let EvaluationResults {
        evaluation: Evaluation { cost_us, .. },
        details,
    } = measured;
    let real = [
        ("real checks, median", number(cost_us.p50)),
        ("real checks, p99", number(cost_us.p99)),
        (
            "allocations of a real check, median",
            number(details.allocations.p50),
        ),
        (
            "allocations of a real check, maximum",
            number(details.allocations.maximum),
        ),
    ];
    let real = real.map(|(what, estimate)| [what.to_owned(), estimate]);
    let hostile = details.hostile.iter().map(|row| {
        [
            format!("hostile: {}", row.name),
            number(Some(row.microseconds)),
        ]
    });
    table(
        ["judged", "microseconds, or count"],
        real.into_iter().chain(hostile),
    )
}

/// Formats the shares of people flagged, by number of checks.
pub fn flags(after: &FlagsAfter) -> String {
    let shares = [
        (1, after.one),
        (5, after.five),
        (20, after.twenty),
        (50, after.fifty),
    ];
    let texts: Vec<String> = shares
        .iter()
        .map(|(checks, share)| format!("after {checks}: {}", percent(*share)))
        .collect();
    texts.join(", ")
}

/// Formats a row for each family.
pub fn families(measured: &EvaluationResults) -> String {
    let leave_one_out = |name: &str| {
        measured
            .details
            .leave_one_out
            .iter()
            .find(|row| row.name == name)
            .map(|row| row.flagged)
    };
    let rows = measured.evaluation.families.iter().map(|row| {
        let leave_one_out = leave_one_out(&row.name).map_or_else(|| "-".to_owned(), cell);
        let numbers = [
            row.sessions,
            row.flagged,
            row.flagged_without_time_and_fraction,
        ]
        .map(cell);
        let [sessions, flagged, without] = numbers;
        [
            row.name.clone(),
            sessions,
            flagged,
            without,
            leave_one_out,
            number(Some(row.median_bot)),
        ]
    });
    table(
        [
            "family",
            "sessions",
            "flagged",
            "without time and fraction",
            "weights without it",
            "median nats",
        ],
        rows,
    )
}

/// Formats a row for each tool.
pub fn tools(measured: &EvaluationResults) -> String {
    let rows = measured.evaluation.tools.iter().map(|row| {
        let auc = row
            .auc
            .map_or_else(|| "-".to_owned(), |auc| format!("{auc:.3}"));
        [
            row.name.clone(),
            cell(row.segments),
            auc,
            percent(row.tpr_1pct),
            percent(row.tpr_1pct_three),
        ]
    });
    table(
        [
            "tool",
            "segments",
            "AUC",
            "detected at 1 %",
            "detected by three at 1 %",
        ],
        rows,
    )
}

/// Formats a row for each source of people's movements.
pub fn abstentions(measured: &EvaluationResults) -> String {
    let rows = measured.evaluation.abstain.iter();
    table(
        ["source", "checks", "model abstained"],
        rows.map(|row| [row.source.clone(), cell(row.streams), cell(row.abstained)]),
    )
}

/// Formats a row for each number of checks and share of bots.
pub fn calibration(measured: &EvaluationResults) -> String {
    let rows = measured.evaluation.calibration.iter().map(|row| {
        let [overconfidence, ece, brier, loss] =
            [row.overconfidence, row.ece, row.brier, row.log_loss]
                .map(|value| format!("{value:.3}"));
        [
            cell(row.checks),
            percent(Some(row.bot_share)),
            overconfidence,
            ece,
            brier,
            loss,
            cell(row.n),
        ]
    });
    table(
        [
            "checks",
            "bots",
            "over",
            "ECE",
            "Brier",
            "log loss",
            "addresses",
        ],
        rows,
    )
}

/// Formats the training report.
pub fn training(report: &Report) -> String {
    let Report {
        people,
        counts,
        thresholds,
        leaks,
        ..
    } = report;
    let removed_features: Vec<&str> = leaks
        .iter()
        .filter(|leak| leak.removed)
        .map(|leak| leak.feature)
        .collect();
    let rows = [
        (
            "persons, tools, movements",
            format!("{}, {}, {}", counts.persons, counts.tools, counts.segments),
        ),
        ("AUC over all held-out tools", format!("{:.3}", report.auc)),
        ("thresholds: 1 %, its bound, of three", {
            format!(
                "{:.2}, {:.2}, {:.2}",
                thresholds.one, thresholds.bound, thresholds.three
            )
        }),
        (
            "alarms of held-out people, upper bound (95 %)",
            percent(Some(people.alarm_bound95)),
        ),
        (
            "features removed, because they separate recordings instead of movements",
            removed_features.join(", "),
        ),
    ];
    let about = table(
        ["training", "figure"],
        rows.map(|(what, estimate)| [what.to_owned(), estimate]),
    );
    about + "\n" + &held_out_tools(report)
}

/// Formats the detection rates of the tools that were held out of the training.
fn held_out_tools(report: &Report) -> String {
    let rows = report.tools.iter().map(|tool| {
        let auc = format!("{:.3}", tool.auc);
        [
            tool.name.clone(),
            cell(tool.segments),
            auc,
            percent(Some(tool.tpr_1pct)),
            percent(Some(tool.tpr_1pct_three)),
        ]
    });
    table(
        [
            "held-out tool",
            "segments",
            "AUC",
            "detected at 1 %",
            "detected by three at 1 %",
        ],
        rows,
    )
}
