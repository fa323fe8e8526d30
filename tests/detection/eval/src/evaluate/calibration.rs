//! Calibration of the published score.

use super::address_history::AddressHistory;
use super::check_group::CheckGroup;
use crate::stats::{float, rounded};
use fastrand::Rng;
use serde::{Deserialize, Serialize};
use voight_domain::verdict::{self, LabelledAnswer, ScoreErrors, Truth};

/// Number of addresses that are simulated for each row.
const ADDRESSES: usize = 10_000;
/// Numbers of checks of each address.
const CHECKS: [usize; 3] = [1, 5, 20];
const BOT_SHARES: [f64; 3] = [0.05, 0.2, 0.5];

/// Calibration error for addresses with a number of checks and a share of bots.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CalibrationRow {
    /// Number of checks of each address.
    pub checks: usize,
    /// Share of bots among addresses.
    pub bot_share: f64,
    /// Overconfidence, as mean over bins of equal mass: `max(0, (1 + score) / 2 - share right)`.
    pub overconfidence: f64,
    /// Expected calibration error: mean distance of claim and share over the bins.
    pub ece: f64,
    /// Brier score: mean square of claim minus outcome.
    pub brier: f64,
    /// Mean negative logarithm of the probability claimed for the outcome.
    pub log_loss: f64,
    /// Number of addresses.
    pub n: usize,
}

/// Bin of the reliability diagram.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// Number of checks of each address.
    pub checks: usize,
    /// Share of bots among addresses.
    pub bot_share: f64,
    /// Mean claim: `(1 + score) / 2`.
    pub claimed: f64,
    /// Share of correct answers.
    pub right: f64,
    /// Number of addresses.
    pub n: usize,
}

/// Populations from which addresses are drawn.
pub(super) struct Populations<'p> {
    people: Vec<&'p CheckGroup>,
    bots: Vec<&'p CheckGroup>,
}

impl<'p> Populations<'p> {
    pub(super) fn new(
        people: &'p [CheckGroup],
        bots: impl Iterator<Item = &'p CheckGroup>,
    ) -> Self {
        Self {
            people: people.iter().collect(),
            bots: bots.collect(),
        }
    }

    /// Simulates an address of a uniformly drawn person, or of a uniformly drawn family or tool.
    fn address(&self, truth: Truth, checks: usize, rng: &mut Rng) -> LabelledAnswer {
        let groups = if truth == Truth::Bot {
            &self.bots
        } else {
            &self.people
        };
        let group = groups[rng.usize(..groups.len())];
        let mut history = AddressHistory::new();
        (0..checks).for_each(|_| history.check(&group.checks[rng.usize(..group.checks.len())]));
        LabelledAnswer {
            answer: history.answer(),
            truth,
        }
    }
}

/// Returns a row for each number of checks and share of bots, and the bins.
///
/// Both are empty without both people and bots.
pub(super) fn measure(
    populations: &Populations<'_>,
    seed: u64,
) -> (Vec<CalibrationRow>, Vec<CalibrationBin>) {
    let mut rows = Vec::new();
    let mut bins = Vec::new();
    if populations.people.is_empty() || populations.bots.is_empty() {
        return (rows, bins);
    }
    let mut rng = Rng::with_seed(seed);
    for checks in CHECKS {
        for bot_share in BOT_SHARES {
            let bots = float(ADDRESSES) * bot_share;
            let truth = |at| {
                if float(at) < bots {
                    Truth::Bot
                } else {
                    Truth::Human
                }
            };
            let mut outcomes: Vec<_> = (0..ADDRESSES)
                .map(|at| populations.address(truth(at), checks, &mut rng))
                .collect();
            // Shuffling distributes equal scores over bins at random.
            rng.shuffle(&mut outcomes);
            rows.extend(
                ScoreErrors::from_outcomes(&outcomes).map(|errors| row(errors, checks, bot_share)),
            );
            bins.extend(
                verdict::Bin::split(&outcomes)
                    .into_iter()
                    .map(|bin| point(bin, checks, bot_share)),
            );
        }
    }
    (rows, bins)
}

fn row(
    ScoreErrors {
        overconfidence,
        ece,
        brier,
        log_loss,
    }: ScoreErrors,
    checks: usize,
    bot_share: f64,
) -> CalibrationRow {
    let [overconfidence, ece, brier, log_loss] =
        [overconfidence, ece, brier, log_loss].map(rounded);
    CalibrationRow {
        checks,
        bot_share,
        overconfidence,
        ece,
        brier,
        log_loss,
        n: ADDRESSES,
    }
}

fn point(
    verdict::Bin {
        claimed,
        right,
        answers,
    }: verdict::Bin,
    checks: usize,
    bot_share: f64,
) -> CalibrationBin {
    CalibrationBin {
        checks,
        bot_share,
        claimed: rounded(claimed),
        right: rounded(right),
        n: answers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_domain::verdict::{Assessment, Nats};

    fn group(bot: i32, human: i32) -> CheckGroup {
        let assessment = Assessment {
            bot: Nats::from_milli(bot),
            human: Nats::from_milli(human),
            hard: bot > 0,
            conclusive: true,
            ..Assessment::default()
        };
        CheckGroup {
            name: String::new(),
            checks: vec![assessment],
        }
    }

    fn overconfidence_of(bot: i32, human: i32) -> f64 {
        let people = [group(0, human)];
        let bots = [group(bot, human)];
        let (rows, _) = measure(&Populations::new(&people, bots.iter()), 7);
        assert_eq!(rows.len(), 9);
        rows.iter()
            .find(|row| row.checks == 1 && row.bot_share > 0.4)
            .unwrap()
            .overconfidence
    }

    #[test]
    fn undetected_bots_are_overconfidence() {
        assert!(
            overconfidence_of(0, 3000) > 0.4,
            "half of the answers are wrong at a confidence of 95 %"
        );
        assert!(overconfidence_of(6000, 3000) < 0.01, "every bot is flagged");
        assert!(overconfidence_of(0, 0) < 0.02, "no confidence is reported");
    }
}
