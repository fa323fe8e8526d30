//! Completion of a check: evaluates the evidence, uses up the challenge, issues the receipt.

use super::{CheckError, CheckService, CheckedVerdict};
use crate::check::{
    Challenge, ChallengeStepKind, CheckConclusion, CheckCounts, ConcludeOutcome, EvidenceBatch,
    GateRejection, Receipt,
};
use crate::linkage::{LinkSignals, RawLinkSignals};
use crate::ports::{BatchSummary, CheckEvidence, JudgedCheck, Judgement};
use crate::verdict::{LayerKind, Status, detail, magic_detail};
use crate::vocabulary::{CheckId, ReceiptId, Timestamp};

impl CheckService {
    /// Completes a check and returns its signed receipt. A retry returns the same receipt, also after the check has
    /// expired.
    pub async fn complete_check(
        &self,
        check: &str,
        token: &str,
        solution: &str,
    ) -> Result<String, CheckError> {
        let now = self.now();
        let challenge = match self.challenge(check, token, solution, now) {
            Err(GateRejection::ChallengeExpired) => {
                return self
                    .existing_receipt(self.presented(check, token)?.check)
                    .await;
            }
            admitted => admitted?,
        };
        if challenge.environment.is_test() {
            self.count_completed(&challenge, magic_detail(&challenge.address).status);
            return Ok(self.sandbox_receipt(&challenge).to_token(&self.secrets));
        }
        let receipt = receipt(&challenge, now, self.entropy.bytes());
        let batches = self.store.batches(challenge.check).await?;
        match self
            .conclude(&challenge, &batches, Some(receipt), now)
            .await?
        {
            ConcludeOutcome::Done(Some(receipt)) | ConcludeOutcome::Repeated(Some(receipt)) => {
                Ok(receipt.to_token(&self.secrets))
            }
            ConcludeOutcome::Done(None) | ConcludeOutcome::Repeated(None) => {
                Err(GateRejection::ChallengeUsed.into())
            }
            ConcludeOutcome::Rejected(reason) => Err(reason.into()),
            ConcludeOutcome::ContextMissing => Err(CheckError::ContextUnknown),
        }
    }

    /// Returns the receipt of a check that was completed before it expired.
    async fn existing_receipt(&self, check: CheckId) -> Result<String, CheckError> {
        let receipt = self
            .store
            .concluded(check)
            .await?
            .and_then(|conclusion| conclusion.receipt);
        receipt
            .map(|receipt| receipt.to_token(&self.secrets))
            .ok_or(GateRejection::ChallengeExpired.into())
    }

    /// Evaluates an expired check that has evidence. Its result can raise the evidence for `bot`, never for `human`,
    /// and it gets no receipt.
    pub async fn judge_expired(&self, check: CheckId) -> Result<(), CheckError> {
        let batches = self.store.batches(check).await?;
        if let Some(first) = batches.first() {
            let challenge = first.challenge.clone();
            self.conclude(&challenge, &batches, None, self.now())
                .await?;
        }
        Ok(self.store.mark_judged(check).await?)
    }

    async fn conclude(
        &self,
        challenge: &Challenge,
        batches: &[EvidenceBatch],
        receipt: Option<Receipt>,
        now: Timestamp,
    ) -> Result<ConcludeOutcome, CheckError> {
        let evidence = CheckEvidence {
            challenge,
            batches,
            judged_at: now,
            completed: receipt.is_some(),
        };
        let JudgedCheck {
            mut judgement,
            inputs,
        } = self.judge(&evidence)?;
        let link_signals = self.link_signals(challenge, batches, &mut judgement);
        let conclusion = CheckConclusion {
            check: challenge.check,
            context: challenge.context.clone(),
            address: challenge.address,
            layer: challenge.layer,
            judgement,
            inputs,
            link_signals,
            receipt,
        };
        let outcome = self.store.conclude(conclusion).await?;
        // A crash in between leaves the check unjudged; it is then concluded again, which changes nothing.
        self.store.mark_judged(challenge.check).await?;
        if matches!(outcome, ConcludeOutcome::Done(_)) {
            self.count_verdict(challenge).await;
        }
        Ok(outcome)
    }

    /// Counts the verdict after a check. It is not counted if it cannot be read.
    async fn count_verdict(&self, challenge: &Challenge) {
        let context = self.store.context(&challenge.context).await;
        let verdict = self
            .store
            .verdict(&challenge.context, &challenge.address)
            .await;
        if let (Ok(Some(context)), Ok(verdict)) = (context, verdict) {
            let status = detail(verdict.as_ref(), None, &context.settings).status;
            self.verdict_counters.record(CheckedVerdict {
                status,
                layer: challenge.layer,
            });
            self.count_completed(challenge, status);
        }
    }

    /// Counts a completed check. Nothing of a sandbox check is stored, so each of its completions is counted.
    fn count_completed(&self, challenge: &Challenge, status: Status) {
        let counts = CheckCounts::for_completed(status, challenge.layer);
        self.check_counters.record(challenge, counts);
    }

    /// Returns the assessor's judgement of a check.
    pub(super) fn judge(&self, evidence: &CheckEvidence<'_>) -> Result<JudgedCheck, CheckError> {
        let second_target = |first: &BatchSummary| match self.step(evidence.challenge, first).kind {
            ChallengeStepKind::Press(position) => Some(position),
            ChallengeStepKind::Nonce => None,
        };
        let judged_check = self.assessor.judge(evidence, &second_target)?;
        if let Judgement::Assessed(assessment) = &judged_check.judgement {
            self.rule_hits.record(assessment);
        }
        Ok(judged_check)
    }

    /// Returns the link signals of the check, under the keys of this installation and context.
    ///
    /// The raw signals are removed from the judgement, because they must not be stored without a key.
    fn link_signals(
        &self,
        challenge: &Challenge,
        batches: &[EvidenceBatch],
        judgement: &mut Judgement,
    ) -> LinkSignals {
        let marks = match judgement {
            Judgement::Assessed(assessment) => std::mem::take(&mut assessment.link_signals),
            Judgement::Rejected(_) => RawLinkSignals::default(),
        };
        let context = &challenge.context;
        LinkSignals {
            subject: self.secrets.address_digest(context, &challenge.address),
            network: batches.last().map(|batch| batch.call.network),
            device: marks
                .device
                .map(|marks| self.secrets.device_cluster(context, &marks)),
            traces: marks.traces,
        }
    }

    /// Returns the receipt of a sandbox check, of which nothing is stored or evaluated. The receipt is a function of
    /// the challenge and dated at the opening, so a retry returns the same receipt.
    fn sandbox_receipt(&self, challenge: &Challenge) -> Receipt {
        let mut unique = [0; 10];
        unique.copy_from_slice(
            &self
                .secrets
                .token_mac("sandbox receipt", &challenge.check.to_bytes())[..10],
        );
        receipt(challenge, challenge.opened_at, unique)
    }
}

fn receipt(challenge: &Challenge, issued_at: Timestamp, unique: [u8; 10]) -> Receipt {
    Receipt {
        id: ReceiptId::new(issued_at, unique),
        context: challenge.context.clone(),
        address: challenge.address,
        origin: challenge.origin.clone(),
        origin_allowlisted: challenge.origin_allowlisted,
        owned: challenge.layer == LayerKind::Owned,
        environment: challenge.environment,
        issued_at,
    }
}
