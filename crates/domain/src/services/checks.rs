//! Shared parts of the use cases of a check.

use super::check_counters::CheckCounters;
use super::{Ports, RuleHitCounters, VerdictCounters};
use crate::check::{Challenge, Disclosure, GateRejection, ProofOfWork};
use crate::ownership::OwnershipError;
use crate::ports::{Assessor, Clock, Entropy, EvidenceError, Store, StoreError};
use crate::registry::{Client, Context};
use crate::secrets::{NetworkHash, Secrets};
use crate::vocabulary::{ClientId, ContextId, Timestamp};
use std::net::IpAddr;
use std::sync::Arc;

/// Difficulty of the proof of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofOfWorkPolicy {
    /// Leading zero bits of an ordinary check; each bit doubles the work.
    pub proof_of_work_bits: u8,
    /// The maximum of bits, about 3 seconds on a phone.
    pub max_proof_of_work_bits: u8,
}

impl Default for ProofOfWorkPolicy {
    fn default() -> Self {
        Self {
            proof_of_work_bits: 13,
            max_proof_of_work_bits: 18,
        }
    }
}

impl ProofOfWorkPolicy {
    /// Returns the bits for a network whose rate is `excess` times over its ordinary rate (0: not over it).
    pub fn bits(&self, excess: u32) -> u8 {
        let extra = (u32::BITS - excess.leading_zeros())
            .try_into()
            .unwrap_or(u8::MAX);
        self.proof_of_work_bits
            .saturating_add(extra)
            .min(self.max_proof_of_work_bits)
    }
}

/// Error of a call about a check.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The context does not exist.
    #[error("there is no such context")]
    ContextUnknown,
    /// The context is archived.
    #[error("this context is archived and opens no new checks")]
    ContextClosed,
    /// The client of the context is suspended or closed.
    #[error("the client of this context is not active, so that the context opens no new checks")]
    ClientInactive,
    /// The page's origin is not on the allowlist.
    #[error("this page's origin is not registered for this context")]
    OriginNotAllowed,
    /// `originSite` is not a URL of the page's origin.
    #[error("originSite is not a URL of the page that hosts the check")]
    OriginMismatch,
    /// The session token is expired, malformed, or for another address or context.
    #[error("the session is expired, malformed, or for another address or context")]
    SessionInvalid,
    /// The evidence does not follow the schema.
    #[error(transparent)]
    EvidenceInvalid(#[from] EvidenceError),
    /// The ownership cannot be proven; the check continues as unverified.
    #[error(transparent)]
    OwnershipNotProven(#[from] OwnershipError),
    /// The protocol rejects the check.
    #[error("the check is refused: {0}")]
    Rejected(GateRejection),
    /// The storage call failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<GateRejection> for CheckError {
    fn from(reason: GateRejection) -> Self {
        Self::Rejected(reason)
    }
}

/// Use cases of a check: opens checks, stores their evidence and concludes them.
#[derive(Clone)]
pub struct CheckService {
    pub(super) store: Arc<dyn Store>,
    pub(super) assessor: Arc<dyn Assessor>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) secrets: Secrets,
    pub(super) work: ProofOfWorkPolicy,
    pub(super) rule_hits: RuleHitCounters,
    pub(super) verdict_counters: VerdictCounters,
    pub(super) check_counters: CheckCounters,
}

impl CheckService {
    /// Creates the service with these ports.
    pub fn new(ports: &Ports, work: ProofOfWorkPolicy) -> Self {
        let Ports {
            store,
            assessor,
            clock,
            entropy,
            secrets,
            ..
        } = ports.clone();
        Self {
            store,
            assessor,
            clock,
            entropy,
            secrets,
            work,
            rule_hits: RuleHitCounters::default(),
            verdict_counters: VerdictCounters::default(),
            check_counters: CheckCounters::default(),
        }
    }

    /// Returns the hit counters of the rules.
    pub const fn rule_hits(&self) -> &RuleHitCounters {
        &self.rule_hits
    }

    /// Returns the counters of verdicts after checks.
    pub const fn verdict_counters(&self) -> &VerdictCounters {
        &self.verdict_counters
    }

    /// Returns every member that evidence may have, described in plain language for the visitor.
    pub fn disclose(&self) -> &'static [Disclosure] {
        self.assessor.disclose()
    }

    /// Returns the keyed hash of a caller's network within a context.
    pub fn network(&self, context: &ContextId, ip: IpAddr) -> NetworkHash {
        self.secrets.network(context, ip)
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the context, if it exists.
    pub async fn context(&self, id: &ContextId) -> Result<Context, CheckError> {
        self.store
            .context(id)
            .await?
            .ok_or(CheckError::ContextUnknown)
    }

    pub(super) async fn client_of(&self, id: ClientId) -> Result<Client, CheckError> {
        self.store
            .client(id)
            .await?
            .ok_or(CheckError::ContextUnknown)
    }

    /// Returns the challenge in a token if it is valid and its proof of work is solved.
    ///
    /// Valid means authentic, of this check and not expired.
    pub(super) fn challenge(
        &self,
        check: &str,
        token: &str,
        solution: &str,
        now: Timestamp,
    ) -> Result<Challenge, GateRejection> {
        let challenge = self.presented(check, token)?;
        if now >= challenge.expires_at() {
            return Err(GateRejection::ChallengeExpired);
        }
        if ProofOfWork::for_challenge(&challenge, &self.secrets).is_solved_by(solution) {
            Ok(challenge)
        } else {
            Err(GateRejection::WorkUnsolved)
        }
    }

    /// Returns the challenge in a token if it is authentic and of this check, at any age.
    pub(super) fn presented(&self, check: &str, token: &str) -> Result<Challenge, GateRejection> {
        let challenge =
            Challenge::from_token(token, &self.secrets).ok_or(GateRejection::ChallengeForged)?;
        if challenge.check.to_string() == check {
            Ok(challenge)
        } else {
            Err(GateRejection::ChallengeMismatch)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ProofOfWorkPolicy;

    #[test]
    fn work_doubles_up_to_its_maximum() {
        let policy = ProofOfWorkPolicy::default();
        let bits = [0, 1, 2, 4, 8, 16, u32::MAX].map(|excess| policy.bits(excess));
        assert_eq!(bits, [13, 14, 15, 16, 17, 18, 18]);
        let steep = ProofOfWorkPolicy {
            proof_of_work_bits: 250,
            max_proof_of_work_bits: 255,
        };
        assert_eq!(steep.bits(u32::MAX), 255);
    }
}
