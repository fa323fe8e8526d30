//! Features as small integers, so that the best threshold of a split is found by counting.

use super::table::TrainingSet;

/// Number of bins of a feature.
const BINS: usize = 64;

/// Borders between bins, and the bin of each row in each feature.
pub(super) struct Bins {
    /// Borders of each feature, ascending; a value equal to a border is below it.
    borders: Vec<Vec<f64>>,
    /// Codes in row order, one for each feature.
    codes: Vec<u8>,
}

impl Bins {
    /// Creates bins of about equal size for the features at `places`.
    pub(super) fn from_table(table: &TrainingSet, positions: &[usize]) -> Self {
        let borders: Vec<Vec<f64>> = positions
            .iter()
            .map(|position| borders(table, *position))
            .collect();
        let mut codes = Vec::with_capacity(table.rows.len() * positions.len());
        for row in &table.rows {
            codes.extend(
                positions
                    .iter()
                    .zip(&borders)
                    .map(|(position, borders)| code(borders, row.features[*position])),
            );
        }
        Self { borders, codes }
    }

    pub(super) fn features(&self) -> usize {
        self.borders.len()
    }

    /// Returns the bins of a row.
    pub(super) fn row(&self, at: usize) -> &[u8] {
        &self.codes[at * self.features()..(at + 1) * self.features()]
    }

    /// Returns the borders of a feature: the one at `bin` separates it from later bins.
    pub(super) fn borders(&self, feature: usize) -> &[f64] {
        &self.borders[feature]
    }
}

/// Returns the borders, rounded as they are written, so that training and serving agree.
fn borders(table: &TrainingSet, position: usize) -> Vec<f64> {
    let mut values: Vec<f64> = table
        .rows
        .iter()
        .map(|row| row.features[position])
        .collect();
    values.sort_unstable_by(f64::total_cmp);
    let mut borders: Vec<f64> = (1..BINS)
        .filter_map(|bin| values.get(bin * values.len() / BINS))
        .map(|at| short(*at))
        .collect();
    borders.dedup();
    borders
}

fn code(borders: &[f64], value: f64) -> u8 {
    u8::try_from(borders.partition_point(|border| *border < value)).unwrap_or(u8::MAX)
}

/// Rounds to five significant digits.
pub(super) fn short(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_at_a_bin_border_is_in_the_lower_bin() {
        let borders = [1.0, 2.0];
        assert_eq!(
            [0.5, 1.0, 1.5, 2.0, 2.5].map(|value| code(&borders, value)),
            [0, 0, 1, 1, 2]
        );
    }

    #[test]
    fn numbers_are_rounded_to_five_digits() {
        assert!((short(0.123_456_789) - 0.12346).abs() < 1e-12);
        assert!((short(-98_765.4) + 98_765.0).abs() < 1e-9);
    }
}
