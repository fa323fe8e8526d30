//! Judging stored evidence again, by a policy that judges nobody yet.

use super::reason::validate_reason;
use super::{CheckService, OperatorService, ServiceError};
use crate::ports::{CandidatePolicy, Judgement, PolicyLoader, StoreError, VerdictRecord, VerdictReplacement};
use crate::registry::{Actor, AuditAction, AuditEntry, Context, ContextMode, ContextSettings};
use crate::verdict::{Answer, Assessment, DecidingCheck, Event, EventKind, VerdictReplay, answer, effective_verdict};
use crate::vocabulary::{ContextId, EoaAddress};
use std::sync::Arc;

/// Addresses that are judged between two signs of progress.
const PAGE: usize = 50;
/// Events of an address that are held at a time. Where there are more, its verdict is left as it is.
const EVENTS: usize = 10_000;

/// Judges stored evidence again.
#[derive(Clone)]
pub struct ReplayService {
    operator: OperatorService,
    checks: CheckService,
    candidates: Arc<dyn PolicyLoader>,
}

/// A replay of one context.
pub struct Replay {
    operator: OperatorService,
    /// The use cases of a check, with the candidate as their assessor.
    checks: CheckService,
    context: Context,
    policy: u32,
    /// Why the flips are made; `None` only shows them.
    apply: Option<String>,
}

/// An address whose answer is another under the candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flip {
    /// The address.
    pub address: EoaAddress,
    /// What is answered.
    pub from: Answer,
    /// What the candidate would answer.
    pub to: Answer,
    /// The check that decides: of the candidate where it flags, else of what was judged before.
    pub deciding: Option<DecidingCheck>,
    /// Whether a new epoch was opened; `None` where flips are only shown.
    pub applied: Option<bool>,
}

/// What a replay has come through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReplayCounts {
    /// Addresses with a verdict.
    pub addresses: u64,
    /// Checks that were judged again from their evidence.
    pub judged: u64,
    /// Checks whose evidence is gone, or cannot be judged any more; they count as they were judged.
    pub without_evidence: u64,
    /// Addresses with so many events that they were left out.
    pub skipped: u64,
}

/// A part of a replay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplayPage {
    /// Who flips.
    pub flips: Vec<Flip>,
    /// What was come through.
    pub counts: ReplayCounts,
    /// Where the next part begins, if there is one.
    pub next: Option<EoaAddress>,
}

impl ReplayService {
    /// Replays by what these use cases know, with policies that `candidates` reads.
    pub fn new(operator: OperatorService, checks: CheckService, candidates: Arc<dyn PolicyLoader>) -> Self {
        Self { operator, checks, candidates }
    }

    /// The same, with `actor` in the audit entries.
    #[must_use]
    pub fn acting_as(&self, actor: &Actor) -> Self {
        Self { operator: self.operator.acting_as(actor), ..self.clone() }
    }

    /// A replay of a context by the policy in `file`. With a reason to apply it, whoever flips gets a new epoch, audited with it.
    pub async fn replay_context(
        &self,
        context: &ContextId,
        file: &[u8],
        apply: Option<String>,
    ) -> Result<Replay, ServiceError> {
        let refused = |error: crate::ports::InvalidPolicy| ServiceError::Invalid(error.to_string());
        let CandidatePolicy { version, assessor } = self.candidates.candidate(file).map_err(refused)?;
        if let Some(reason) = &apply {
            validate_reason("a replay that is applied", reason)?;
        }
        let context = self.operator.context(context).await?;
        let checks = CheckService { assessor, ..self.checks.clone() };
        Ok(Replay { operator: self.operator.clone(), checks, context, policy: version, apply })
    }
}

impl Replay {
    /// The version of the policy.
    pub const fn policy(&self) -> u32 {
        self.policy
    }

    /// The context that is replayed.
    pub const fn context(&self) -> &ContextId {
        &self.context.id
    }

    /// Returns `true` if flips change the verdict, each with an audit entry of its own.
    pub const fn is_applied(&self) -> bool {
        self.apply.is_some()
    }

    /// Judges the next addresses after `after` again.
    pub async fn page(&self, after: Option<EoaAddress>) -> Result<ReplayPage, StoreError> {
        let records = self.operator.store.verdicts(&self.context.id, after, PAGE).await?;
        let mut page = ReplayPage::default();
        for record in &records {
            page.flips.extend(self.flip(record, &mut page.counts).await?);
        }
        page.next = records.last().filter(|_| records.len() == PAGE).map(|record| record.address);
        Ok(page)
    }

    async fn flip(&self, record: &VerdictRecord, counts: &mut ReplayCounts) -> Result<Option<Flip>, StoreError> {
        counts.addresses += 1;
        let Some(anew) = self.judge_again(record.address, counts).await? else { return Ok(None) };
        let tombstone = self.operator.tombstone(&self.context.id, &record.address).await?;
        let settings = ContextSettings { mode: ContextMode::Enforce, ..self.context.settings.clone() };
        let answered = |verdict| answer(&effective_verdict(Some(verdict), tombstone.as_ref()), &settings);
        let (from, to) = (answered(&record.verdict), answered(&anew.verdict));
        if from.is_bot == to.is_bot {
            return Ok(None);
        }
        let applied = self.apply(record, &anew, to).await?;
        let deciding = if to.is_bot { anew.flagged_now } else { anew.flagged_before };
        Ok(Some(Flip { address: record.address, from, to, deciding, applied }))
    }

    /// The verdict on an address, made anew; `None` if it has too many events.
    async fn judge_again(
        &self,
        address: EoaAddress,
        counts: &mut ReplayCounts,
    ) -> Result<Option<VerdictReplay>, StoreError> {
        let events = self.operator.store.timeline(&self.context.id, &address, EVENTS).await?;
        if events.len() == EVENTS {
            counts.skipped += 1;
            return Ok(None);
        }
        let mut anew = VerdictReplay::starting(self.context.settings.sensitivity);
        for event in &events {
            anew.apply(event, self.assessment(event, counts).await?);
        }
        Ok(Some(anew))
    }

    /// What the candidate says of the check that an event is about, if its evidence is still there.
    async fn assessment(&self, event: &Event, counts: &mut ReplayCounts) -> Result<Option<Assessment>, StoreError> {
        let EventKind::Judged { check, completed, .. } = &event.kind else { return Ok(None) };
        let batches = self.operator.store.batches(*check).await?;
        let judged = batches.first().map(|first| {
            let challenge = first.challenge.clone();
            self.checks.judge(&challenge, &batches, *completed, event.at)
        });
        if let Some(Ok((Judgement::Assessed(assessment), _))) = judged {
            counts.judged += 1;
            return Ok(Some(assessment));
        }
        counts.without_evidence += 1;
        Ok(None)
    }

    /// Opens the new epoch, if flips are to be made; whether the verdict was still the one that was judged again.
    async fn apply(
        &self,
        record: &VerdictRecord,
        anew: &VerdictReplay,
        to: Answer,
    ) -> Result<Option<bool>, StoreError> {
        let Some(reason) = &self.apply else { return Ok(None) };
        let digest = self.operator.secrets.audit_address_digest(&record.address);
        let word = if to.is_bot { "bot" } else { "human" };
        let audit = AuditEntry {
            at: self.operator.clock.now(),
            actor: self.operator.actor.clone(),
            action: AuditAction::VerdictReplayed,
            subject: self.context.id.to_string(),
            detail: format!("{digest} to {word} by policy {}: {reason}", self.policy),
        };
        let change = VerdictReplacement {
            context: self.context.id.clone(),
            address: record.address,
            before: record.verdict,
            bound: anew.verdict.bound,
            claimed: anew.verdict.claimed,
            policy: self.policy,
            reason: reason.clone(),
        };
        Ok(Some(self.operator.store.replace_verdict(change, audit).await?.is_some()))
    }
}
