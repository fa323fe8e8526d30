//! Distribution of a metric over rounds.

/// Median of all rounds, with the quartiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Quartiles {
    /// Median.
    pub(crate) median: f64,
    /// First quartile.
    pub(crate) low: f64,
    /// Third quartile.
    pub(crate) high: f64,
}

impl Quartiles {
    /// Computes the quartiles of one value per round; `None` without rounds.
    pub(crate) fn from_rounds(rounds: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut ascending_rounds: Vec<f64> = rounds.into_iter().collect();
        ascending_rounds.sort_by(f64::total_cmp);
        let quantile = |fraction| quantile(&ascending_rounds, fraction);
        Some(Self {
            median: quantile(0.5)?,
            low: quantile(0.25)?,
            high: quantile(0.75)?,
        })
    }

    /// Creates the quartiles of a metric that was measured once.
    pub(crate) const fn single(value: f64) -> Self {
        Self {
            median: value,
            low: value,
            high: value,
        }
    }
}

/// Returns the quantile `fraction` (0 to 1) of sorted values, interpolated linearly between two neighbours.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index of a short list"
)]
fn quantile(sorted: &[f64], fraction: f64) -> Option<f64> {
    let rank = fraction * sorted.len().checked_sub(1)? as f64;
    let low = sorted.get(rank.floor() as usize)?;
    let high = sorted.get(rank.ceil() as usize)?;
    Some(low + (high - low) * rank.fract())
}

#[cfg(test)]
mod tests {
    use super::Quartiles;

    #[test]
    fn the_quartiles_do_not_depend_on_the_order() {
        let quartiles = Quartiles {
            median: 3.0,
            low: 2.0,
            high: 4.0,
        };
        assert_eq!(
            Quartiles::from_rounds([5.0, 1.0, 3.0, 2.0, 4.0]),
            Some(quartiles)
        );
    }

    #[test]
    fn even_median_is_interpolated() {
        let quartiles = Quartiles {
            median: 2.5,
            low: 1.75,
            high: 3.25,
        };
        assert_eq!(
            Quartiles::from_rounds([1.0, 2.0, 3.0, 4.0]),
            Some(quartiles)
        );
    }

    #[test]
    fn single_round_has_equal_quartiles() {
        assert_eq!(Quartiles::from_rounds([7.0]), Some(Quartiles::single(7.0)));
        assert_eq!(Quartiles::from_rounds([]), None);
    }
}
