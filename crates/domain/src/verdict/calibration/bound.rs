//! How large a share may be, given how often it was seen.

/// What an event that is as rare as it may be is left for: 95 % lie on the other side.
const RARE: f64 = 0.05;
/// Halvings of the interval; more than a float can tell apart.
const HALVINGS: usize = 60;

/// The one-sided 95 % upper bound of a share (Clopper and Pearson): the share under which `hits` of `of`, or fewer, have a
/// chance of 5 %. `None` of none.
pub(super) fn upper_bound(hits: usize, of: usize) -> Option<f64> {
    if of == 0 {
        return None;
    }
    if hits >= of {
        return Some(1.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if at_most(hits, of, middle) > RARE { low = middle } else { high = middle }
    }
    Some(high)
}

/// The chance of `hits` of `of`, or fewer, if each has the chance `share`, which is neither 0 nor 1.
fn at_most(hits: usize, of: usize, share: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of addresses")]
    let float = |count: usize| count as f64;
    // The logarithm of each term, from that of the one before.
    let mut term = float(of) * (-share).ln_1p();
    let mut sum = term.exp();
    for hit in 1..=hits {
        term += (float(of - hit + 1) / float(hit)).ln() + share.ln() - (-share).ln_1p();
        sum += term.exp();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_the_tables() {
        for (hits, of, expected) in [(0, 300, 0.009_936), (5, 100, 0.102_253), (10, 10, 1.0), (0, 1, 0.95)] {
            let found = upper_bound(hits, of).unwrap();
            assert!((found - expected).abs() < 1e-5, "{hits} of {of}: {found}");
        }
        assert_eq!(upper_bound(0, 0), None);
    }

    #[test]
    fn many_addresses_are_no_trouble() {
        let found = upper_bound(900, 100_000).unwrap();
        assert!(found > 0.009 && found < 0.01, "{found}");
    }
}
