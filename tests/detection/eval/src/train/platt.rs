//! Platt scaling: a line that converts logits to calibrated odds.

use voight_detect::model::Scale;

/// Logit, and `true` if a machine made the movement.
pub(super) type Labelled = (f64, bool);

/// Fits the line; people and bots have equal weight, so that the result is evidence without a prior.
pub(super) fn fit(labelled: &[Labelled]) -> Scale {
    let weights = [false, true].map(|kind| {
        let count = labelled.iter().filter(|(_, bot)| *bot == kind).count();
        1.0 / f64::from(u32::try_from(count.max(1)).unwrap_or(u32::MAX))
    });
    let mut scale = Scale {
        slope: 1.0,
        offset: 0.0,
    };
    for _ in 0..100 {
        scale = newton(labelled, weights, scale);
    }
    Scale {
        slope: super::bins::short(scale.slope.max(0.01)),
        offset: super::bins::short(scale.offset),
    }
}

/// Performs a Newton step. A small ridge keeps it finite for separable logits.
fn newton(labelled: &[Labelled], weights: [f64; 2], Scale { slope, offset }: Scale) -> Scale {
    const RIDGE: f64 = 1e-3;
    let mut g = [RIDGE * (slope - 1.0), RIDGE * offset];
    let mut h = [RIDGE, 0.0, RIDGE];
    for (logit, bot) in labelled {
        let share = 1.0 / (1.0 + (-(slope * logit + offset)).exp());
        let weight = weights[usize::from(*bot)];
        let error = weight * (share - f64::from(*bot));
        let curve = weight * share * (1.0 - share);
        (g[0], g[1]) = (g[0] + error * logit, g[1] + error);
        (h[0], h[1], h[2]) = (
            h[0] + curve * logit * logit,
            h[1] + curve * logit,
            h[2] + curve,
        );
    }
    let determinant = h[0] * h[2] - h[1] * h[1];
    let step = [
        (h[2] * g[0] - h[1] * g[1]) / determinant,
        (h[0] * g[1] - h[1] * g[0]) / determinant,
    ];
    // A step longer than 1 would overshoot.
    let size = step[0].hypot(step[1]).max(1.0);
    Scale {
        slope: slope - step[0] / size,
        offset: offset - step[1] / size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overconfident_logits_are_scaled_down() {
        // Nine of ten with logit 5 are bots, and one of ten with logit -5: the true log-odds are ln 9 = 2.2 nats.
        let of = |logit: f64, bots: usize| (0..10).map(move |at| (logit, at < bots));
        let scale = fit(&of(5.0, 9).chain(of(-5.0, 1)).collect::<Vec<_>>());
        assert!((scale.apply(5.0) - 9_f64.ln()).abs() < 0.1, "{scale:?}");
        assert!(scale.offset.abs() < 0.01);
    }

    #[test]
    fn logits_that_separate_perfectly_stay_finite() {
        let scale = fit(&[(3.0, true), (-3.0, false)]);
        assert!(
            scale.slope.is_finite() && scale.slope > 0.5 && scale.offset.abs() < 0.1,
            "{scale:?}"
        );
    }
}
