//! Tombstone of a flag: it keeps the flag in force after its address was erased.

use super::{Layer, Nats, OverrideTo, Verdict};
use crate::registry::Context;

/// Remainder of a flagged verdict after its address was erased: the minimum that is needed to answer.
///
/// A tombstone is stored under a keyed digest of the address, until the context is archived. It belongs to the current
/// epoch: an override, which opens another epoch, removes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tombstone {
    /// Remnant of the owned layer.
    pub owned: LayerRemnant,
    /// Remnant of the unverified layer.
    pub unverified: LayerRemnant,
}

/// Remnant of a layer after an erasure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LayerRemnant {
    /// `true` if a check had flagged the address.
    pub flagged: bool,
    /// Largest bot evidence, from which the score is computed.
    pub bot: Nats,
    /// `true` if there was a conclusive check.
    ///
    /// A conclusive owned check answers for a wallet that another visitor flagged.
    pub covered: bool,
    /// `true` if an operator had decided that the address is a bot.
    pub is_decided: bool,
}

impl Tombstone {
    /// Returns the tombstone for an address that is erased in `context`.
    ///
    /// Returns `None` if the address has no flag, or the context is archived.
    pub fn for_erased(
        context: &Context,
        live: Option<&Verdict>,
        before: Option<&Self>,
    ) -> Option<Self> {
        let Verdict {
            owned, unverified, ..
        } = effective_verdict(live, before);
        let is_kept = context.archived_at.is_none() && (owned.flagged || unverified.flagged);
        is_kept.then(|| Self {
            owned: LayerRemnant::from_layer(&owned),
            unverified: LayerRemnant::from_layer(&unverified),
        })
    }
}

impl LayerRemnant {
    fn from_layer(layer: &Layer) -> Self {
        let is_decided = layer.decision == Some(OverrideTo::Bot);
        Self {
            flagged: layer.flagged,
            bot: layer.bot,
            covered: layer.conclusive_checks > 0,
            is_decided,
        }
    }

    fn to_layer(self) -> Layer {
        let decision = self.is_decided.then_some(OverrideTo::Bot);
        Layer {
            flagged: self.flagged,
            bot: self.bot,
            conclusive_checks: self.covered.into(),
            decision,
            ..Layer::default()
        }
    }
}

/// Returns the verdict that answers: the stored verdict joined in its epoch with the tombstone. So a flag outlives the
/// erasure, and no later check clears it.
pub fn effective_verdict(live: Option<&Verdict>, tombstone: Option<&Tombstone>) -> Verdict {
    let live = live.copied().unwrap_or_default();
    let Some(Tombstone { owned, unverified }) = tombstone else {
        return live;
    };
    live.join(Verdict {
        epoch: live.epoch,
        owned: owned.to_layer(),
        unverified: unverified.to_layer(),
        looked_up: false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::state::tests::verdict;
    use super::*;
    use crate::registry::{ContextMode, ContextSettings, UnverifiedFlagPolicy};
    use crate::verdict::{Answer, answer};
    use crate::vocabulary::{ClientId, Environment, KeyId, Timestamp};
    use proptest::prelude::*;

    fn context() -> Context {
        Context {
            id: "a.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap(),
            number: 1,
            client: ClientId::from_bytes([1; 16]),
            key: KeyId::from_bytes([2; 16]),
            environment: Environment::Live,
            settings: ContextSettings::default(),
            created_at: Timestamp::default(),
            archived_at: None,
        }
    }

    fn every_setting() -> impl Iterator<Item = ContextSettings> {
        let modes = [ContextMode::Enforce, ContextMode::Observe];
        let flags = [UnverifiedFlagPolicy::Keep, UnverifiedFlagPolicy::UntilOwned];
        modes.into_iter().flat_map(move |mode| {
            flags.map(|unverified_flags| ContextSettings {
                unverified_flags,
                mode,
                ..ContextSettings::default()
            })
        })
    }

    fn erased(before: &Verdict) -> Option<Tombstone> {
        Tombstone::for_erased(&context(), Some(before), None)
    }

    proptest! {
        #[test]
        fn erasure_keeps_bot_answers(before in verdict()) {
            let tombstone = erased(&before);
            prop_assert_eq!(tombstone.is_some(), before.owned.flagged || before.unverified.flagged);
            for settings in every_setting() {
                let was = answer(&before, &settings);
                let is = answer(&effective_verdict(None, tombstone.as_ref()), &settings);
                prop_assert_eq!(was.is_bot, is.is_bot);
                if was.is_bot {
                    prop_assert_eq!(was, is);
                }
            }
        }

        #[test]
        fn tombstone_flag_survives_later_checks(before in verdict(), later in verdict()) {
            let Some(tombstone) = erased(&before) else { return Ok(()) };
            let live_verdict = effective_verdict(Some(&later), Some(&tombstone));
            prop_assert!(live_verdict.owned.flagged >= before.owned.flagged && live_verdict.unverified.flagged >= before.unverified.flagged);
            prop_assert_eq!(live_verdict.epoch, later.epoch);
            let keep = ContextSettings { unverified_flags: UnverifiedFlagPolicy::Keep, ..ContextSettings::default() };
            prop_assert!(answer(&live_verdict, &keep).is_bot);
        }

        #[test]
        fn second_erasure_keeps_both_results(before in verdict(), later in verdict()) {
            let first = erased(&before);
            prop_assert_eq!(Tombstone::for_erased(&context(), None, first.as_ref()), first);
            let second = Tombstone::for_erased(&context(), Some(&later), first.as_ref());
            for settings in every_setting() {
                let was = answer(&effective_verdict(Some(&later), first.as_ref()), &settings);
                prop_assert_eq!(was.is_bot, answer(&effective_verdict(None, second.as_ref()), &settings).is_bot);
            }
        }
    }

    #[test]
    fn archived_context_has_no_tombstone() {
        let flagged_layer = Layer {
            flagged: true,
            bot: Nats::from_milli(6000),
            ..Layer::default()
        };
        let verdict = Verdict {
            unverified: flagged_layer,
            ..Verdict::default()
        };
        let archived_context = Context {
            archived_at: Some(Timestamp::default()),
            ..context()
        };
        assert_eq!(
            Tombstone::for_erased(&archived_context, Some(&verdict), erased(&verdict).as_ref()),
            None
        );
        assert!(erased(&verdict).is_some());
    }

    #[test]
    fn address_without_records_is_unknown() {
        assert_eq!(
            answer(&effective_verdict(None, None), &ContextSettings::default()),
            Answer::UNKNOWN
        );
    }
}
