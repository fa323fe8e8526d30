//! Metering of lookups: a pure decision, a ledger row, a hash chain.

mod alert;
mod batch_lookup;
mod chain;
mod date_range;
mod decide;
mod ended;
mod idempotency;
mod ledger_id;
mod limit;
mod lookup;
mod month;
mod period;
mod quote;
mod row;
mod rules;
mod signed_head;
mod spending;
mod state;
mod step;
mod usage;

pub use alert::{Alert, AlertKind, AlertSet};
pub use batch_lookup::{
    AddressSet, BatchLookupRequest, BatchLookupStep, MAX_BATCH_ADDRESSES, answer_batch,
};
pub use chain::{ChainHead, Commitment, HeadError, Opening};
pub use date_range::{DateRangeError, MAX_RANGE_DAYS};
pub use decide::{
    MeteredLookup, MeteringDecision, MeteringInput, PeriodEnding, RowOutOfOrder, decide,
};
pub use ended::EndedPeriod;
pub use idempotency::{
    IdempotencyInput, IdempotencyRecord, IdempotencyState, RecordedAnswer, RecordedBatch,
    RecordedResponse, idempotency_state,
};
pub use ledger_id::LedgerId;
pub use limit::{Limit, LimitError};
pub use lookup::{LookupRequest, LookupStep, answer_lookup};
pub use month::{Month, MonthError};
pub use period::{Period, PeriodStartDay, PeriodStartDayError};
pub use quote::{Quote, QuoteError};
pub use row::{LedgerRow, LookupRow, PeriodEnd, RowKind};
pub use rules::{AllowanceReset, MeterRules};
pub use signed_head::{HEAD_TYPE, SignedHead};
pub use spending::{Budget, MoneyCap, SpendingLimits};
pub use state::{DailyLookups, MeterState};
pub use step::{AddressFacts, CallerFacts, LookupOutcome, LookupWrite};
pub(crate) use step::{Metering, authorise};
pub use usage::{Day, LookupCounts, UsageTotals};
