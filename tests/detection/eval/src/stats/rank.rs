//! Order statistics.

/// Returns the mean; `None` if empty.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / super::float(values.len()))
}

/// Returns the value that a share of the values does not exceed; `None` if empty.
pub fn quantile(values: &[f64], quantile: f64) -> Option<f64> {
    let mut ascending = values.to_vec();
    ascending.sort_by(f64::total_cmp);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index of the list"
    )]
    let at = (super::float(ascending.len()) * quantile).ceil() as usize;
    ascending
        .get(at.clamp(1, ascending.len().max(1)) - 1)
        .copied()
}

/// Returns the area under the ROC curve; `None` if either is empty.
///
/// The area is the probability that a value of `high` exceeds one of `low`, where ties count half.
pub fn auc(high: &[f64], low: &[f64]) -> Option<f64> {
    let mut low = low.to_vec();
    low.sort_by(f64::total_cmp);
    let below = |value: &f64| {
        let less = low.partition_point(|candidate| candidate < value);
        let not_more = low.partition_point(|candidate| candidate <= value);
        super::float(less + not_more) / 2.0
    };
    let pairs = super::float(high.len() * low.len());
    (pairs > 0.0).then(|| high.iter().map(below).sum::<f64>() / pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_auc_of_small_samples_is_exact() {
        assert_eq!(auc(&[2.0, 3.0], &[0.0, 1.0]), Some(1.0));
        assert_eq!(auc(&[1.0], &[1.0]), Some(0.5));
        assert_eq!(auc(&[0.0, 2.0], &[1.0]), Some(0.5));
        assert_eq!(auc(&[], &[1.0]), None);
    }

    #[test]
    fn a_quantile_is_one_of_the_values() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(
            (quantile(&values, 0.5), quantile(&values, 1.0)),
            (Some(2.0), Some(4.0))
        );
        assert_eq!(
            (quantile(&values, 0.0), quantile(&[], 0.5)),
            (Some(1.0), None)
        );
    }
}
