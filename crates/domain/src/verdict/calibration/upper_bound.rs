//! Upper bounds of proportions.

use statrs::distribution::{Beta, ContinuousCDF};

/// One-sided confidence level of a bound.
const CONFIDENCE: f64 = 0.95;

/// Returns the one-sided 95 % upper bound of a proportion (Clopper and Pearson).
///
/// At the bound, at most `hits` of `of` have a probability of 5 %. Returns `None` if `of` is 0. Both may be fractions,
/// as the effective sizes of clustered samples are.
pub fn share_upper_bound(hits: f64, of: f64) -> Option<f64> {
    if of <= 0.0 {
        return None;
    }
    if hits >= of {
        return Some(1.0);
    }
    Some(
        Beta::new(hits + 1.0, of - hits)
            .ok()?
            .inverse_cdf(CONFIDENCE),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_match_published_tables() {
        for (hits, of, expected) in [
            (0.0, 300.0, 0.009_936),
            (5.0, 100.0, 0.102_253),
            (10.0, 10.0, 1.0),
            (0.0, 1.0, 0.95),
        ] {
            let upper_bound = share_upper_bound(hits, of).unwrap();
            assert!(
                (upper_bound - expected).abs() < 1e-5,
                "{hits} of {of}: {upper_bound}"
            );
        }
        assert_eq!(share_upper_bound(0.0, 0.0), None);
    }

    #[test]
    fn bound_leaves_five_percent_chance() {
        for of in [1_u32, 2, 3, 10, 99, 1_000, 100_000] {
            for hits in [0, 1, of / 100, of / 10, of / 2, of - 1]
                .into_iter()
                .filter(|hits| *hits < of)
            {
                let upper_bound = share_upper_bound(hits.into(), of.into()).unwrap();
                let chance = at_most(hits, of, upper_bound);
                assert!(
                    (chance - 0.05).abs() < 1e-6,
                    "{hits} of {of}: {upper_bound} has {chance}"
                );
            }
        }
    }

    /// Returns the probability of at most `hits` of `of`, as the sum of its terms.
    fn at_most(hits: u32, of: u32, share: f64) -> f64 {
        let mut term = f64::from(of) * (-share).ln_1p();
        let mut sum = term.exp();
        for hit in 1..=hits {
            term += (f64::from(of - hit + 1) / f64::from(hit)).ln() + share.ln() - (-share).ln_1p();
            sum += term.exp();
        }
        sum
    }
}
