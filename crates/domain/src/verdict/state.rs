//! Stored verdict on an address in a context: a join.

use super::{Layer, LayerKind, Nats, OverrideTo};
use crate::vocabulary::Timestamp;

/// Verdict on an address in a context.
///
/// The layers of the higher epoch win; equal epochs merge layer by layer. So observations applied in any order, any
/// number of times, on any node give the same verdict, and each layer is sticky within its epoch.
///
/// ```
/// use voight_domain::verdict::{Layer, Verdict};
///
/// let clean = Verdict::default();
/// let flagged = Verdict {
///     unverified: Layer { flagged: true, ..Layer::default() },
///     ..Verdict::default()
/// };
/// assert!(flagged.join(clean).unverified.flagged);
/// assert_eq!(flagged.join(clean), clean.join(flagged));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Verdict {
    /// Generation of the verdict, raised by an operator's override.
    ///
    /// Observations of an older epoch have no effect.
    pub epoch: u32,
    /// The layer of checks with proof of ownership.
    pub owned: Layer,
    /// The layer of checks without proof of ownership.
    pub unverified: Layer,
    /// `true` once the client has looked the address up with this verdict or an earlier one. From then on its events
    /// have the answer.
    pub looked_up: bool,
}

impl Verdict {
    /// Returns the layer of this kind.
    pub const fn layer(&self, kind: LayerKind) -> &Layer {
        match kind {
            LayerKind::Owned => &self.owned,
            LayerKind::Unverified => &self.unverified,
        }
    }

    /// Merges two verdicts.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        let verdict = match self.epoch.cmp(&other.epoch) {
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Equal => Self {
                owned: self.owned.join(other.owned),
                unverified: self.unverified.join(other.unverified),
                ..self
            },
        };
        Self {
            looked_up: self.looked_up || other.looked_up,
            ..verdict
        }
    }

    /// Returns `true` if the two verdicts differ at most in [`looked_up`](Self::looked_up).
    pub fn has_same_layers(&self, other: &Self) -> bool {
        *self
            == Self {
                looked_up: self.looked_up,
                ..*other
            }
    }

    /// Returns the verdict after an operator's override: a new epoch with the decision in both layers.
    ///
    /// For a bot both layers are flagged with `bot = tau`; for a human they hold nothing else.
    #[must_use]
    pub fn overridden(self, to: OverrideTo, tau: Nats, at: Timestamp) -> Self {
        let layer = Layer::overridden(to, tau, at);
        self.replaced(layer, layer)
    }

    /// Returns the verdict with these layers instead, in a new epoch.
    #[must_use]
    pub const fn replaced(self, owned: Layer, unverified: Layer) -> Self {
        Self {
            epoch: self.epoch.saturating_add(1),
            owned,
            unverified,
            looked_up: self.looked_up,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::verdict::{DayCount, Versions};
    use proptest::prelude::*;

    /// Generates layers as observations can produce them; small ranges, so that fields are often equal.
    pub(crate) fn layer() -> impl Strategy<Value = Layer> {
        let times = (
            proptest::option::of(0..4_i64),
            proptest::option::of(0..4_i64),
        );
        let decision = proptest::option::of(proptest::sample::select(vec![
            OverrideTo::Human,
            OverrideTo::Bot,
        ]));
        (
            any::<bool>(),
            0..4_i32,
            0..4_i32,
            times,
            0..3_u32,
            0..3_i64,
            0..3_u32,
            0..2_u32,
            decision,
        )
            .prop_map(
                |(flagged, bot, human, (first, last), ordinal, date, checks, policy, decision)| {
                    Layer {
                        flagged,
                        bot: Nats::from_milli(bot),
                        human: Nats::from_milli(human),
                        first_flagged_at: first.map(Timestamp::from_millis),
                        conclusive_checks: ordinal,
                        today: DayCount { date, checks },
                        versions: Versions { policy, model: 0 },
                        decision,
                        last_check_at: last.map(Timestamp::from_millis),
                    }
                },
            )
    }

    pub(crate) fn verdict() -> impl Strategy<Value = Verdict> {
        (0..3_u32, layer(), layer(), any::<bool>()).prop_map(
            |(epoch, owned, unverified, looked_up)| Verdict {
                epoch,
                owned,
                unverified,
                looked_up,
            },
        )
    }

    proptest! {
        #[test]
        fn join_is_commutative(a in verdict(), b in verdict()) {
            prop_assert_eq!(a.join(b), b.join(a));
        }

        #[test]
        fn join_is_associative(a in verdict(), b in verdict(), c in verdict()) {
            prop_assert_eq!(a.join(b).join(c), a.join(b.join(c)));
        }

        #[test]
        fn join_is_idempotent(a in verdict(), b in verdict()) {
            prop_assert_eq!(a.join(a), a);
            prop_assert_eq!(a.join(b).join(b), a.join(b));
        }

        #[test]
        fn layers_are_sticky_within_an_epoch(a in verdict(), b in verdict()) {
            let joined_verdict = a.join(b);
            if joined_verdict.epoch == a.epoch {
                prop_assert!(joined_verdict.owned.flagged >= a.owned.flagged);
                prop_assert!(joined_verdict.unverified.flagged >= a.unverified.flagged);
            }
        }

        #[test]
        fn higher_epoch_wins_completely(a in verdict(), b in verdict()) {
            prop_assume!(a.epoch > b.epoch);
            let looked_up = a.looked_up || b.looked_up;
            prop_assert_eq!(a.join(b), Verdict { looked_up, ..a });
        }

        #[test]
        fn override_outlasts_older_verdicts(a in verdict(), b in verdict()) {
            prop_assume!(b.epoch <= a.epoch);
            let cleared_verdict = a.overridden(OverrideTo::Human, Nats::ZERO, Timestamp::from_millis(9));
            let looked_up = a.looked_up || b.looked_up;
            prop_assert_eq!(cleared_verdict.join(b), Verdict { looked_up, ..cleared_verdict });
            prop_assert!(!cleared_verdict.owned.flagged && !cleared_verdict.unverified.flagged);
        }

        #[test]
        fn override_survives_observations(a in verdict(), seen in layer(), to in any::<bool>()) {
            let to = if to { OverrideTo::Bot } else { OverrideTo::Human };
            let overridden_verdict = a.overridden(to, Nats::from_milli(3), Timestamp::from_millis(9));
            let observed_layer = Layer { decision: None, ..seen };
            let observed_verdict = Verdict { epoch: overridden_verdict.epoch, owned: observed_layer, unverified: observed_layer, looked_up: false };
            let joined_verdict = overridden_verdict.join(observed_verdict);
            prop_assert_eq!((joined_verdict.owned.decision, joined_verdict.unverified.decision), (Some(to), Some(to)));
            let in_force = if to == OverrideTo::Human && observed_layer.flagged { None } else { Some(to) };
            prop_assert_eq!(joined_verdict.unverified.decision_in_force(), in_force);
        }
    }
}
