//! Re-evaluates stored evidence under a candidate policy.

use super::reason::validate_reason;
use super::{CheckService, OperatorService, ServiceError};
use crate::check::EvidenceBatch;
use crate::ports::{
    CandidatePolicy, CheckEvidence, JudgedCheck, Judgement, PolicyLoader, StoreError,
    VerdictRecord, VerdictReplacement,
};
use crate::registry::{Actor, AuditAction, Context, ContextMode, ContextSettings};
use crate::verdict::{
    Answer, Assessment, DecidingCheck, Event, EventKind, VerdictReplay, answer, effective_verdict,
};
use crate::vocabulary::{ContextId, EoaAddress};
use std::sync::Arc;

/// Number of addresses that are re-evaluated between two progress reports.
const PAGE: usize = 50;
/// Maximum number of events of an address that are read. A verdict with more events is not changed.
const EVENTS: usize = 10_000;

/// Use cases of replays.
#[derive(Clone)]
pub struct ReplayService {
    operator: OperatorService,
    checks: CheckService,
    candidates: Arc<dyn PolicyLoader>,
}

/// Replay of one context.
pub struct Replay {
    operator: OperatorService,
    /// The use cases of a check, with the candidate policy's assessor.
    checks: CheckService,
    context: Context,
    policy: u32,
    /// The reason for applying the changes; `None` for a preview.
    apply: Option<String>,
}

/// Address whose answer changes under the candidate policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flip {
    /// The address.
    pub address: EoaAddress,
    /// The current answer.
    pub from: Answer,
    /// The answer under the candidate policy.
    pub to: Answer,
    /// The deciding check.
    ///
    /// By the candidate policy if that flags the address, else by the previous evaluation.
    pub deciding: Option<DecidingCheck>,
    /// `true` if a new epoch was opened; `None` for a preview.
    ///
    /// `false` if the verdict changed after it was re-evaluated.
    pub applied: Option<bool>,
}

/// Progress of a replay.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReplayCounts {
    /// Addresses with a verdict.
    pub addresses: u64,
    /// Checks that were re-evaluated from their evidence.
    pub judged: u64,
    /// Checks whose evidence was deleted or can no longer be evaluated; their stored result counts.
    pub without_evidence: u64,
    /// Addresses that were skipped because they have too many events.
    pub skipped: u64,
}

/// Page of a replay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplayPage {
    /// Addresses whose answer changes.
    pub flips: Vec<Flip>,
    /// The progress of this page.
    pub counts: ReplayCounts,
    /// The address after which the next page begins; `None` after the last page.
    pub next: Option<EoaAddress>,
}

impl ReplayService {
    /// Creates the service with these use cases and a loader of candidate policies.
    pub fn new(
        operator: OperatorService,
        checks: CheckService,
        candidates: Arc<dyn PolicyLoader>,
    ) -> Self {
        Self {
            operator,
            checks,
            candidates,
        }
    }

    /// Returns a service that names `actor` in the audit entries.
    #[must_use]
    pub fn acting_as(&self, actor: &Actor) -> Self {
        Self {
            operator: self.operator.acting_as(actor),
            ..self.clone()
        }
    }

    /// Prepares a replay of a context by the policy in `file`. With a reason in `apply`, every address whose answer
    /// changes gets a new epoch, audited with the reason.
    pub async fn replay_context(
        &self,
        context: &ContextId,
        file: &[u8],
        apply: Option<String>,
    ) -> Result<Replay, ServiceError> {
        let invalid_policy =
            |error: crate::ports::InvalidPolicy| ServiceError::Invalid(error.to_string());
        let CandidatePolicy { version, assessor } =
            self.candidates.candidate(file).map_err(invalid_policy)?;
        if let Some(reason) = &apply {
            validate_reason("a replay that is applied", reason)?;
        }
        let context = self.operator.context(context).await?;
        let checks = CheckService {
            assessor,
            ..self.checks.clone()
        };
        Ok(Replay {
            operator: self.operator.clone(),
            checks,
            context,
            policy: version,
            apply,
        })
    }
}

impl Replay {
    /// Returns the version of the policy.
    pub const fn policy(&self) -> u32 {
        self.policy
    }

    /// Returns the context of the replay.
    pub const fn context(&self) -> &ContextId {
        &self.context.id
    }

    /// Returns `true` if the replay changes verdicts, each with its own audit entry.
    pub const fn is_applied(&self) -> bool {
        self.apply.is_some()
    }

    /// Re-evaluates the next addresses after `after`.
    pub async fn page(&self, after: Option<EoaAddress>) -> Result<ReplayPage, StoreError> {
        let records = self
            .operator
            .store
            .verdicts(&self.context.id, after, PAGE)
            .await?;
        let mut page = ReplayPage::default();
        for record in &records {
            page.flips
                .extend(self.flip(record, &mut page.counts).await?);
        }
        page.next = records
            .last()
            .filter(|_| records.len() == PAGE)
            .map(|record| record.address);
        Ok(page)
    }

    async fn flip(
        &self,
        record: &VerdictRecord,
        counts: &mut ReplayCounts,
    ) -> Result<Option<Flip>, StoreError> {
        counts.addresses += 1;
        let Some(replayed) = self.judge_again(record.address, counts).await? else {
            return Ok(None);
        };
        let tombstone = self
            .operator
            .tombstone(&self.context.id, &record.address)
            .await?;
        let settings = ContextSettings {
            mode: ContextMode::Enforce,
            ..self.context.settings.clone()
        };
        let answer_for = |verdict| {
            answer(
                &effective_verdict(Some(verdict), tombstone.as_ref()),
                &settings,
            )
        };
        let from = answer_for(&record.verdict);
        let to = answer_for(&replayed.verdict);
        if from.is_bot == to.is_bot {
            return Ok(None);
        }
        let is_applied = self.apply(record, &replayed, to).await?;
        let deciding = if to.is_bot {
            replayed.flagged_now
        } else {
            replayed.flagged_before
        };
        Ok(Some(Flip {
            address: record.address,
            from,
            to,
            deciding,
            applied: is_applied,
        }))
    }

    /// Returns the re-evaluated verdict on an address; `None` if it has too many events.
    async fn judge_again(
        &self,
        address: EoaAddress,
        counts: &mut ReplayCounts,
    ) -> Result<Option<VerdictReplay>, StoreError> {
        let events = self
            .operator
            .store
            .timeline(&self.context.id, &address, EVENTS)
            .await?;
        if events.len() == EVENTS {
            counts.skipped += 1;
            return Ok(None);
        }
        let mut replay = VerdictReplay::starting(self.context.settings.min_confidence);
        for event in &events {
            replay.apply(event, self.assessment(event, counts).await?);
        }
        Ok(Some(replay))
    }

    /// Returns the candidate policy's assessment of the check of an event, if its evidence is still stored.
    async fn assessment(
        &self,
        event: &Event,
        counts: &mut ReplayCounts,
    ) -> Result<Option<Assessment>, StoreError> {
        let EventKind::Judged {
            check, completed, ..
        } = &event.kind
        else {
            return Ok(None);
        };
        let batches = self.operator.store.batches(*check).await?;
        let judged_check = batches.first().map(|EvidenceBatch { challenge, .. }| {
            let evidence = CheckEvidence {
                challenge,
                batches: &batches,
                judged_at: event.at,
                completed: *completed,
            };
            self.checks.judge(&evidence)
        });
        if let Some(Ok(JudgedCheck {
            judgement: Judgement::Assessed(assessment),
            ..
        })) = judged_check
        {
            counts.judged += 1;
            return Ok(Some(assessment));
        }
        counts.without_evidence += 1;
        Ok(None)
    }

    /// Opens the new epoch; `None` for a preview. Returns `false` if the verdict changed after it was re-evaluated.
    async fn apply(
        &self,
        record: &VerdictRecord,
        replayed: &VerdictReplay,
        to: Answer,
    ) -> Result<Option<bool>, StoreError> {
        let Some(reason) = &self.apply else {
            return Ok(None);
        };
        let digest = self.operator.secrets.audit_address_digest(&record.address);
        let word = if to.is_bot { "bot" } else { "human" };
        let detail = format!("{digest} to {word} by policy {}: {reason}", self.policy);
        let audit = self
            .operator
            .audit(AuditAction::VerdictReplayed, &self.context.id, detail);
        let change = VerdictReplacement {
            context: self.context.id.clone(),
            address: record.address,
            before: record.verdict,
            owned: replayed.verdict.owned,
            unverified: replayed.verdict.unverified,
            policy: self.policy,
            reason: reason.clone(),
        };
        Ok(Some(
            self.operator
                .store
                .replace_verdict(change, audit)
                .await?
                .is_some(),
        ))
    }
}
