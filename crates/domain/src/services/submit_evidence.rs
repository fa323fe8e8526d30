//! Submission of a batch of evidence.

use super::{CheckError, CheckService};
use crate::check::{
    Challenge, ChallengeStep, CheckCounts, EvidenceBatch, FirstInput, GateRejection,
    RequestMetadata, draw_step,
};
use crate::ports::{AppendOutcome, BatchSummary};
use crate::vocabulary::{ContextId, EoaAddress, Origin, Timestamp};

/// Request to submit a batch.
#[derive(Debug, Clone)]
pub struct SubmitEvidence {
    /// The challenge, which was validated before the body was read.
    pub challenge: Challenge,
    /// Metadata of the request that the server observed.
    pub call: RequestMetadata,
    /// The body, unparsed.
    pub body: Vec<u8>,
}

impl CheckService {
    /// Authorises a call by its headers alone, so that a body is read only for a live check.
    ///
    /// Passes if the challenge is authentic, of the check in the path, not expired and not used, and its proof of work
    /// is solved.
    pub async fn authorise_call(
        &self,
        check: &str,
        token: &str,
        solution: &str,
    ) -> Result<Challenge, CheckError> {
        let challenge = self.challenge(check, token, solution, self.now())?;
        match self.store.concluded(challenge.check).await? {
            None => Ok(challenge),
            Some(_) => Err(GateRejection::ChallengeUsed.into()),
        }
    }

    /// Returns the context and the origin of a challenge of any age; `None` unless it is authentic and of this check.
    pub fn page_of_challenge(&self, check: &str, token: &str) -> Option<(ContextId, Origin)> {
        let challenge = self.presented(check, token).ok()?;
        Some((challenge.context, challenge.origin))
    }

    /// Stores a batch. The reply to the first batch holds the next step, whatever the evidence shows.
    pub async fn submit_evidence(
        &self,
        request: SubmitEvidence,
    ) -> Result<Option<ChallengeStep>, CheckError> {
        let now = self.now();
        let reading = self.assessor.summarise_batch(&request.body)?;
        let SubmitEvidence {
            challenge,
            call,
            body,
        } = request;
        if !matches_challenge(&reading, &challenge) {
            return Err(GateRejection::ChallengeMismatch.into());
        }
        self.check_number(&challenge, &reading)?;
        let step = (reading.number == 1).then(|| self.step(&challenge, &reading));
        if !challenge.environment.is_test() {
            let retention = self.context(&challenge.context).await?.settings.retention();
            let keep_until = challenge.opened_at.saturating_add(retention);
            let batch = EvidenceBatch {
                challenge: challenge.clone(),
                number: reading.number,
                received_at: now,
                call,
                body,
            };
            self.store_batch(batch, keep_until).await?;
        }
        if step.is_some() {
            self.check_counters.record(&challenge, CheckCounts::STARTED);
        }
        Ok(step)
    }

    /// Returns the step in the reply to the first batch.
    ///
    /// The step is a function of that batch, so a retry returns the same step.
    pub(super) fn step(&self, challenge: &Challenge, first: &BatchSummary) -> ChallengeStep {
        draw_step(
            challenge,
            first.first_input,
            first.stage.as_ref(),
            &self.secrets,
        )
    }

    /// Passes if the number is 1 to 3 and the second batch answers the drawn step.
    fn check_number(
        &self,
        challenge: &Challenge,
        reading: &BatchSummary,
    ) -> Result<(), CheckError> {
        if !(1..=3).contains(&reading.number) {
            return Err(GateRejection::BatchNumber.into());
        }
        if reading.number == 2 && reading.answer.as_deref() != Some(&self.token(challenge)) {
            return Err(GateRejection::StepNotAnswered.into());
        }
        Ok(())
    }

    fn token(&self, challenge: &Challenge) -> String {
        draw_step(challenge, FirstInput::Keyboard, None, &self.secrets).token
    }

    async fn store_batch(
        &self,
        batch: EvidenceBatch,
        keep_until: Timestamp,
    ) -> Result<(), CheckError> {
        match self.store.append(batch, keep_until).await? {
            AppendOutcome::Stored => Ok(()),
            AppendOutcome::OutOfOrder => Err(GateRejection::BatchNumber.into()),
        }
    }
}

/// Returns `true` if the evidence names the context and address of the challenge.
fn matches_challenge(reading: &BatchSummary, challenge: &Challenge) -> bool {
    reading.context == challenge.context.as_str()
        && reading
            .address
            .parse::<EoaAddress>()
            .is_ok_and(|address| address == challenge.address)
}
