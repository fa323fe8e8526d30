//! Conclusion of a check as a pure decision.
//!
//! Uses up the challenge, merges the observation, and issues the receipt.

use super::{GateRejection, InputDigest, Receipt};
use crate::events::{NewEvent, verdict_event};
use crate::linkage::{self, ClusterLimitExceeded, LinkFacts, LinkSignals, LinkWrite};
use crate::ports::Judgement;
use crate::registry::Context;
use crate::verdict::{
    Assessment, Event, EventKind, Finding, Layer, LayerKind, Nats, Observation, Verdict,
    moves_to_owned, observe,
};
use crate::vocabulary::{CheckId, ContextId, EoaAddress, Timestamp};

/// Request to conclude a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckConclusion {
    /// The check.
    pub check: CheckId,
    /// The context of the check.
    pub context: ContextId,
    /// The address of the check.
    pub address: EoaAddress,
    /// The layer of the check.
    pub layer: LayerKind,
    /// The judgement of the assessor.
    pub judgement: Judgement,
    /// Digests of the input events, which are stored to detect duplicates.
    pub inputs: Vec<InputDigest>,
    /// Signals that may link the check to other checks of its context.
    pub link_signals: LinkSignals,
    /// The receipt to issue; `None` for a check that expired with evidence.
    ///
    /// Such a check can add to `bot` but never to `human`.
    pub receipt: Option<Receipt>,
}

/// Facts that a store has read inside its write transaction.
#[derive(Debug, Clone, Copy)]
pub struct ConcludeFacts<'a> {
    /// The previous conclusion of the check.
    pub previous_conclusion: Option<&'a Concluded>,
    /// `true` if another check of this context presented one of the inputs.
    pub input_seen: bool,
    /// The context.
    pub context: Option<&'a Context>,
    /// The verdict before the check.
    pub verdict: Option<&'a Verdict>,
    /// The link data of the context.
    pub links: &'a LinkFacts,
}

/// Conclusion of a check, stored until long after its challenge has expired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concluded {
    /// The receipt of the check.
    pub receipt: Option<Receipt>,
}

/// Outcome of a conclusion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConcludeOutcome {
    /// The check is concluded by this call; this is its receipt.
    Done(Option<Receipt>),
    /// The check was concluded by an earlier call, which this one repeats; this is its receipt.
    Repeated(Option<Receipt>),
    /// The gate rejected the check.
    Rejected(GateRejection),
    /// The context does not exist.
    ContextMissing,
}

/// Changes that a store writes atomically, and the outcome that it returns.
#[derive(Debug, Clone)]
pub struct ConcludeStep {
    /// The outcome.
    pub outcome: ConcludeOutcome,
    /// The changes; `None` if the check was concluded before.
    pub write: Option<ConcludeWrite>,
}

/// Changes of a conclusion. The store also writes the inputs of the request.
#[derive(Debug, Clone)]
pub struct ConcludeWrite {
    /// The conclusion, which uses up the challenge.
    pub concluded: Concluded,
    /// The verdict after the check; `None` if it does not change.
    pub verdict: Option<Verdict>,
    /// The events of the timeline, in order.
    pub events: Vec<Event>,
    /// The event of the client's feed.
    pub client_event: Option<NewEvent>,
    /// The link data to store.
    pub links: LinkWrite,
}

/// Decides a conclusion from the stored facts at `now`. Pure: adapters read the facts, call this, and write the step.
///
/// A retry returns the receipt of the first call. A rejected check uses up its challenge too, and adds nothing to the
/// verdict.
pub fn conclude(
    request: &CheckConclusion,
    facts: ConcludeFacts<'_>,
    now: Timestamp,
) -> ConcludeStep {
    if let Some(before) = facts.previous_conclusion {
        return ConcludeStep {
            outcome: repeat_outcome(request, before),
            write: None,
        };
    }
    let Some(context) = facts.context else {
        return ConcludeStep {
            outcome: ConcludeOutcome::ContextMissing,
            write: None,
        };
    };
    match &request.judgement {
        Judgement::Rejected(reason) => rejected(request, *reason, now),
        Judgement::Assessed(_) if facts.input_seen => {
            rejected(request, GateRejection::Duplicate, now)
        }
        Judgement::Assessed(assessment) => {
            conclude_assessed(request, assessment, context, facts, now)
        }
    }
}

fn repeat_outcome(request: &CheckConclusion, before: &Concluded) -> ConcludeOutcome {
    match (&request.receipt, &before.receipt) {
        (Some(_), None) => ConcludeOutcome::Rejected(GateRejection::ChallengeUsed),
        (_, receipt) => ConcludeOutcome::Repeated(receipt.clone()),
    }
}

fn rejected(request: &CheckConclusion, reason: GateRejection, now: Timestamp) -> ConcludeStep {
    let event = Event {
        at: now,
        kind: EventKind::Rejected {
            check: request.check,
            reason,
        },
    };
    let conclusion = Concluded { receipt: None };
    let write = ConcludeWrite {
        concluded: conclusion,
        verdict: None,
        events: vec![event],
        client_event: None,
        links: LinkWrite::default(),
    };
    ConcludeStep {
        outcome: ConcludeOutcome::Rejected(reason),
        write: Some(write),
    }
}

fn conclude_assessed(
    request: &CheckConclusion,
    assessment: &Assessment,
    context: &Context,
    facts: ConcludeFacts<'_>,
    now: Timestamp,
) -> ConcludeStep {
    let is_completed = request.receipt.is_some();
    let check = linkage::LinkCheck {
        id: request.check,
        layer: request.layer,
        completed: is_completed,
        presented: &request.link_signals,
    };
    let link_decision = linkage::link(check, facts.links, &context.settings, now);
    let assessment = with_links(request, assessment, link_decision.findings);
    let previous_verdict = facts.verdict.copied().unwrap_or_default();
    let observation = observe(
        &previous_verdict,
        request.layer,
        &assessment,
        context.settings.min_confidence,
        now,
    );
    let flag = link_decision
        .over_limit
        .filter(|over| over.flagged)
        .map(|_| {
            let layer = Layer::operator_flag(context.settings.min_confidence.flag_threshold(), now);
            Observation {
                epoch: previous_verdict.epoch,
                kind: request.layer,
                layer,
            }
        });
    let mut observations = observation.iter().chain(&flag).peekable();
    let verdict = observations
        .peek()
        .is_some()
        .then(|| observations.fold(previous_verdict, Verdict::with_observation));
    let judged_event = EventKind::Judged {
        check: request.check,
        completed: is_completed,
        layer: request.layer,
        assessment,
        observation,
    };
    let moved_verdict = verdict.filter(|new_verdict| {
        moves_to_owned(
            &previous_verdict,
            new_verdict,
            context.settings.unverified_flags,
        )
    });
    let layer_change = moved_verdict.map(|new_verdict| EventKind::LayerChanged {
        check: request.check,
        unverified_flagged: new_verdict.unverified.flagged,
        owned_flagged: new_verdict.owned.flagged,
    });
    let over_limit = link_decision
        .over_limit
        .map(|limit| over_limit_event(request, limit));
    let events = [judged_event]
        .into_iter()
        .chain(layer_change)
        .chain(over_limit)
        .map(|kind| Event { at: now, kind })
        .collect();
    let client_event = verdict
        .as_ref()
        .and_then(|verdict| verdict_event(context, request.address, facts.verdict, verdict));
    let conclusion = Concluded {
        receipt: request.receipt.clone(),
    };
    let write = ConcludeWrite {
        concluded: conclusion,
        verdict,
        events,
        client_event,
        links: link_decision.write,
    };
    ConcludeStep {
        outcome: ConcludeOutcome::Done(request.receipt.clone()),
        write: Some(write),
    }
}

/// Returns the assessment with the link findings of the check. A check that was not completed has no evidence for a
/// human.
fn with_links(
    request: &CheckConclusion,
    assessment: &Assessment,
    findings: Vec<Finding>,
) -> Assessment {
    let mut assessment = assessment.clone();
    linkage::add_links(&mut assessment, findings);
    if request.receipt.is_none() {
        assessment.human = Nats::ZERO;
    }
    assessment
}

const fn over_limit_event(request: &CheckConclusion, limit: ClusterLimitExceeded) -> EventKind {
    EventKind::ClusterLimitExceeded {
        check: request.check,
        layer: request.layer,
        limit,
    }
}

#[cfg(test)]
mod tests {
    use super::super::challenge::tests::challenge;
    use super::*;
    use crate::linkage::{Cluster, ClusterKey, ClusterKind};
    use crate::registry::{
        ContextSettings, DeviceLimitPolicy, OwnershipPolicy, UnverifiedFlagPolicy,
    };
    use crate::secrets::{AddressDigest, NetworkHash};
    use crate::verdict::answer;
    use crate::vocabulary::{ClientId, Environment, KeyId, ReceiptId};
    use std::collections::BTreeMap;

    const NOW: Timestamp = Timestamp::from_millis(1_800_000_060_000);
    const DEVICE: ClusterKey = ClusterKey {
        kind: ClusterKind::Device,
        digest: [7; 16],
    };

    fn context() -> Context {
        Context {
            id: challenge().context,
            number: 1,
            client: ClientId::from_bytes([1; 16]),
            key: KeyId::from_bytes([2; 16]),
            environment: Environment::Live,
            settings: ContextSettings::default(),
            created_at: NOW,
            archived_at: None,
        }
    }

    fn receipt() -> Receipt {
        Receipt {
            id: ReceiptId::from_bytes([3; 16]),
            context: challenge().context,
            address: challenge().address,
            origin: challenge().origin,
            origin_allowlisted: false,
            owned: false,
            environment: Environment::Live,
            issued_at: NOW,
        }
    }

    fn robot() -> Assessment {
        let bot = Nats::from_milli(6000);
        let human = Nats::from_milli(900);
        Assessment {
            bot,
            human,
            hard: true,
            conclusive: true,
            ..Assessment::default()
        }
    }

    fn request(judgement: Judgement) -> CheckConclusion {
        CheckConclusion {
            check: challenge().check,
            context: challenge().context,
            address: challenge().address,
            layer: LayerKind::Unverified,
            judgement,
            inputs: vec![],
            link_signals: LinkSignals {
                subject: AddressDigest([5; 16]),
                network: Some(NetworkHash([6; 16])),
                device: Some(DEVICE),
                traces: vec![],
            },
            receipt: Some(receipt()),
        }
    }

    static NO_LINKS: LinkFacts = LinkFacts {
        pages: BTreeMap::new(),
        assigned: None,
        clusters: BTreeMap::new(),
    };

    fn facts(context: &Context) -> ConcludeFacts<'_> {
        ConcludeFacts {
            previous_conclusion: None,
            input_seen: false,
            context: Some(context),
            verdict: None,
            links: &NO_LINKS,
        }
    }

    #[test]
    fn judged_check_uses_its_challenge() {
        let step = conclude(
            &request(Judgement::Assessed(robot())),
            facts(&context()),
            NOW,
        );
        assert_eq!(step.outcome, ConcludeOutcome::Done(Some(receipt())));
        let write = step.write.unwrap();
        assert_eq!(write.concluded.receipt, Some(receipt()));
        let verdict = write.verdict.unwrap();
        assert!(verdict.unverified.flagged && !verdict.owned.flagged);
    }

    #[test]
    fn changed_answer_adds_an_event() {
        let clean = Assessment {
            conclusive: true,
            ..Assessment::default()
        };
        let owned_check = CheckConclusion {
            layer: LayerKind::Owned,
            ..request(Judgement::Assessed(clean))
        };
        let flagged_verdict = conclude(
            &request(Judgement::Assessed(robot())),
            facts(&context()),
            NOW,
        )
        .write
        .unwrap()
        .verdict;
        let layer_change = EventKind::LayerChanged {
            check: owned_check.check,
            unverified_flagged: true,
            owned_flagged: false,
        };
        for (unverified_flags, moves) in [
            (UnverifiedFlagPolicy::UntilOwned, true),
            (UnverifiedFlagPolicy::Keep, false),
        ] {
            let settings = ContextSettings {
                unverified_flags,
                ..ContextSettings::default()
            };
            let context = Context {
                settings,
                ..context()
            };
            let step = conclude(
                &owned_check,
                ConcludeFacts {
                    verdict: flagged_verdict.as_ref(),
                    ..facts(&context)
                },
                NOW,
            );
            let events: Vec<_> = step
                .write
                .unwrap()
                .events
                .into_iter()
                .map(|event| event.kind)
                .collect();
            assert_eq!(
                (events.len(), events.last() == Some(&layer_change)),
                (1 + usize::from(moves), moves)
            );
        }
    }

    #[test]
    fn retry_returns_the_first_receipt() {
        let previous_conclusion = Concluded {
            receipt: Some(receipt()),
        };
        let context = context();
        let repeat_facts = ConcludeFacts {
            previous_conclusion: Some(&previous_conclusion),
            ..facts(&context)
        };
        let step = conclude(&request(Judgement::Assessed(robot())), repeat_facts, NOW);
        assert_eq!(step.outcome, ConcludeOutcome::Repeated(Some(receipt())));
        assert!(step.write.is_none());
    }

    #[test]
    fn rejected_check_stays_rejected() {
        let previous_conclusion = Concluded { receipt: None };
        let context = context();
        let repeat_facts = ConcludeFacts {
            previous_conclusion: Some(&previous_conclusion),
            ..facts(&context)
        };
        let step = conclude(&request(Judgement::Assessed(robot())), repeat_facts, NOW);
        assert_eq!(
            step.outcome,
            ConcludeOutcome::Rejected(GateRejection::ChallengeUsed)
        );
    }

    #[test]
    fn rejected_check_keeps_the_verdict() {
        for (judgement, input_seen, reason) in [
            (
                Judgement::Rejected(GateRejection::LayoutMismatch),
                false,
                GateRejection::LayoutMismatch,
            ),
            (Judgement::Assessed(robot()), true, GateRejection::Duplicate),
        ] {
            let context = context();
            let step = conclude(
                &request(judgement),
                ConcludeFacts {
                    input_seen,
                    ..facts(&context)
                },
                NOW,
            );
            assert_eq!(step.outcome, ConcludeOutcome::Rejected(reason));
            let write = step.write.unwrap();
            assert_eq!((write.verdict, write.concluded.receipt), (None, None));
        }
    }

    #[test]
    fn expired_check_never_adds_human_evidence() {
        let expired_check = CheckConclusion {
            receipt: None,
            ..request(Judgement::Assessed(robot()))
        };
        let step = conclude(&expired_check, facts(&context()), NOW);
        assert_eq!(step.outcome, ConcludeOutcome::Done(None));
        let layer = step.write.unwrap().verdict.unwrap().unverified;
        assert!(layer.flagged);
        assert_eq!(layer.human, Nats::ZERO);
    }

    #[test]
    fn check_without_context_changes_nothing() {
        let step = conclude(
            &request(Judgement::Assessed(robot())),
            ConcludeFacts {
                context: None,
                ..facts(&context())
            },
            NOW,
        );
        assert_eq!(step.outcome, ConcludeOutcome::ContextMissing);
        assert!(step.write.is_none());
    }

    /// Returns the links of a device with this number of other addresses.
    fn crowd(others: u8, layer: LayerKind) -> LinkFacts {
        let hour_ago = NOW.saturating_sub(std::time::Duration::from_hours(1));
        let digest = |number| AddressDigest([100 + number; 16]);
        let crowd = (0..others).fold(Cluster::default(), |crowd, number| {
            crowd.with_member(digest(number), hour_ago, layer)
        });
        LinkFacts {
            clusters: BTreeMap::from([(DEVICE, crowd)]),
            ..LinkFacts::default()
        }
    }

    fn settled(policy: DeviceLimitPolicy) -> Context {
        let settings = ContextSettings {
            device_limit: 3,
            device_policy: policy,
            ..ContextSettings::default()
        };
        Context {
            settings,
            ..context()
        }
    }

    fn person() -> CheckConclusion {
        request(Judgement::Assessed(Assessment {
            conclusive: true,
            ..Assessment::default()
        }))
    }

    fn write(request: &CheckConclusion, context: &Context, links: &LinkFacts) -> ConcludeWrite {
        conclude(
            request,
            ConcludeFacts {
                links,
                ..facts(context)
            },
            NOW,
        )
        .write
        .unwrap()
    }

    fn over_limit(write: &ConcludeWrite) -> Option<ClusterLimitExceeded> {
        write.events.iter().find_map(|event| match event.kind {
            EventKind::ClusterLimitExceeded { limit, .. } => Some(limit),
            _ => None,
        })
    }

    #[test]
    fn device_policy_decides_between_report_and_flag() {
        for (policy, flagged) in [
            (DeviceLimitPolicy::Report, false),
            (DeviceLimitPolicy::Flag, true),
        ] {
            let context = settled(policy);
            let within = write(&person(), &context, &crowd(2, LayerKind::Unverified));
            assert_eq!(
                (
                    over_limit(&within),
                    within.verdict.unwrap().unverified.flagged
                ),
                (None, false)
            );
            let beyond = write(&person(), &context, &crowd(3, LayerKind::Unverified));
            let limit = ClusterLimitExceeded {
                cluster: ClusterKind::Device,
                rank: 4,
                limit: 3,
                flagged,
            };
            assert_eq!(over_limit(&beyond), Some(limit));
            let layer = beyond.verdict.unwrap().unverified;
            assert_eq!(
                (
                    layer.flagged,
                    layer.first_flagged_at.is_some(),
                    layer.conclusive_checks
                ),
                (flagged, flagged, 1)
            );
            if flagged {
                assert_eq!(layer.bot, context.settings.min_confidence.flag_threshold());
            }
        }
    }

    #[test]
    fn device_limit_applies_to_the_last_check_of_a_day() {
        let context = settled(DeviceLimitPolicy::Flag);
        let mut previous_verdict = Verdict::default();
        previous_verdict.unverified.today = crate::verdict::DayCount {
            date: NOW.day(),
            checks: crate::verdict::MAX_CHECKS_PER_DAY,
        };
        let crowd = crowd(3, LayerKind::Unverified);
        let used_up = ConcludeFacts {
            links: &crowd,
            verdict: Some(&previous_verdict),
            ..facts(&context)
        };
        let write = conclude(&person(), used_up, NOW).write.unwrap();
        assert!(matches!(
            write.events[0].kind,
            EventKind::Judged {
                observation: None,
                ..
            }
        ));
        assert!(write.verdict.unwrap().unverified.flagged);
    }

    #[test]
    fn unverified_checks_never_limit_owned_wallets() {
        let context = settled(DeviceLimitPolicy::Flag);
        let owned_check = CheckConclusion {
            layer: LayerKind::Owned,
            ..person()
        };
        let unverified_write = write(&owned_check, &context, &crowd(100, LayerKind::Unverified));
        assert_eq!(
            (
                over_limit(&unverified_write),
                unverified_write.verdict.unwrap().owned.flagged
            ),
            (None, false)
        );
        let owned_write = write(&owned_check, &context, &crowd(3, LayerKind::Owned));
        assert!(over_limit(&owned_write).is_some() && owned_write.verdict.unwrap().owned.flagged);
    }

    #[test]
    fn unverified_claim_keeps_a_bound_answer() {
        let context = settled(DeviceLimitPolicy::Flag);
        let owned_check = CheckConclusion {
            layer: LayerKind::Owned,
            ..person()
        };
        let bound_verdict = write(&owned_check, &context, &NO_LINKS).verdict.unwrap();
        let crowd = crowd(9, LayerKind::Unverified);
        let poison = ConcludeFacts {
            links: &crowd,
            verdict: Some(&bound_verdict),
            ..facts(&context)
        };
        let claimed_verdict = conclude(&person(), poison, NOW)
            .write
            .unwrap()
            .verdict
            .unwrap();
        assert!(
            claimed_verdict.unverified.flagged
                && !answer(&claimed_verdict, &context.settings).is_bot
        );
        let keep = ContextSettings {
            unverified_flags: UnverifiedFlagPolicy::Keep,
            ..context.settings
        };
        assert!(answer(&claimed_verdict, &keep).is_bot);
    }

    #[test]
    fn links_need_a_completed_or_owned_check() {
        let lenient = context();
        let strict = ContextSettings {
            ownership_proof: OwnershipPolicy::Always,
            ..ContextSettings::default()
        };
        let strict = Context {
            settings: strict,
            ..context()
        };
        let owned_check = CheckConclusion {
            layer: LayerKind::Owned,
            ..person()
        };
        let expired_check = CheckConclusion {
            receipt: None,
            ..person()
        };
        let cluster_count = |request: &CheckConclusion, context: &Context| {
            write(request, context, &NO_LINKS).links.clusters.len()
        };
        assert_eq!(
            [
                cluster_count(&person(), &lenient),
                cluster_count(&person(), &strict),
                cluster_count(&owned_check, &strict)
            ],
            [2, 0, 2]
        );
        assert_eq!(cluster_count(&expired_check, &lenient), 0);
    }
}
