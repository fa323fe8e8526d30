//! Whether the published score claims more than it can keep.

use super::life::Life;
use super::pool::Pool;
use crate::stats::{float, mean, rounded};
use fastrand::Rng;
use serde::{Deserialize, Serialize};

/// Addresses that are simulated for each row, and how many lie in a bin.
const ADDRESSES: usize = 10_000;
const BIN: usize = 1000;
/// Checks of each address, and the share of bots among addresses.
const CHECKS: [usize; 3] = [1, 5, 20];
const BOT_SHARES: [f64; 3] = [0.05, 0.2, 0.5];
/// The score has two digits, so certainty is never meant more exactly than this when its logarithm is taken.
const ROUNDING: f64 = 0.0025;

/// How far score and truth are apart, for addresses with so many checks where so many are bots.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CalibrationRow {
    /// Checks of each address.
    pub checks: usize,
    /// The share of bots among addresses.
    pub bot_share: f64,
    /// The mean over bins of equal mass of how much the score claims too much: `max(0, (1 + score) / 2 - share right)`.
    pub over: f64,
    /// The mean over bins of how far claim and share are apart.
    pub ece: f64,
    /// The mean square of claim minus outcome.
    pub brier: f64,
    /// The mean of minus the logarithm of what was claimed of the outcome.
    pub log_loss: f64,
    /// Addresses.
    pub n: usize,
}

/// A bin of the reliability diagram.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Bin {
    /// Checks of each address.
    pub checks: usize,
    /// The share of bots among addresses.
    pub bot_share: f64,
    /// The mean claim: `(1 + score) / 2`.
    pub claimed: f64,
    /// The share of answers that were right.
    pub right: f64,
    /// Addresses.
    pub n: usize,
}

/// Who addresses belong to.
pub(super) struct Cohorts<'p> {
    people: Vec<&'p Pool>,
    bots: Vec<&'p Pool>,
}

impl<'p> Cohorts<'p> {
    pub(super) fn new(people: &'p [Pool], bots: impl Iterator<Item = &'p Pool>) -> Self {
        Self { people: people.iter().collect(), bots: bots.collect() }
    }

    /// An answer, and whether it is right: of a person or of a family or tool, each as likely as the others.
    fn address(&self, bot: bool, checks: usize, rng: &mut Rng) -> Answered {
        let pools = if bot { &self.bots } else { &self.people };
        let pool = pools[rng.usize(..pools.len())];
        let mut life = Life::new();
        (0..checks).for_each(|_| life.check(&pool.checks[rng.usize(..pool.checks.len())]));
        let answer = life.answer();
        Answered { claimed: f64::midpoint(1.0, answer.score.as_f64()), right: answer.is_bot == bot }
    }
}

struct Answered {
    claimed: f64,
    right: bool,
}

/// A row for each number of checks and share of bots; and the bins. Nothing without both people and bots.
pub(super) fn measure(cohorts: &Cohorts<'_>, seed: u64) -> (Vec<CalibrationRow>, Vec<Bin>) {
    let (mut rows, mut bins) = (Vec::new(), Vec::new());
    if cohorts.people.is_empty() || cohorts.bots.is_empty() {
        return (rows, bins);
    }
    let mut rng = Rng::with_seed(seed);
    for checks in CHECKS {
        for bot_share in BOT_SHARES {
            let bots = float(ADDRESSES) * bot_share;
            let address = |at| cohorts.address(float(at) < bots, checks, &mut rng);
            let mut answered: Vec<Answered> = (0..ADDRESSES).map(address).collect();
            // Equal scores are spread over bins by chance.
            rng.shuffle(&mut answered);
            answered.sort_by(|a, b| a.claimed.total_cmp(&b.claimed));
            let of_row: Vec<Bin> = answered.chunks(BIN).map(|part| bin(part, checks, bot_share)).collect();
            rows.push(row(&answered, &of_row, checks, bot_share));
            bins.extend(of_row);
        }
    }
    (rows, bins)
}

fn bin(part: &[Answered], checks: usize, bot_share: f64) -> Bin {
    let average = |of: fn(&Answered) -> f64| rounded(mean(&part.iter().map(of).collect::<Vec<_>>()).unwrap_or(0.0));
    let (claimed, right) = (average(|one| one.claimed), average(|one| f64::from(one.right)));
    Bin { checks, bot_share, claimed, right, n: part.len() }
}

fn row(answered: &[Answered], bins: &[Bin], checks: usize, bot_share: f64) -> CalibrationRow {
    let over_bins = |of: fn(f64) -> f64| mean(&bins.iter().map(|bin| of(bin.claimed - bin.right)).collect::<Vec<_>>());
    let over_all = |of: fn(&Answered) -> f64| mean(&answered.iter().map(of).collect::<Vec<_>>());
    let known = |value: Option<f64>| rounded(value.unwrap_or(0.0));
    CalibrationRow {
        checks,
        bot_share,
        over: known(over_bins(|apart| apart.max(0.0))),
        ece: known(over_bins(f64::abs)),
        brier: known(over_all(|one| (one.claimed - f64::from(one.right)).powi(2))),
        log_loss: known(over_all(loss)),
        n: answered.len(),
    }
}

fn loss(one: &Answered) -> f64 {
    let claimed = one.claimed.clamp(ROUNDING, 1.0 - ROUNDING);
    -(if one.right { claimed } else { 1.0 - claimed }).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_domain::verdict::{Assessment, Nats};

    fn pool(bot: i32, human: i32) -> Pool {
        let found = Assessment {
            bot: Nats::from_milli(bot),
            human: Nats::from_milli(human),
            hard: bot > 0,
            covered: true,
            ..Assessment::default()
        };
        Pool { name: String::new(), checks: vec![found] }
    }

    fn over(bot: i32, human: i32) -> f64 {
        let (people, bots) = ([pool(0, human)], [pool(bot, human)]);
        let (rows, _) = measure(&Cohorts::new(&people, bots.iter()), 7);
        assert_eq!(rows.len(), 9);
        rows.iter().find(|row| row.checks == 1 && row.bot_share > 0.4).unwrap().over
    }

    #[test]
    fn certainty_about_bots_that_nobody_sees_is_an_overstatement() {
        assert!(over(0, 3000) > 0.4, "half of the answers are wrong, and all claim 95 %");
        assert!(over(6000, 3000) < 0.01, "every bot is seen");
        assert!(over(0, 0) < 0.02, "nothing is claimed");
    }
}
