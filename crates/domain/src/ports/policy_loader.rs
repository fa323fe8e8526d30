//! Creates an assessor from a policy file.

use super::Assessor;
use std::fmt;
use std::sync::Arc;

/// Error of a policy that cannot be used: one sentence that says what a valid policy needs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidPolicy(pub String);

/// Policy under test: an assessor that applies it.
#[derive(Clone)]
pub struct CandidatePolicy {
    /// The version of the policy, which its assessments carry.
    pub version: u32,
    /// The assessor that applies the policy.
    pub assessor: Arc<dyn Assessor>,
}

/// Parses policy files.
pub trait PolicyLoader: Send + Sync {
    /// Returns an assessor that applies the policy in `file` as the service applies its own policy.
    fn candidate(&self, file: &[u8]) -> Result<CandidatePolicy, InvalidPolicy>;
}

impl fmt::Debug for CandidatePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Candidate")
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
