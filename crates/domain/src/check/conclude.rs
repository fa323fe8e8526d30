//! The conclusion of a check as a pure step: burn the challenge, merge the observation, issue the receipt.

use super::{InputDigest, Receipt, Refusal};
use crate::ports::Judgement;
use crate::registry::Context;
use crate::verdict::{Assessment, Event, EventKind, LayerKind, Nats, Verdict, moves_to_bound, observe};
use crate::vocabulary::{CheckId, ContextId, EoaAddress, Timestamp};

/// A check about to be concluded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckConclusion {
    /// The check.
    pub check: CheckId,
    /// Its context.
    pub context: ContextId,
    /// Its address.
    pub address: EoaAddress,
    /// Whose check it was.
    pub layer: LayerKind,
    /// What the assessor said.
    pub judgement: Judgement,
    /// Digests of its events, to be known from now on.
    pub inputs: Vec<InputDigest>,
    /// The receipt to issue; `None` for a check that expired with evidence, which may add `bot` but never `human`.
    pub receipt: Option<Receipt>,
}

/// What a store has read inside the step.
#[derive(Debug, Clone, Copy)]
pub struct ConcludeFacts<'a> {
    /// How the check was concluded before.
    pub concluded: Option<&'a Concluded>,
    /// Whether any of the inputs was presented by another check of this context.
    pub input_seen: bool,
    /// The context.
    pub context: Option<&'a Context>,
    /// The verdict before.
    pub verdict: Option<&'a Verdict>,
}

/// How a check was concluded: kept until its challenge is long expired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concluded {
    /// The receipt it was given.
    pub receipt: Option<Receipt>,
}

/// What became of a conclusion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConcludeOutcome {
    /// The check is concluded, now or (the same request again) before; this is its receipt.
    Done(Option<Receipt>),
    /// The gate refused it.
    Refused(Refusal),
    /// The context does not exist.
    ContextMissing,
}

/// What a store has to write, all or nothing, and then to answer.
#[derive(Debug, Clone)]
pub struct ConcludeStep {
    /// The outcome.
    pub outcome: ConcludeOutcome,
    /// What to write; `None` if the check was concluded before.
    pub write: Option<ConcludeWrite>,
}

/// The writes of a conclusion. The inputs of the request are written with them.
#[derive(Debug, Clone)]
pub struct ConcludeWrite {
    /// Burns the challenge.
    pub concluded: Concluded,
    /// The verdict after; `None` if it does not change.
    pub verdict: Option<Verdict>,
    /// What happened, in this order.
    pub events: Vec<Event>,
}

/// Decides a conclusion from what the store holds at `now`. Pure: adapters read the facts, call this, and write the step.
///
/// A retry returns the receipt of the first time. A refused check burns its challenge too, and adds nothing to the verdict.
pub fn conclude(request: &CheckConclusion, facts: ConcludeFacts<'_>, now: Timestamp) -> ConcludeStep {
    if let Some(before) = facts.concluded {
        return ConcludeStep { outcome: repeated(request, before), write: None };
    }
    let Some(context) = facts.context else {
        return ConcludeStep { outcome: ConcludeOutcome::ContextMissing, write: None };
    };
    match &request.judgement {
        Judgement::Refused(reason) => refused(request, *reason, now),
        Judgement::Assessed(_) if facts.input_seen => refused(request, Refusal::Duplicate, now),
        Judgement::Assessed(assessment) => judged(request, assessment, context, facts.verdict, now),
    }
}

fn repeated(request: &CheckConclusion, before: &Concluded) -> ConcludeOutcome {
    match (&request.receipt, &before.receipt) {
        (Some(_), None) => ConcludeOutcome::Refused(Refusal::ChallengeUsed),
        (_, receipt) => ConcludeOutcome::Done(receipt.clone()),
    }
}

fn refused(request: &CheckConclusion, reason: Refusal, now: Timestamp) -> ConcludeStep {
    let event = Event { at: now, kind: EventKind::Refused { check: request.check, reason } };
    let write = ConcludeWrite { concluded: Concluded { receipt: None }, verdict: None, events: vec![event] };
    ConcludeStep { outcome: ConcludeOutcome::Refused(reason), write: Some(write) }
}

fn judged(
    request: &CheckConclusion,
    assessment: &Assessment,
    context: &Context,
    before: Option<&Verdict>,
    now: Timestamp,
) -> ConcludeStep {
    let mut assessment = assessment.clone();
    if request.receipt.is_none() {
        assessment.human = Nats::ZERO;
    }
    let before = before.copied().unwrap_or_default();
    let observation = observe(&before, request.layer, &assessment, context.settings.sensitivity, now);
    let verdict = observation.map(|seen| before.observed(&seen));
    let judged = EventKind::Judged {
        check: request.check,
        completed: request.receipt.is_some(),
        layer: request.layer,
        assessment,
        observation,
    };
    let moved = verdict.filter(|after| moves_to_bound(&before, after, context.settings.claimed_flags));
    let moved = moved.map(|after| EventKind::Moved {
        check: request.check,
        claimed_flagged: after.claimed.flagged,
        bound_flagged: after.bound.flagged,
    });
    let write = ConcludeWrite {
        concluded: Concluded { receipt: request.receipt.clone() },
        verdict,
        events: [judged].into_iter().chain(moved).map(|kind| Event { at: now, kind }).collect(),
    };
    ConcludeStep { outcome: ConcludeOutcome::Done(request.receipt.clone()), write: Some(write) }
}

#[cfg(test)]
mod tests {
    use super::super::challenge::tests::challenge;
    use super::*;
    use crate::registry::{ClaimedFlags, ContextSettings};
    use crate::vocabulary::{ClientId, Environment, KeyId, ReceiptId};

    const NOW: Timestamp = Timestamp::from_millis(1_800_000_060_000);

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
            pinned: false,
            bound: false,
            environment: Environment::Live,
            issued_at: NOW,
        }
    }

    fn robot() -> Assessment {
        let (bot, human) = (Nats::from_milli(6000), Nats::from_milli(900));
        Assessment { bot, human, hard: true, covered: true, ..Assessment::default() }
    }

    fn request(judgement: Judgement) -> CheckConclusion {
        CheckConclusion {
            check: challenge().check,
            context: challenge().context,
            address: challenge().address,
            layer: LayerKind::Claimed,
            judgement,
            inputs: vec![],
            receipt: Some(receipt()),
        }
    }

    fn facts(context: &Context) -> ConcludeFacts<'_> {
        ConcludeFacts { concluded: None, input_seen: false, context: Some(context), verdict: None }
    }

    #[test]
    fn a_judged_check_burns_its_challenge_and_merges_its_observation() {
        let step = conclude(&request(Judgement::Assessed(robot())), facts(&context()), NOW);
        assert_eq!(step.outcome, ConcludeOutcome::Done(Some(receipt())));
        let write = step.write.unwrap();
        assert_eq!(write.concluded.receipt, Some(receipt()));
        let verdict = write.verdict.unwrap();
        assert!(verdict.claimed.flagged && !verdict.bound.flagged);
    }

    #[test]
    fn the_check_that_moves_the_answer_is_followed_by_an_event_that_says_so() {
        let clean = Assessment { covered: true, ..Assessment::default() };
        let bound = CheckConclusion { layer: LayerKind::Bound, ..request(Judgement::Assessed(clean)) };
        let flagged = conclude(&request(Judgement::Assessed(robot())), facts(&context()), NOW).write.unwrap().verdict;
        let moved = EventKind::Moved { check: bound.check, claimed_flagged: true, bound_flagged: false };
        for (claimed_flags, moves) in [(ClaimedFlags::UntilBound, true), (ClaimedFlags::Keep, false)] {
            let settings = ContextSettings { claimed_flags, ..ContextSettings::default() };
            let context = Context { settings, ..context() };
            let step = conclude(&bound, ConcludeFacts { verdict: flagged.as_ref(), ..facts(&context) }, NOW);
            let events: Vec<_> = step.write.unwrap().events.into_iter().map(|event| event.kind).collect();
            assert_eq!((events.len(), events.last() == Some(&moved)), (1 + usize::from(moves), moves));
        }
    }

    #[test]
    fn a_retry_returns_the_first_receipt_and_writes_nothing() {
        let before = Concluded { receipt: Some(receipt()) };
        let context = context();
        let again = ConcludeFacts { concluded: Some(&before), ..facts(&context) };
        let step = conclude(&request(Judgement::Assessed(robot())), again, NOW);
        assert_eq!(step.outcome, ConcludeOutcome::Done(Some(receipt())));
        assert!(step.write.is_none());
    }

    #[test]
    fn completing_a_refused_or_expired_check_is_refused() {
        let before = Concluded { receipt: None };
        let context = context();
        let again = ConcludeFacts { concluded: Some(&before), ..facts(&context) };
        let step = conclude(&request(Judgement::Assessed(robot())), again, NOW);
        assert_eq!(step.outcome, ConcludeOutcome::Refused(Refusal::ChallengeUsed));
    }

    #[test]
    fn a_refusal_burns_the_challenge_and_leaves_the_verdict_alone() {
        for (judgement, input_seen, reason) in [
            (Judgement::Refused(Refusal::LayoutNotDrawn), false, Refusal::LayoutNotDrawn),
            (Judgement::Assessed(robot()), true, Refusal::Duplicate),
        ] {
            let context = context();
            let step = conclude(&request(judgement), ConcludeFacts { input_seen, ..facts(&context) }, NOW);
            assert_eq!(step.outcome, ConcludeOutcome::Refused(reason));
            let write = step.write.unwrap();
            assert_eq!((write.verdict, write.concluded.receipt), (None, None));
        }
    }

    #[test]
    fn an_expired_check_may_add_bot_but_never_human() {
        let expired = CheckConclusion { receipt: None, ..request(Judgement::Assessed(robot())) };
        let step = conclude(&expired, facts(&context()), NOW);
        assert_eq!(step.outcome, ConcludeOutcome::Done(None));
        let layer = step.write.unwrap().verdict.unwrap().claimed;
        assert!(layer.flagged);
        assert_eq!(layer.human, Nats::ZERO);
    }

    #[test]
    fn without_its_context_a_check_changes_nothing() {
        let step = conclude(
            &request(Judgement::Assessed(robot())),
            ConcludeFacts { concluded: None, input_seen: false, context: None, verdict: None },
            NOW,
        );
        assert_eq!(step.outcome, ConcludeOutcome::ContextMissing);
        assert!(step.write.is_none());
    }
}
