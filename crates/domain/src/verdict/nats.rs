//! Log-odds.

use std::iter::Sum;
use std::ops::{Add, Neg, Sub};

/// Evidence in nats (natural log-odds).
///
/// Stored in thousandths, so that values compare and merge exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Nats(i32);

impl Nats {
    /// No evidence.
    pub const ZERO: Self = Self(0);

    /// Creates a value from thousandths of a nat.
    pub const fn from_milli(milli: i32) -> Self {
        Self(milli)
    }

    /// Returns the value in thousandths of a nat.
    pub const fn as_milli(self) -> i32 {
        self.0
    }

    /// Returns the nearest thousandth to `nats`; NaN is no evidence.
    pub fn from_f64(nats: f64) -> Self {
        // `as` saturates and maps NaN to 0, which is intended for hostile numbers.
        #[expect(clippy::cast_possible_truncation, reason = "saturation is intended")]
        let milli = (nats * 1000.0).round() as i32;
        Self(milli)
    }

    /// Returns the value in nats.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// Returns `ln(p / (1 - p))`.
    pub fn logit(p: f64) -> Self {
        Self::from_f64((p / (1.0 - p)).ln())
    }

    /// Returns the log-odds of the prior.
    ///
    /// Before any evidence, one wallet in five is assumed to be operated by a bot.
    pub fn prior() -> Self {
        Self::logit(0.2)
    }

    /// Returns `1 / (1 + exp(-x))`.
    pub fn sigma(self) -> f64 {
        1.0 / (1.0 + (-self.as_f64()).exp())
    }
}

impl Add for Nats {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Nats {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for Nats {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl Sum for Nats {
    fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
        values.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_round_and_saturate() {
        assert_eq!(Nats::from_f64(1.2345), Nats::from_milli(1235));
        assert_eq!(Nats::from_f64(f64::NAN), Nats::ZERO);
        assert_eq!(Nats::from_f64(f64::INFINITY), Nats::from_milli(i32::MAX));
        assert_eq!(Nats::prior(), Nats::from_milli(-1386));
        assert_eq!(
            Nats::from_milli(i32::MAX) + Nats::from_milli(1),
            Nats::from_milli(i32::MAX)
        );
        assert!((Nats::ZERO.sigma() - 0.5).abs() < 1e-12);
    }
}
