//! Calibration: accuracy of the answers, measured on labelled addresses.

mod upper_bound;

use super::{Answer, Truth};
pub use upper_bound::share_upper_bound;

/// Number of bins of equal size for answers sorted by certainty.
const BINS: usize = 10;
/// Half a step of the published score: limits the certainty of an answer whose score was rounded to 1.
const HALF_STEP: f64 = 0.0025;

/// Answer about a labelled address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelledAnswer {
    /// The answer to a lookup.
    pub answer: Answer,
    /// The label: human or bot.
    pub truth: Truth,
}

/// Proportion of addresses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proportion {
    /// The number of addresses with the property.
    pub count: usize,
    /// The number of all addresses.
    pub total: usize,
    /// The one-sided 95 % upper bound of the proportion (Clopper and Pearson); `None` if `total` is 0.
    pub upper_bound: Option<f64>,
}

/// Comparison of answers with labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// Number of compared addresses.
    pub addresses: usize,
    /// Humans who are predicted to be bots.
    pub false_positives: Proportion,
    /// Bots that are not predicted to be bots.
    pub false_negatives: Proportion,
    /// The calibration errors of the scores; `None` without answers.
    pub scores: Option<ScoreErrors>,
}

/// Difference between the scores and the observed frequency of right answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreErrors {
    /// Overconfidence: the mean over the bins of `max(0, (1 + score) / 2 - share right)`.
    pub overconfidence: f64,
    /// Expected calibration error: the mean over the bins of the absolute difference.
    pub ece: f64,
    /// Brier score: the mean squared error of the probability; 0.25 for a coin toss.
    pub brier: f64,
    /// Log loss in nats; 0.69 for a coin toss.
    pub log_loss: f64,
}

/// Bin of answers of similar certainty: a point of a reliability diagram.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The mean certainty: `(1 + score) / 2`.
    pub claimed: f64,
    /// The proportion of right answers.
    pub right: f64,
    /// The number of answers.
    pub answers: usize,
}

impl Calibration {
    /// Computes the calibration of these answers.
    pub fn from_outcomes(outcomes: &[LabelledAnswer]) -> Self {
        let share = |truth: Truth| {
            let of = outcomes.iter().filter(|outcome| outcome.truth == truth);
            let hits = of.clone().filter(|outcome| !outcome.is_right()).count();
            let of = of.count();
            Proportion {
                count: hits,
                total: of,
                upper_bound: share_upper_bound(float(hits), float(of)),
            }
        };
        Self {
            addresses: outcomes.len(),
            false_positives: share(Truth::Human),
            false_negatives: share(Truth::Bot),
            scores: ScoreErrors::from_outcomes(outcomes),
        }
    }
}

impl ScoreErrors {
    /// Computes the errors of these answers; `None` without answers.
    pub fn from_outcomes(outcomes: &[LabelledAnswer]) -> Option<Self> {
        let gaps: Vec<f64> = Bin::split(outcomes)
            .iter()
            .map(|bin| bin.claimed - bin.right)
            .collect();
        Some(Self {
            overconfidence: mean(gaps.iter().map(|gap| gap.max(0.0)))?,
            ece: mean(gaps.iter().map(|gap| gap.abs()))?,
            brier: mean(
                outcomes
                    .iter()
                    .map(|outcome| (1.0 - outcome.chance_of_truth()).powi(2)),
            )?,
            log_loss: mean(
                outcomes
                    .iter()
                    .map(|outcome| -outcome.chance_of_truth().max(HALF_STEP).ln()),
            )?,
        })
    }
}

impl LabelledAnswer {
    fn is_right(self) -> bool {
        self.answer.is_bot == (self.truth == Truth::Bot)
    }

    /// Returns the probability that the score assigns to the predicted answer.
    fn certainty(self) -> f64 {
        f64::midpoint(1.0, self.answer.score.as_f64())
    }

    /// Returns the probability that the score assigns to the labelled answer.
    fn chance_of_truth(self) -> f64 {
        if self.is_right() {
            self.certainty()
        } else {
            1.0 - self.certainty()
        }
    }
}

impl Bin {
    /// Returns the bins, the least certain first; at most one bin per answer. The sort is stable.
    pub fn split(outcomes: &[LabelledAnswer]) -> Vec<Self> {
        let mut sorted_outcomes = outcomes.to_vec();
        sorted_outcomes.sort_by_key(|outcome| outcome.answer.score);
        let count = BINS.min(sorted_outcomes.len());
        let length = sorted_outcomes.len();
        (0..count)
            .map(|bin| {
                Self::from_outcomes(
                    &sorted_outcomes[bin * length / count..(bin + 1) * length / count],
                )
            })
            .collect()
    }

    fn from_outcomes(part: &[LabelledAnswer]) -> Self {
        let right = |outcome: &LabelledAnswer| if outcome.is_right() { 1.0 } else { 0.0 };
        Self {
            claimed: mean(part.iter().map(|outcome| outcome.certainty())).unwrap_or_default(),
            right: mean(part.iter().map(right)).unwrap_or_default(),
            answers: part.len(),
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of addresses are far below 2^53"
)]
fn float(count: usize) -> f64 {
    count as f64
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    (count > 0.0).then(|| sum / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Confidence;

    fn outcome(is_bot: bool, hundredths: u8, truth: Truth) -> LabelledAnswer {
        LabelledAnswer {
            answer: Answer {
                is_bot,
                score: Confidence::from_hundredths(hundredths),
            },
            truth,
        }
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }

    #[test]
    fn calibrated_score_has_no_error() {
        // A score of 0.5 means that three of four answers are right.
        let right = [true, true, true, false].repeat(10);
        let outcomes: Vec<_> = right
            .iter()
            .map(|right| outcome(*right, 50, Truth::Bot))
            .collect();
        let calibration = Calibration::from_outcomes(&outcomes);
        let scores = calibration.scores.unwrap();
        near(scores.overconfidence, 0.0);
        near(scores.ece, 0.0);
        near(scores.brier, 0.75 * 0.0625 + 0.25 * 0.5625);
        near(
            scores.log_loss,
            -(0.75 * 0.75_f64.ln() + 0.25 * 0.25_f64.ln()),
        );
        assert_eq!(
            (
                calibration.false_negatives.count,
                calibration.false_negatives.total,
                calibration.false_positives.total
            ),
            (10, 40, 0)
        );
    }

    #[test]
    fn only_overstatement_is_overconfidence() {
        let sure_and_wrong = vec![outcome(true, 100, Truth::Human); 10];
        let scores = Calibration::from_outcomes(&sure_and_wrong).scores.unwrap();
        near(scores.overconfidence, 1.0);
        near(scores.brier, 1.0);
        assert!(
            scores.log_loss.is_finite() && scores.log_loss > 5.0,
            "{scores:?}"
        );
        let modest_and_right = vec![outcome(false, 0, Truth::Human); 10];
        let scores = Calibration::from_outcomes(&modest_and_right)
            .scores
            .unwrap();
        near(scores.overconfidence, 0.0);
        near(scores.ece, 0.5);
    }

    #[test]
    fn bins_hold_every_answer_once() {
        let sizes = |answers: u8| {
            // The most certain come first, so that the test fails if they are not sorted.
            let outcomes: Vec<_> = (0..answers)
                .rev()
                .map(|score| outcome(true, score, Truth::Bot))
                .collect();
            let bins = Bin::split(&outcomes);
            assert!(
                bins.is_sorted_by(|one, next| one.claimed < next.claimed),
                "{bins:?}"
            );
            bins.iter().map(|bin| bin.answers).collect::<Vec<_>>()
        };
        assert_eq!(sizes(25), [2, 3, 2, 3, 2, 3, 2, 3, 2, 3]);
        assert_eq!(sizes(10), [1; 10]);
        assert_eq!(sizes(3), [1; 3]);
        assert_eq!(sizes(0), [0; 0]);
    }

    #[test]
    fn bin_has_mean_score_and_accuracy() {
        // Twenty answers: two in each bin, the second of them wrong, and each bin more certain than the one before it.
        let answer = |number: u8| {
            outcome(
                true,
                number,
                if number.is_multiple_of(2) {
                    Truth::Bot
                } else {
                    Truth::Human
                },
            )
        };
        let outcomes: Vec<_> = (0..20).map(answer).collect();
        for (number, bin) in (0_u8..).zip(Bin::split(&outcomes)) {
            near(
                bin.claimed,
                f64::midpoint(1.0, (f64::from(number) * 2.0 + 0.5) / 100.0),
            );
            near(bin.right, 0.5);
        }
        let [over, ece] = ScoreErrors::from_outcomes(&outcomes)
            .map(|errors| [errors.overconfidence, errors.ece])
            .unwrap();
        near(over, 0.0475);
        near(ece, 0.0475);
    }

    #[test]
    fn calibration_without_outcomes_is_empty() {
        let calibration = Calibration::from_outcomes(&[]);
        assert_eq!(
            (
                calibration.addresses,
                calibration.scores,
                calibration.false_positives.upper_bound
            ),
            (0, None, None)
        );
        assert!(
            Calibration::from_outcomes(&[outcome(false, 0, Truth::Human)])
                .scores
                .is_some()
        );
    }
}
