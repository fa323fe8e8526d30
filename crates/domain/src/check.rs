//! Protection, conclusion and redemption of checks.
//!
//! The parts are challenge, proof of work, drawn steps, sessions, evidence and receipts.

mod challenge;
mod conclude;
mod counts;
mod disclosure;
mod evidence;
mod evidence_shares;
mod receipt;
mod redeem;
mod rejection;
mod session;
mod step;
mod target_position;
mod work;

pub use challenge::{CHECK_TTL, Challenge};
pub use conclude::{
    CheckConclusion, ConcludeFacts, ConcludeOutcome, ConcludeStep, ConcludeWrite, Concluded,
    conclude,
};
pub use counts::{
    CheckCountKey, CheckCounts, CountedSite, DayAdditions, MAX_COUNTED_ORIGINS, SiteCounts,
};
pub use disclosure::{Disclosure, Member, Purpose};
pub use evidence::{AddressFamily, EvidenceBatch, InputDigest, RequestMetadata};
pub use evidence_shares::{EvidenceShare, EvidenceShares};
pub use receipt::{RECEIPT_TTL, RECEIPT_TYPE, Receipt};
pub use redeem::{RedeemFacts, RedeemOutcome, RedeemStep, Redemption, redeem};
pub use rejection::GateRejection;
pub use session::{SESSION_TTL, VouchedSession};
pub use step::{ChallengeStep, ChallengeStepKind, FirstInput, draw_step};
pub use target_position::{MIN_DISTANCE, StageSize, TargetPosition, second_target};
pub use work::{ProofOfWork, leading_zero_bits};

#[cfg(test)]
pub(crate) use challenge::tests;
