//! How a lookup is metered: a pure decision, a ledger row, a chain.

mod alert;
mod chain;
mod decide;
mod ended;
mod lookup;
mod month;
mod period;
mod row;
mod signed_head;
mod span;
mod spending;
mod state;
mod usage;

pub use alert::{Alert, AlertKind, AlertSet};
pub use chain::{Commitment, Head, HeadError, Opening};
pub use decide::{Decision, Ending, Lookup, MeterRules, Metered, Reset, decide};
pub use ended::EndedPeriod;
pub use lookup::{
    Answered, Claim, ClaimAnswer, ClaimState, LookupFacts, LookupOutcome, LookupRequest, LookupStep, LookupWrite,
    StoredClaim, answer_lookup, claim_state,
};
pub use month::{Month, MonthError};
pub use period::{AnchorDay, AnchorDayError, Period};
pub use row::{LedgerRow, LookupRow, PeriodEnd, RowKind};
pub use signed_head::{HEAD_TYPE, SignedHead};
pub use span::{SPAN_DAYS_MAX, SpanError};
pub use spending::{Budget, Limit, LimitError, MoneyCap, Spending};
pub use state::MeterState;
pub use usage::{Counts, Day, Usage};
