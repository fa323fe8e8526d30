//! Table of goals.

use super::bot_corpus::{BY_DEVICE, BY_MOVEMENT, BotCorpusResult, BotFamily};
use super::goal::GoalBound::{AtLeast, AtMost, Reported};
use super::goal::Unit::{Microseconds, Score, Share};
use super::goal::{Goal, GoalBound, Unit};
use super::kind::{FROM_PEOPLE, PATCHED, SYSTEM_CURVES, VANILLA, is_patched};
use super::result::CorpusResult;
use crate::evaluate::{Evaluation, FamilyRow, ReplayBasis, ReplayRow, ToolRow};
use crate::stats::{SampleCluster, lower_bound, upper_bound_of};
use crate::table;

const CORPUS: &str = "recordings; no gate";
const MOVEMENTS: &str = "recorded movements, out of fold; no gate";
const WINDOW: &str = "production window";

/// Returns a row for each goal and flow.
pub(super) fn table(corpus: &CorpusResult, bot_corpus: &BotCorpusResult) -> String {
    let corpus = CorpusGoals {
        evaluation: &corpus.measured.evaluation,
        corpus,
    };
    let bot_corpus = BotCorpusGoals(bot_corpus);
    let rows = [
        corpus.families(),
        bot_corpus.families(),
        corpus.model(),
        corpus.replay(),
        bot_corpus.replayed(),
    ];
    let rows = rows
        .into_iter()
        .chain([
            corpus.people(),
            corpus.score(),
            bot_corpus.populations(),
            corpus.cost(),
        ])
        .flatten();
    let head = [
        "goal",
        "target",
        "measured",
        "95 % bound",
        "n",
        "data and flow",
        "date",
        "verdict",
    ];
    table::table(head, rows.map(|goal| goal.cells()))
}

/// Rows that are measured on the corpus.
struct CorpusGoals<'c> {
    evaluation: &'c Evaluation,
    corpus: &'c CorpusResult,
}

type ShareAndBound = (Option<f64>, Option<f64>);

impl CorpusGoals<'_> {
    fn goal(
        &self,
        what: &'static str,
        target: GoalBound,
        unit: Unit,
        estimate: ShareAndBound,
        n: String,
    ) -> Goal {
        let (measured, bound) = estimate;
        Goal {
            what,
            target,
            unit,
            measured,
            bound,
            n,
            data: MOVEMENTS,
            date: self.corpus.date.clone(),
        }
    }

    fn families(&self) -> Vec<Goal> {
        let row = |what, names: &[&str], target, hits: fn(&FamilyRow) -> usize| {
            let rows = self
                .evaluation
                .families
                .iter()
                .filter(|row| names.contains(&row.name.as_str()));
            let clusters: Vec<SampleCluster> = rows
                .map(|row| SampleCluster {
                    n: row.sessions,
                    hits: hits(row),
                })
                .collect();
            let n = of_families(&clusters);
            Goal {
                data: CORPUS,
                ..self.goal(what, AtLeast(target), Share, lower_bound(&clusters), n)
            }
        };
        vec![
            row(
                "vanilla automation, emulators, HTTP: flagged",
                &VANILLA,
                0.995,
                |row| row.flagged,
            ),
            row("patched automation: flagged", &PATCHED, 0.98, |row| {
                row.flagged
            }),
            row(
                "patched automation, without event-time and fraction rules: flagged",
                &PATCHED,
                0.9,
                |row| row.flagged_without_time_and_fraction,
            ),
        ]
    }

    fn model(&self) -> Vec<Goal> {
        let tools = |is: &dyn Fn(&str) -> bool| -> Vec<&ToolRow> {
            self.evaluation
                .tools
                .iter()
                .filter(|row| row.auc.is_some() && is(&row.name))
                .collect()
        };
        let curves = tools(&|name| SYSTEM_CURVES.contains(&name));
        let derived_tools = tools(&|name| FROM_PEOPLE.contains(&name));
        let independent_tools = tools(&|name| !FROM_PEOPLE.contains(&name));
        let three = |row: &ToolRow| (row.segments / 3, row.tpr_1pct_three);
        let by_one = |row: &ToolRow| (row.segments, row.tpr_1pct);
        vec![
            self.tools("curves by system-level input: detected by three movements", AtLeast(0.95), &curves, three),
            self.tools(
                "held-out generators not derived from people: detected by one movement, at 1 % false alarms",
                AtLeast(0.67),
                &independent_tools,
                by_one,
            ),
            self.tools(
                "held-out generators derived from people: detected by one movement, at 1 % false alarms",
                Reported,
                &derived_tools,
                by_one,
            ),
        ]
    }

    fn tools(
        &self,
        what: &'static str,
        target: GoalBound,
        rows: &[&ToolRow],
        detection_rate: fn(&ToolRow) -> (usize, Option<f64>),
    ) -> Goal {
        let cluster = |row: &&ToolRow| {
            let (n, share) = detection_rate(row);
            SampleCluster {
                n,
                hits: to_count(share.unwrap_or(0.0) * crate::stats::float(n)),
            }
        };
        let clusters: Vec<SampleCluster> = rows.iter().map(cluster).collect();
        let movements: usize = rows.iter().map(|row| row.segments).sum();
        self.goal(
            what,
            target,
            Share,
            lower_bound(&clusters),
            format!("{} tools, {movements} movements", rows.len()),
        )
    }

    fn replay(&self) -> Vec<Goal> {
        let ReplayBasis {
            indexed,
            strangers,
            bound95: bound,
        } = self.corpus.measured.details.replayed;
        let evaluation = self.evaluation.replay;
        let n = || format!("{indexed} in the index, {strangers} of other people");
        let row = |what, target, share: fn(ReplayRow) -> Option<f64>| {
            self.goal(what, target, Share, (share(evaluation), share(bound)), n())
        };
        vec![
            row(
                "replay of an indexed movement: exact",
                AtLeast(0.997),
                |row| row.exact,
            ),
            row(
                "replay of an indexed movement: mirrored",
                AtLeast(0.997),
                |row| row.mirrored,
            ),
            row(
                "replay of an indexed movement: jittered",
                AtLeast(0.9),
                |row| row.jittered,
            ),
            row(
                "replay of an indexed movement: warped",
                AtLeast(0.9),
                |row| row.warped,
            ),
            row("replay of two blended movements", Reported, |row| {
                row.blended
            }),
            row(
                "another person's movement matched as a replay",
                AtMost(0.001),
                |row| row.false_match,
            ),
        ]
    }

    fn people(&self) -> Vec<Goal> {
        let people = &self.evaluation.people;
        let evaluated_movements = self.corpus.measured.details.evaluated_segments;
        let alarms = crate::stats::share(people.segment_alarms, evaluated_movements);
        let persons = format!("{} persons", people.persons);
        let movements = format!("{evaluated_movements} movements of {persons}");
        let flagged_bound = self.corpus.measured.details.flagged_people_bound95;
        let flags_after = people.flags_after;
        vec![
            self.goal(
                "held-out people: alarm by behaviour only, per movement",
                AtMost(0.01),
                Share,
                (alarms, people.segment_alarm_bound95),
                movements,
            ),
            self.goal(
                "people flagged in one context after 1 check",
                AtMost(0.002),
                Share,
                (flags_after.one, flagged_bound),
                persons.clone(),
            ),
            self.goal(
                "people flagged in one context after 50 checks",
                AtMost(0.005),
                Share,
                (flags_after.fifty, flagged_bound),
                persons,
            ),
            self.remote(),
        ]
    }

    fn remote(&self) -> Goal {
        let row = self
            .evaluation
            .abstain
            .iter()
            .find(|row| row.source.starts_with("remote_desktop"));
        let abstention = row.and_then(|row| crate::stats::share(row.abstained, row.streams));
        let n = row.map_or_else(
            || "0 streams".to_owned(),
            |row| format!("{} synthetic streams", row.streams),
        );
        let estimate = (abstention, self.corpus.measured.details.remote_bound95);
        self.goal(
            "remote-desktop streams: the model abstains",
            AtLeast(0.9),
            Share,
            estimate,
            n,
        )
    }

    fn score(&self) -> Vec<Goal> {
        let worst = self
            .evaluation
            .calibration
            .iter()
            .map(|row| row.overconfidence)
            .max_by(f64::total_cmp);
        let n = format!("{} rows", self.evaluation.calibration.len());
        let description =
            "overconfidence of the score, maximum over 1, 5, 20 checks and 5, 20, 50 % bots";
        vec![self.goal(description, AtMost(0.02), Score, (worst, worst), n)]
    }

    fn cost(&self) -> Vec<Goal> {
        let cost = &self.evaluation.cost_us;
        let kinds = self.corpus.measured.details.hostile.len();
        let row = |what, target, estimate: Option<f64>, n| Goal {
            data: CORPUS,
            ..self.goal(what, AtMost(target), Microseconds, (estimate, estimate), n)
        };
        vec![
            row(
                "assessment of one check, p99",
                1000.0,
                cost.p99,
                "real checks".to_owned(),
            ),
            row(
                "assessment of hostile evidence of 64 KiB a batch",
                5000.0,
                cost.worst,
                format!("{kinds} kinds"),
            ),
        ]
    }
}

/// Populations of the bot corpus that use a mouse.
const BY_MOUSE: [&str; 3] = ["people_mouse", "people_small_window", "people_zoomed"];

/// Rows that are measured with sessions through the real window.
struct BotCorpusGoals<'z>(&'z BotCorpusResult);

impl BotCorpusGoals<'_> {
    fn goal(
        &self,
        what: &'static str,
        target: GoalBound,
        estimate: ShareAndBound,
        n: String,
    ) -> Goal {
        let (measured, bound) = estimate;
        Goal {
            what,
            target,
            unit: Share,
            measured,
            bound,
            n,
            data: WINDOW,
            date: self.0.date.clone(),
        }
    }

    fn row(&self, what: &'static str, target: GoalBound, clusters: &[SampleCluster]) -> Goal {
        let estimate = if matches!(target, AtMost(_)) {
            upper_bound_of(clusters)
        } else {
            lower_bound(clusters)
        };
        self.goal(what, target, estimate, of_families(clusters))
    }

    fn families(&self) -> Vec<Goal> {
        let of_kinds = |kinds: &'static [&'static str]| {
            kinds.iter().flat_map(|kind| self.0.families_of_kind(kind))
        };
        let vanilla = of_kinds(&["automation", "emulator", "http"])
            .filter(|family| !is_patched(&family.name));
        let patched_families: Vec<&BotFamily> = self
            .0
            .families_of_kind("automation")
            .filter(|family| is_patched(&family.name))
            .collect();
        let stopped_cluster = |family: &BotFamily| SampleCluster {
            n: family.sessions,
            hits: family.stopped,
        };
        let flagged_cluster = |family: &&BotFamily| SampleCluster {
            n: family.sessions,
            hits: family.flagged,
        };
        let without = |family: &&BotFamily| SampleCluster {
            n: family.sessions,
            hits: family.flagged_without_time_and_fraction,
        };
        let clusters: Vec<SampleCluster> = vanilla.map(stopped_cluster).collect();
        vec![
            self.row(
                "vanilla automation, emulators, HTTP: flagged or rejected",
                AtLeast(0.995),
                &clusters,
            ),
            self.row(
                "patched automation: flagged",
                AtLeast(0.98),
                &patched_families
                    .iter()
                    .map(flagged_cluster)
                    .collect::<Vec<_>>(),
            ),
            self.row(
                "patched automation, without event-time and fraction rules: flagged",
                AtLeast(0.9),
                &patched_families.iter().map(without).collect::<Vec<_>>(),
            ),
        ]
    }

    fn families_named(&self, name: &str) -> impl Iterator<Item = &BotFamily> {
        self.0
            .families
            .iter()
            .filter(move |family| family.name == name)
    }

    fn replayed(&self) -> Vec<Goal> {
        let rejected_clusters: Vec<SampleCluster> = self
            .0
            .families_of_kind("replay")
            .map(|family| SampleCluster {
                n: family.sessions,
                hits: family.rejected,
            })
            .collect();
        let passed_clusters: Vec<SampleCluster> =
            self.0.families_of_kind("forger").map(passed).collect();
        let forger_goal = self.goal(
            "forger with our source code: accepted",
            Reported,
            upper_bound_of(&passed_clusters),
            self.0.forger(),
        );
        let mirrored_clusters = |rules: &[&str]| -> Vec<SampleCluster> {
            self.families_named("os_mirrored")
                .map(|family| family.linked(rules))
                .collect()
        };
        let modelled_clusters: Vec<SampleCluster> = BY_MOUSE
            .iter()
            .flat_map(|name| self.families_named(name))
            .filter_map(|family| {
                Some(SampleCluster {
                    n: family.sessions,
                    hits: family.modelled?,
                })
            })
            .collect();
        vec![
            self.row(
                "evidence posted again: rejected",
                AtLeast(1.0),
                &rejected_clusters,
            ),
            forger_goal,
            self.row(
                "one person's input for many wallets: linked by device",
                AtLeast(0.95),
                &mirrored_clusters(BY_DEVICE),
            ),
            self.row(
                "one person's input for many wallets: linked by movements only",
                Reported,
                &mirrored_clusters(BY_MOVEMENT),
            ),
            self.row(
                "pointer checks with two usable movements",
                AtLeast(0.9),
                &modelled_clusters,
            ),
        ]
    }

    fn populations(&self) -> Vec<Goal> {
        let clusters: Vec<SampleCluster> = self
            .0
            .families_of_kind("population")
            .map(|family| SampleCluster {
                n: family.sessions,
                hits: family.flagged,
            })
            .collect();
        vec![self.row(
            "devices and aids of people, without automation: flagged",
            AtMost(0.01),
            &clusters,
        )]
    }
}

fn passed(family: &BotFamily) -> SampleCluster {
    SampleCluster {
        n: family.sessions,
        hits: family.sessions.saturating_sub(family.stopped),
    }
}

fn of_families(clusters: &[SampleCluster]) -> String {
    let sessions: usize = clusters.iter().map(|cluster| cluster.n).sum();
    format!("{} families, {sessions} sessions", clusters.len())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the share was computed from a count"
)]
fn to_count(count: f64) -> usize {
    count.round() as usize
}
