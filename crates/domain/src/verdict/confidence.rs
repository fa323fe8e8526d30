//! Published score.

use super::Nats;
use std::fmt;

/// Score `confidence.score`: 0 to 1 in steps of 0.01. 0 is a coin toss or no evidence, 1 is certainty.
///
/// ```
/// use voight_domain::verdict::{Confidence, Nats};
///
/// assert_eq!(Confidence::from_log_odds(Nats::from_f64(2.197)).to_string(), "0.8");
/// assert_eq!(Confidence::from_log_odds(Nats::ZERO), Confidence::NONE);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Confidence(u8);

impl Confidence {
    /// Score without any certainty.
    pub const NONE: Self = Self(0);

    /// Score of a certain answer.
    pub const CERTAIN: Self = Self(100);

    /// Returns the score `hundredths / 100`; values above 100 give 1.
    pub const fn from_hundredths(hundredths: u8) -> Self {
        Self(if hundredths > 100 { 100 } else { hundredths })
    }

    /// Returns the score in hundredths.
    pub const fn hundredths(self) -> u8 {
        self.0
    }

    /// Returns the score as the API prints it.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// Returns `max(0, 2 sigma(x) - 1)` of the log-odds `x`, rounded to 0.01.
    ///
    /// The score is the distance from a coin toss, in the predicted direction.
    pub fn from_log_odds(log_odds: Nats) -> Self {
        let score = (2.0 * log_odds.sigma() - 1.0).max(0.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the value lies in 0..=100"
        )]
        Self((score * 100.0).round() as u8)
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_f64().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_grows_to_certainty() {
        assert_eq!(
            Confidence::from_log_odds(Nats::from_milli(-4000)),
            Confidence::NONE
        );
        assert_eq!(Confidence::from_log_odds(Nats::ZERO), Confidence::NONE);
        assert_eq!(
            Confidence::from_log_odds(Nats::from_milli(2197)).hundredths(),
            80
        );
        assert_eq!(
            Confidence::from_log_odds(Nats::from_milli(60_000)).hundredths(),
            100
        );
    }
}
