//! Answer to a detailed lookup.

use super::answer::{answering, answering_layer};
use super::{
    Answer, Confidence, LayerKind, OverrideTo, Tombstone, Verdict, Versions, answer,
    effective_verdict, magic_answer,
};
use crate::registry::ContextSettings;
use crate::vocabulary::{EoaAddress, Timestamp};

/// Minimum score of evidence that supports a human: the prediction is right with a probability of 55 %.
const SUPPORTED_FROM: Confidence = Confidence::from_hundredths(10);

/// Status of an address in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// No conclusive check, no flag and no decision exist.
    Unknown,
    /// A decision for a human, or evidence for a human with a score of 0.1 or more.
    Human,
    /// The plain answer has `isBot` true.
    Bot,
    /// Checks or a flag exist, but the evidence supports neither a human nor a bot.
    ///
    /// The flag is one that a context in the mode `observe` does not answer with.
    Unsure,
}

/// Source of a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecidedBy {
    /// The evidence of checks.
    Checks,
    /// Operator's override that is in force.
    Operator,
    /// Entry of an operator's list. Reserved: the service has no such lists yet, so no answer has this source.
    List,
}

/// Layer that answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnsweringLayer {
    /// Checks with proof of ownership of the address.
    Owned,
    /// Checks without proof of ownership, which any visitor could have caused.
    Unverified,
    /// Both layers, merged: the context keeps unverified flags.
    Both,
}

/// Detail of an answer. For an unknown status every field except the status is `None` or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detail {
    /// The state of the address.
    pub status: Status,
    /// Number of conclusive checks of the answering layer in the current epoch, since the last erasure.
    pub checks: u32,
    /// Time of the latest of these checks.
    pub last_check_at: Option<Timestamp>,
    /// The answering layer.
    pub layer: Option<AnsweringLayer>,
    /// Source of the status.
    pub decided_by: Option<DecidedBy>,
    /// The latest policy and model that assessed a check; 0 if there is none.
    pub versions: Versions,
}

impl Detail {
    /// Detail about an unknown address.
    pub const UNKNOWN: Self = Self {
        status: Status::Unknown,
        checks: 0,
        last_check_at: None,
        layer: None,
        decided_by: None,
        versions: Versions {
            policy: 0,
            model: 0,
        },
    };
}

/// Returns the detail of the answer of a context with these settings.
///
/// `live` is the stored verdict, `tombstone` the one that an erasure left.
pub fn detail(
    live: Option<&Verdict>,
    tombstone: Option<&Tombstone>,
    settings: &ContextSettings,
) -> Detail {
    let verdict = effective_verdict(live, tombstone);
    let answering_kind = answering(&verdict, settings.unverified_flags);
    let layer = answering_layer(&verdict, settings.unverified_flags);
    let decision = layer.decision_in_force();
    // A tombstone keeps a flag, and no number of checks.
    let live = live.copied().unwrap_or_default();
    let (live_layer, checks) = match answering_kind {
        Some(kind) => (*live.layer(kind), live.layer(kind).conclusive_checks),
        None => (
            live.owned.join(live.unverified),
            live.owned
                .conclusive_checks
                .saturating_add(live.unverified.conclusive_checks),
        ),
    };
    let is_known = checks > 0 || layer.flagged || decision.is_some();
    if !is_known {
        return Detail::UNKNOWN;
    }
    Detail {
        status: status(answer(&verdict, settings), decision),
        checks,
        last_check_at: live_layer.last_check_at,
        layer: Some(match answering_kind {
            Some(LayerKind::Owned) => AnsweringLayer::Owned,
            Some(LayerKind::Unverified) => AnsweringLayer::Unverified,
            None => AnsweringLayer::Both,
        }),
        decided_by: Some(if decision.is_some() {
            DecidedBy::Operator
        } else {
            DecidedBy::Checks
        }),
        versions: live_layer.versions,
    }
}

/// Returns the status of a known address.
fn status(Answer { is_bot, score }: Answer, decision: Option<OverrideTo>) -> Status {
    if is_bot {
        Status::Bot
    } else if decision == Some(OverrideTo::Human) || score >= SUPPORTED_FROM {
        Status::Human
    } else {
        Status::Unsure
    }
}

/// Returns the detail of the sandbox.
///
/// Each outcome has a magic address, with the detail that one unverified check would give.
pub fn magic_detail(address: &EoaAddress) -> Detail {
    let answer = magic_answer(address);
    if answer == Answer::UNKNOWN {
        return Detail::UNKNOWN;
    }
    Detail {
        status: status(answer, None),
        checks: 1,
        layer: Some(AnsweringLayer::Unverified),
        decided_by: Some(DecidedBy::Checks),
        ..Detail::UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::tests::verdict;
    use super::*;
    use crate::registry::{ContextMode, UnverifiedFlagPolicy};
    use crate::verdict::{Layer, Nats};
    use proptest::prelude::*;

    const AT: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    fn checked(human: i32, bot: i32, flagged: bool) -> Layer {
        Layer {
            flagged,
            bot: Nats::from_milli(bot),
            human: Nats::from_milli(human),
            conclusive_checks: 1,
            versions: Versions {
                policy: 3,
                model: 2,
            },
            last_check_at: Some(AT),
            ..Layer::default()
        }
    }

    fn detail_for(verdict: &Verdict) -> Detail {
        detail(Some(verdict), None, &ContextSettings::default())
    }

    #[test]
    fn statuses_are_distinct() {
        let unverified_detail = |layer| {
            detail_for(&Verdict {
                unverified: layer,
                ..Verdict::default()
            })
        };
        assert_eq!(unverified_detail(Layer::default()), Detail::UNKNOWN);
        assert_eq!(
            unverified_detail(Layer {
                conclusive_checks: 0,
                ..checked(700, 0, false)
            })
            .status,
            Status::Unknown,
            "not conclusive"
        );
        for (layer, status) in [
            (checked(1700, 0, false), Status::Human),
            (checked(0, 0, false), Status::Unsure),
            (checked(700, 700, false), Status::Unsure),
            (checked(700, 6000, true), Status::Bot),
        ] {
            let expected_detail = Detail {
                status,
                checks: 1,
                last_check_at: Some(AT),
                layer: Some(AnsweringLayer::Unverified),
                decided_by: Some(DecidedBy::Checks),
                versions: Versions {
                    policy: 3,
                    model: 2,
                },
            };
            assert_eq!(unverified_detail(layer), expected_detail);
        }
    }

    #[test]
    fn override_decides_until_the_next_flag() {
        let human = Verdict::default().overridden(OverrideTo::Human, Nats::ZERO, AT);
        let overridden_detail = Detail {
            status: Status::Human,
            layer: Some(AnsweringLayer::Unverified),
            decided_by: Some(DecidedBy::Operator),
            ..Detail::UNKNOWN
        };
        assert_eq!(detail_for(&human), overridden_detail);
        let flagged_verdict = human.join(Verdict {
            unverified: checked(0, 6000, true),
            epoch: human.epoch,
            ..Verdict::default()
        });
        assert_eq!(
            (
                detail_for(&flagged_verdict).status,
                detail_for(&flagged_verdict).decided_by
            ),
            (Status::Bot, Some(DecidedBy::Checks))
        );
        let bot = flagged_verdict.overridden(OverrideTo::Bot, Nats::from_milli(3584), AT);
        assert_eq!(
            (detail_for(&bot).status, detail_for(&bot).decided_by),
            (Status::Bot, Some(DecidedBy::Operator))
        );
    }

    #[test]
    fn detail_names_the_answering_layer() {
        let verdict = Verdict {
            owned: checked(1700, 0, false),
            unverified: checked(0, 6000, true),
            epoch: 0,
            looked_up: false,
        };
        assert_eq!(
            (detail_for(&verdict).status, detail_for(&verdict).layer),
            (Status::Human, Some(AnsweringLayer::Owned))
        );
        let keep = ContextSettings {
            unverified_flags: UnverifiedFlagPolicy::Keep,
            ..ContextSettings::default()
        };
        let kept_detail = detail(Some(&verdict), None, &keep);
        assert_eq!(
            (kept_detail.status, kept_detail.layer, kept_detail.checks),
            (Status::Bot, Some(AnsweringLayer::Both), 2)
        );
    }

    #[test]
    fn observe_mode_reports_flags_as_unsure() {
        let observe = ContextSettings {
            mode: ContextMode::Observe,
            ..ContextSettings::default()
        };
        let verdict = Verdict {
            unverified: checked(0, 6000, true),
            ..Verdict::default()
        };
        assert_eq!(
            detail(Some(&verdict), None, &observe).status,
            Status::Unsure
        );
    }

    #[test]
    fn erasure_keeps_only_the_status() {
        let tombstone = |decision| {
            let layer = Layer {
                decision,
                ..checked(0, 6000, true)
            };
            let trace = super::super::LayerRemnant {
                flagged: layer.flagged,
                bot: layer.bot,
                covered: true,
                is_decided: layer.decision == Some(OverrideTo::Bot),
            };
            Tombstone {
                owned: super::super::LayerRemnant::default(),
                unverified: trace,
            }
        };
        for (decision, by) in [
            (None, DecidedBy::Checks),
            (Some(OverrideTo::Bot), DecidedBy::Operator),
        ] {
            let erased_detail = detail(
                None,
                Some(&tombstone(decision)),
                &ContextSettings::default(),
            );
            assert_eq!(
                (
                    erased_detail.status,
                    erased_detail.checks,
                    erased_detail.last_check_at
                ),
                (Status::Bot, 0, None)
            );
            assert_eq!(erased_detail.decided_by, Some(by));
        }
    }

    #[test]
    fn magic_addresses_have_their_status() {
        let magic = |byte| magic_detail(&EoaAddress::from_bytes([byte; 20])).status;
        assert_eq!(
            [0x11, 0x22, 0x33].map(magic),
            [Status::Human, Status::Bot, Status::Unsure]
        );
        assert_eq!(
            magic_detail(&EoaAddress::from_bytes([0x44; 20])),
            Detail::UNKNOWN
        );
    }

    proptest! {
        #[test]
        fn status_never_contradicts_the_answer(verdict in verdict(), observe in any::<bool>(), keep in any::<bool>()) {
            let settings = ContextSettings {
                mode: if observe { ContextMode::Observe } else { ContextMode::Enforce },
                unverified_flags: if keep { UnverifiedFlagPolicy::Keep } else { UnverifiedFlagPolicy::UntilOwned },
                ..ContextSettings::default()
            };
            let plain = answer(&verdict, &settings);
            let detail = detail(Some(&verdict), None, &settings);
            prop_assert_eq!(plain.is_bot, detail.status == Status::Bot);
            prop_assert_eq!(detail.status == Status::Unknown, detail.decided_by.is_none());
        }
    }
}
