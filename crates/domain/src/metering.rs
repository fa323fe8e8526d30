//! How a lookup is metered: a pure decision, a ledger row, a chain.

mod chain;
mod decide;
mod lookup;
mod period;
mod row;
mod state;

pub use chain::{Commitment, Head, Opening};
pub use decide::{Decision, Lookup, MeterRules, Reset, decide};
pub use lookup::{
    Answered, Claim, ClaimAnswer, ClaimState, LookupFacts, LookupOutcome, LookupRequest, LookupStep, LookupWrite,
    StoredClaim, answer_lookup, claim_state,
};
pub use period::{AnchorDay, AnchorDayError, Period};
pub use row::{LedgerRow, LookupRow, PeriodEnd, RowKind};
pub use state::MeterState;
