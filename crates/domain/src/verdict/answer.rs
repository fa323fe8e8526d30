//! Answer to a lookup.

use super::{Confidence, Layer, LayerKind, Nats, OverrideTo, Verdict};
use crate::registry::{ContextMode, ContextSettings, UnverifiedFlagPolicy};
use crate::vocabulary::EoaAddress;

/// Public answer to a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// `true` if the address is predicted to be operated by a bot.
    pub is_bot: bool,
    /// The certainty of the prediction.
    pub score: Confidence,
}

impl Answer {
    /// Answer about an unknown address: no evidence, no certainty.
    pub const UNKNOWN: Self = Self {
        is_bot: false,
        score: Confidence::NONE,
    };
}

/// Returns the answer of a context with these settings.
///
/// `score = isBot ? max(0, 2 sigma(bot + logit prior) - 1) : max(0, 2 sigma(human - max(0, bot)) - 1)`, rounded to
/// 0.01. An operator's decision has the score 1 while it is in force.
///
/// ```
/// use voight_domain::Timestamp;
/// use voight_domain::registry::{ContextSettings, MinConfidence};
/// use voight_domain::verdict::{Assessment, LayerKind, Nats, Verdict, answer, observe};
///
/// let assessment = Assessment {
///     bot: Nats::from_f64(9.0),
///     groups: 2,
///     conclusive: true,
///     ..Assessment::default()
/// };
/// let now = Timestamp::from_millis(1_700_000_000_000);
/// let verdict = Verdict::default();
/// let observation =
///     observe(&verdict, LayerKind::Unverified, &assessment, MinConfidence::default(), now)
///         .expect("the first check of the day counts");
/// let verdict = verdict.with_observation(&observation);
/// assert!(answer(&verdict, &ContextSettings::default()).is_bot);
/// ```
pub fn answer(verdict: &Verdict, settings: &ContextSettings) -> Answer {
    let layer = answering_layer(verdict, settings.unverified_flags);
    let is_bot = layer.flagged && settings.mode == ContextMode::Enforce;
    let score = match (is_bot, layer.decision_in_force()) {
        (true, Some(OverrideTo::Bot)) | (false, Some(OverrideTo::Human)) => Confidence::CERTAIN,
        (true, _) => Confidence::from_log_odds(layer.bot + Nats::prior()),
        (false, _) => Confidence::from_log_odds(layer.human - layer.bot.max(Nats::ZERO)),
    };
    Answer { is_bot, score }
}

/// Returns the layer that answers, or both layers merged.
pub(super) fn answering_layer(verdict: &Verdict, unverified_flags: UnverifiedFlagPolicy) -> Layer {
    match answering(verdict, unverified_flags) {
        Some(kind) => *verdict.layer(kind),
        None => verdict.owned.join(verdict.unverified),
    }
}

/// Returns the kind of the single layer that answers: the owned layer after its first conclusive check. Returns `None`
/// if unverified flags are kept, so that both layers are merged.
pub(super) fn answering(
    verdict: &Verdict,
    unverified_flags: UnverifiedFlagPolicy,
) -> Option<LayerKind> {
    match unverified_flags {
        UnverifiedFlagPolicy::Keep => None,
        // An owned layer that an operator's override flagged answers too, even without a conclusive check.
        UnverifiedFlagPolicy::UntilOwned
            if verdict.owned.conclusive_checks > 0 || verdict.owned.flagged =>
        {
            Some(LayerKind::Owned)
        }
        UnverifiedFlagPolicy::UntilOwned => Some(LayerKind::Unverified),
    }
}

/// Returns `true` if the answer moves from the unverified to the owned layer.
///
/// The verdict changes from `before` to `after`. Besides an operator's decision, this is the only way in which an
/// answer changes from a bot to no bot.
pub fn moves_to_owned(
    before: &Verdict,
    after: &Verdict,
    unverified_flags: UnverifiedFlagPolicy,
) -> bool {
    !before.unverified.is_unchecked()
        && answering(before, unverified_flags) == Some(LayerKind::Unverified)
        && answering(after, unverified_flags) == Some(LayerKind::Owned)
}

/// Returns the answer of the sandbox, by magic addresses.
///
/// `0x1111…` is a human, `0x2222…` a bot, `0x3333…` unsure; every other address is unknown.
pub fn magic_answer(address: &EoaAddress) -> Answer {
    let is_filled_with = |byte: u8| address.as_bytes().iter().all(|b| *b == byte);
    if is_filled_with(0x11) {
        Answer {
            is_bot: false,
            score: Confidence::from_hundredths(95),
        }
    } else if is_filled_with(0x22) {
        Answer {
            is_bot: true,
            score: Confidence::from_hundredths(98),
        }
    } else if is_filled_with(0x33) {
        Answer {
            is_bot: false,
            score: Confidence::from_hundredths(5),
        }
    } else {
        Answer::UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::tests::verdict;
    use super::*;
    use crate::vocabulary::Timestamp;
    use proptest::prelude::*;

    fn flagged() -> Layer {
        Layer {
            flagged: true,
            bot: Nats::from_milli(6000),
            ..Layer::default()
        }
    }

    fn clean() -> Layer {
        Layer {
            human: Nats::from_milli(2000),
            conclusive_checks: 1,
            ..Layer::default()
        }
    }

    fn settings(unverified_flags: UnverifiedFlagPolicy) -> ContextSettings {
        ContextSettings {
            unverified_flags,
            ..ContextSettings::default()
        }
    }

    #[test]
    fn unknown_address_has_zero_confidence() {
        assert_eq!(
            answer(&Verdict::default(), &ContextSettings::default()),
            Answer::UNKNOWN
        );
    }

    #[test]
    fn owned_check_overrides_unverified_flag() {
        let verdict = Verdict {
            owned: clean(),
            unverified: flagged(),
            ..Verdict::default()
        };
        assert!(!answer(&verdict, &settings(UnverifiedFlagPolicy::UntilOwned)).is_bot);
        assert!(answer(&verdict, &settings(UnverifiedFlagPolicy::Keep)).is_bot);
    }

    #[test]
    fn first_owned_check_moves_the_answer_once() {
        let unverified_verdict = Verdict {
            unverified: flagged(),
            ..Verdict::default()
        };
        let owned_verdict = Verdict {
            owned: clean(),
            ..unverified_verdict
        };
        let abstaining_verdict = Verdict {
            owned: Layer::default(),
            ..unverified_verdict
        };
        assert!(moves_to_owned(
            &unverified_verdict,
            &owned_verdict,
            UnverifiedFlagPolicy::UntilOwned
        ));
        assert!(!moves_to_owned(
            &unverified_verdict,
            &owned_verdict,
            UnverifiedFlagPolicy::Keep
        ));
        assert!(!moves_to_owned(
            &unverified_verdict,
            &abstaining_verdict,
            UnverifiedFlagPolicy::UntilOwned
        ));
        assert!(!moves_to_owned(
            &owned_verdict,
            &owned_verdict,
            UnverifiedFlagPolicy::UntilOwned
        ));
        assert!(
            !moves_to_owned(
                &Verdict::default(),
                &owned_verdict,
                UnverifiedFlagPolicy::UntilOwned
            ),
            "nothing was claimed before"
        );
    }

    #[test]
    fn abstaining_owned_check_moves_nothing() {
        let verdict = Verdict {
            owned: Layer::default(),
            unverified: flagged(),
            ..Verdict::default()
        };
        assert!(answer(&verdict, &settings(UnverifiedFlagPolicy::UntilOwned)).is_bot);
    }

    #[test]
    fn score_follows_the_formula() {
        let bot = Verdict {
            unverified: flagged(),
            ..Verdict::default()
        };
        assert_eq!(
            answer(&bot, &ContextSettings::default()).score.hundredths(),
            98
        );
        let human = Verdict {
            unverified: clean(),
            ..Verdict::default()
        };
        assert_eq!(
            answer(&human, &ContextSettings::default())
                .score
                .hundredths(),
            76
        );
    }

    #[test]
    fn override_has_full_confidence() {
        let at = Timestamp::from_millis(9);
        let tau = ContextSettings::default().min_confidence.flag_threshold();
        for (to, is_bot) in [(OverrideTo::Human, false), (OverrideTo::Bot, true)] {
            for unverified_flags in [UnverifiedFlagPolicy::Keep, UnverifiedFlagPolicy::UntilOwned] {
                let overridden_verdict = Verdict {
                    unverified: flagged(),
                    ..Verdict::default()
                }
                .overridden(to, tau, at);
                let expected_answer = Answer {
                    is_bot,
                    score: Confidence::CERTAIN,
                };
                assert_eq!(
                    answer(&overridden_verdict, &settings(unverified_flags)),
                    expected_answer,
                    "{to:?}"
                );
                let doubted_verdict = Verdict {
                    unverified: overridden_verdict.unverified.join(clean()),
                    ..overridden_verdict
                };
                assert_eq!(
                    answer(&doubted_verdict, &settings(unverified_flags)),
                    expected_answer,
                    "a check that does not flag changes nothing"
                );
            }
        }
    }

    #[test]
    fn check_flags_again_after_human_override() {
        let human =
            Verdict::default().overridden(OverrideTo::Human, Nats::ZERO, Timestamp::from_millis(9));
        let flagged_verdict = Verdict {
            unverified: flagged(),
            epoch: human.epoch,
            ..Verdict::default()
        };
        let flagged_answer = answer(&human.join(flagged_verdict), &ContextSettings::default());
        assert_eq!(
            (flagged_answer.is_bot, flagged_answer.score.hundredths()),
            (true, 98)
        );
        let owned_verdict = Verdict {
            owned: clean(),
            epoch: human.epoch,
            ..Verdict::default()
        };
        let moved_answer = answer(
            &human.join(flagged_verdict).join(owned_verdict),
            &ContextSettings::default(),
        );
        assert_eq!(
            moved_answer,
            Answer {
                is_bot: false,
                score: Confidence::CERTAIN
            },
            "the owned layer was decided, too"
        );
    }

    #[test]
    fn human_override_leaves_nothing_to_move() {
        let human =
            Verdict::default().overridden(OverrideTo::Human, Nats::ZERO, Timestamp::from_millis(9));
        let owned_verdict = human.join(Verdict {
            owned: clean(),
            epoch: human.epoch,
            ..Verdict::default()
        });
        assert!(!moves_to_owned(
            &human,
            &owned_verdict,
            UnverifiedFlagPolicy::UntilOwned
        ));
    }

    #[test]
    fn observe_mode_never_answers_bot() {
        let observing = ContextSettings {
            mode: ContextMode::Observe,
            ..ContextSettings::default()
        };
        let verdict = Verdict {
            unverified: flagged(),
            ..Verdict::default()
        };
        assert!(!answer(&verdict, &observing).is_bot);
    }

    #[test]
    fn magic_addresses_cover_each_outcome() {
        let magic = |byte| magic_answer(&EoaAddress::from_bytes([byte; 20]));
        assert!(!magic(0x11).is_bot && magic(0x11).score.hundredths() > 90);
        assert!(magic(0x22).is_bot);
        assert!(!magic(0x33).is_bot && magic(0x33).score.hundredths() < 10);
        assert_eq!(magic(0x44), Answer::UNKNOWN);
    }

    proptest! {
        #[test]
        fn keep_policy_never_clears_a_flag(a in verdict(), b in verdict()) {
            prop_assume!(a.epoch >= b.epoch);
            let keep = settings(UnverifiedFlagPolicy::Keep);
            prop_assert!(answer(&a.join(b), &keep).is_bot >= answer(&a, &keep).is_bot);
        }
    }
}
