//! Who judges by a policy that an operator brings.

use super::Assessor;
use std::fmt;
use std::sync::Arc;

/// Why a policy cannot be used: one sentence that says what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidPolicy(pub String);

/// An assessor by a policy.
#[derive(Clone)]
pub struct CandidatePolicy {
    /// The policy's version, which its assessments name.
    pub version: u32,
    /// Judges by it.
    pub assessor: Arc<dyn Assessor>,
}

/// Reads policies.
pub trait PolicyLoader: Send + Sync {
    /// The assessor by the policy in `file`, which judges as the service would if that policy were its own.
    fn candidate(&self, file: &[u8]) -> Result<CandidatePolicy, InvalidPolicy>;
}

impl fmt::Debug for CandidatePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Candidate").field("version", &self.version).finish_non_exhaustive()
    }
}
