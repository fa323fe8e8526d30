//! Performance goals with the measured values.

use super::SectionResult;
use crate::report::plain;
use std::fmt::Write as _;
use voight_tests::results::SourceDigests;

/// Target of a metric.
struct Goal {
    /// Description for readers.
    about: &'static str,
    /// Section that measures the metric.
    section: &'static str,
    /// Names of the metric in the JSON, each with a note.
    ///
    /// A later name is used if the store of the goal's size was not measured.
    names: &'static [(&'static str, &'static str)],
    /// Goal and frontier, the best value that is considered possible.
    target: GoalBound,
}

#[derive(Clone, Copy)]
enum GoalBound {
    /// At least this value.
    AtLeast(f64, f64),
    /// At most this value.
    AtMost(f64, f64),
}

use GoalBound::{AtLeast, AtMost};

const GOALS: &[Goal] = &[
    Goal {
        about: "durable metered lookups for each second of CPU time, in memory, 64 connections",
        section: "lookup",
        names: &[("verdicts_per_core_s_ram_c64", "")],
        target: AtLeast(85_000.0, 110_000.0),
    },
    Goal {
        about: "addresses of durable batch lookups for each second of CPU time, on the disk, 1 connection",
        section: "batch",
        names: &[("items_per_core_s_disk_c1", "")],
        target: AtLeast(400_000.0, 800_000.0),
    },
    Goal {
        about: "snapshot of 1 million uploaded addresses to the CSV, on the disk, s",
        section: "snapshot",
        names: &[("snapshot_s_disk", "")],
        target: AtMost(20.0, 10.0),
    },
    Goal {
        about: "p99 of lookups beside that snapshot, to that without it, on the disk",
        section: "snapshot",
        names: &[("snapshot_p99_ratio_disk", "")],
        target: AtMost(1.5, 1.2),
    },
    Goal {
        about: "lookups to static requests a second, in memory, 64 connections",
        section: "lookup",
        names: &[("ratio_ram_c64", "")],
        target: AtLeast(0.42, 0.50),
    },
    Goal {
        about: "processor of a lookup to that of a static request, in memory, 64 connections",
        section: "lookup",
        names: &[("cpu_ratio_ram_c64", "")],
        target: AtMost(2.5, 2.0),
    },
    Goal {
        about: "lookups to static requests a second, on the disk, 1 connection",
        section: "lookup",
        names: &[("ratio_disk_c1", "")],
        target: AtLeast(0.06, 0.33),
    },
    Goal {
        about: "lookups to static requests a second, on the disk, 16 connections",
        section: "lookup",
        names: &[("ratio_disk_c16", "")],
        target: AtLeast(0.15, 0.65),
    },
    Goal {
        about: "lookups to static requests a second, on the disk, 64 connections",
        section: "lookup",
        names: &[("ratio_disk_c64", "")],
        target: AtLeast(0.35, 0.42),
    },
    Goal {
        about: "lookups to static requests a second, on the disk, 256 connections",
        section: "lookup",
        names: &[("ratio_disk_c256", "")],
        target: AtLeast(0.40, 0.48),
    },
    Goal {
        about: "p99 of lookups, relative to static requests, on the disk, 64 connections",
        section: "lookup",
        names: &[("p99_ratio_disk_c64", "")],
        target: AtMost(8.0, 3.0),
    },
    Goal {
        about: "p99 of lookups that arrive at 20,000 a second, in memory, µs",
        section: "rates",
        names: &[("lookup_ram_at_20000_p99_us", "")],
        target: AtMost(3_000.0, 2_000.0),
    },
    Goal {
        about: "p99.9 of lookups that arrive at 20,000 a second, in memory, µs",
        section: "rates",
        names: &[("lookup_ram_at_20000_p999_us", "")],
        target: AtMost(6_000.0, 5_000.0),
    },
    Goal {
        about: "lookups to those of axum with SQLite a second, in memory, 64 connections",
        section: "peers",
        names: &[("ratio_voight_to_axum_sqlite_ram_c64", "")],
        target: AtLeast(1.8, 2.3),
    },
    Goal {
        about: "lookups to those of axum with SQLite a second, in memory, 256 connections",
        section: "peers",
        names: &[("ratio_voight_to_axum_sqlite_ram_c256", "")],
        target: AtLeast(1.8, 2.3),
    },
    Goal {
        about: "lookups to those of axum with Redis a second, in memory, 64 connections",
        section: "peers",
        names: &[("ratio_voight_to_axum_redis_ram_c64", "")],
        target: AtLeast(1.8, 2.3),
    },
    Goal {
        about: "lookups to those of axum with Redis a second, in memory, 256 connections",
        section: "peers",
        names: &[("ratio_voight_to_axum_redis_ram_c256", "")],
        target: AtLeast(1.8, 2.3),
    },
    Goal {
        about: "lookups to those of Express a second, both on one PostgreSQL in memory, one node, 64 connections",
        section: "nodes",
        names: &[("ratio_voight_1_to_express_ram_c64", "")],
        target: AtLeast(10.0, 15.0),
    },
    Goal {
        about: "bytes of a verdict, 10 million of them, compacted",
        section: "growth",
        names: &[("bytes_per_verdict", "")],
        target: AtMost(90.0, 62.0),
    },
    Goal {
        about: "bytes of a ledger row, 10 million of them, compacted",
        section: "ledger",
        names: &[("bytes_per_ledger_row", "")],
        target: AtMost(90.0, 64.0),
    },
    Goal {
        about: "bytes of an idempotency record, compacted",
        section: "ledger",
        names: &[("bytes_per_idempotency_record", "")],
        target: AtMost(50.0, 40.0),
    },
    Goal {
        about: "opening after kill -9 with 10 million rows and a write-ahead log, ms",
        section: "ledger",
        names: &[("reopen_ms_10m", ""), ("reopen_ms_1m", "with 1 million: ")],
        target: AtMost(50.0, 20.0),
    },
    Goal {
        about: "memory of the service with 10 million verdicts, MiB",
        section: "growth",
        names: &[("rss_mib_10m", ""), ("rss_mib_1m", "with 1 million: ")],
        target: AtMost(256.0, 128.0),
    },
    Goal {
        about: "batches of evidence a second, durable, of one core",
        section: "check",
        names: &[("evidence_per_core_s", "")],
        target: AtLeast(10_000.0, 30_000.0),
    },
    Goal {
        about: "processor of a lookup with 10 million verdicts, to that with 10 thousand",
        section: "growth",
        names: &[
            ("growth_10k_10m", ""),
            ("growth_10k_1m", "with 1 million: "),
        ],
        target: AtMost(1.5, 1.2),
    },
];

const HEAD: &str =
    "| metric | first goal | frontier | median | quartiles | first goal reached | date, commit, machine |
|---|---|---|---|---|---|---|
";

/// Formats the table with one line per goal.
pub(super) fn table(
    results: &[SectionResult],
    stale_mark: impl Fn(&SourceDigests) -> String,
) -> String {
    let mut table = HEAD.to_owned();
    for goal in GOALS {
        let actual = results.iter().find(|result| result.section == goal.section);
        let actual =
            actual.and_then(|result| goal.measured_text(result, &stale_mark(&result.sources)));
        let (first, frontier) = goal.target.describe();
        let cells = actual.unwrap_or_else(|| "not measured | | | ".to_owned());
        let _ = writeln!(table, "| {} | {first} | {frontier} | {cells} |", goal.about);
    }
    table
}

impl Goal {
    /// Formats the measured value of a section.
    fn measured_text(&self, result: &SectionResult, stale_mark: &str) -> Option<String> {
        let (value, name, with) = self
            .names
            .iter()
            .find_map(|(name, with)| Some((result.metric(name)?, name, with)))?;
        let quartile = |end: &str| result.metric(&format!("{name}_{end}")).map(plain);
        let quartiles = quartile("low")
            .zip(quartile("high"))
            .map(|(low, high)| format!("{low} to {high}"));
        let SectionResult {
            date,
            commit,
            machine,
            busy_percent,
            ..
        } = result;
        let busy = if *busy_percent > 10.0 {
            format!(", {busy_percent:.0} % used by other programs")
        } else {
            String::new()
        };
        Some(format!(
            "{with}{} | {} | {} | {date}, {commit}, {} cores{busy}{stale_mark}",
            plain(value),
            quartiles.unwrap_or_default(),
            if with.is_empty() {
                self.target.verdict(value)
            } else {
                ""
            },
            machine.cores,
        ))
    }
}

impl GoalBound {
    fn describe(self) -> (String, String) {
        match self {
            AtLeast(first, frontier) => (format!("at least {}", plain(first)), plain(frontier)),
            AtMost(first, frontier) => (format!("at most {}", plain(first)), plain(frontier)),
        }
    }

    fn verdict(self, value: f64) -> &'static str {
        let is_reached = match self {
            AtLeast(first, _) => value >= first,
            AtMost(first, _) => value <= first,
        };
        if is_reached { "yes" } else { "**no**" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(results: &[SectionResult], about: &str) -> String {
        table(results, |_| {
            ", **stale**: `voight` changed since".to_owned()
        })
        .lines()
        .find(|line| line.contains(about))
        .unwrap()
        .to_owned()
    }

    #[test]
    fn a_goal_is_compared_with_the_median() {
        let actual = SectionResult::synthetic(
            "lookup",
            &[
                ("ratio_ram_c64", 0.6),
                ("ratio_ram_c64_low", 0.5),
                ("ratio_ram_c64_high", 0.7),
                ("cpu_ratio_ram_c64", 2.7),
            ],
        );
        let ratio = line(
            std::slice::from_ref(&actual),
            "lookups to static requests a second, in memory",
        );
        assert!(
            ratio.contains("| 0.60 | 0.50 to 0.70 | yes | 2026-11-22, abc, 2 cores, 12 % used by other programs, **stale**: `voight` changed since |"),
            "{ratio}"
        );
        let processor = line(
            &[actual],
            "processor of a lookup to that of a static request",
        );
        assert!(
            processor.contains("| at most 2.50 | 2.00 | 2.70 |  | **no** |"),
            "{processor}"
        );
    }

    #[test]
    fn goal_without_measurement_has_no_result() {
        assert!(line(&[], "batches of evidence").contains("| not measured |"));
        let smaller = line(
            &[SectionResult::synthetic("growth", &[("rss_mib_1m", 90.0)])],
            "memory of the service",
        );
        assert!(
            smaller.contains("| with 1 million: 90.0 |  |  |"),
            "{smaller}"
        );
    }
}
