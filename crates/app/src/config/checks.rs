//! `[checks]`: difficulty of the proof of work, and the detection policy.

use super::diagnostic::Diagnostic;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use voight_domain::services::ProofOfWorkPolicy;

/// Maximum that can be configured. Each bit doubles the work; 24 bits take a phone minutes.
const MAX_BITS: u8 = 24;

/// Difficulty of the proof of work, and the detection policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Checks {
    /// Difficulty of the proof of work of an ordinary check. Each bit doubles the work.
    #[schemars(range(max = MAX_BITS), extend("x-unit" = "leading zero bits"))]
    pub(crate) proof_of_work_bits: u8,
    /// Maximum difficulty for a network that opens more checks than `limits.checks_per_minute`.
    #[schemars(range(max = MAX_BITS), extend("x-unit" = "leading zero bits"))]
    pub(crate) max_proof_of_work_bits: u8,
    /// Path of the policy file for checks; empty for the rules of the release.
    pub(crate) policy_file: String,
}

impl Default for Checks {
    fn default() -> Self {
        let ProofOfWorkPolicy {
            proof_of_work_bits,
            max_proof_of_work_bits,
        } = ProofOfWorkPolicy::default();
        Self {
            proof_of_work_bits,
            max_proof_of_work_bits,
            policy_file: String::new(),
        }
    }
}

impl Checks {
    /// Returns the proof-of-work policy of the domain.
    pub(crate) const fn policy(&self) -> ProofOfWorkPolicy {
        ProofOfWorkPolicy {
            proof_of_work_bits: self.proof_of_work_bits,
            max_proof_of_work_bits: self.max_proof_of_work_bits,
        }
    }

    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let mut wrong = Vec::new();
        if self.proof_of_work_bits > self.max_proof_of_work_bits {
            let sentence = "checks.proof_of_work_bits is above checks.max_proof_of_work_bits; give at most as much";
            wrong.push(Diagnostic::new("checks.proof_of_work_bits", sentence));
        }
        wrong
    }
}
