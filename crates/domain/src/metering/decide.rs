//! The metering decision: which rows a lookup adds, and whether it is free.

use super::{
    Alert, AlertKind, AnchorDay, Budget, Commitment, EndedPeriod, LedgerRow, LookupRow, MeterState, Period, PeriodEnd,
    RowKind,
};
use crate::billing::{Currency, PriceBook};
use crate::secrets::IdempotencyDigest;
use crate::verdict::Answer;
use crate::vocabulary::Timestamp;
use std::sync::Arc;

/// The rules of metering that an operator configures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeterRules {
    /// Free lookups of a client.
    pub allowance: u64,
    /// Whether the allowance comes back.
    pub reset: AllowanceReset,
    /// The day of the month on which a period begins.
    pub anchor: AnchorDay,
    /// The price book of periods that begin from now on.
    pub price_book: Arc<PriceBook>,
}

/// Whether the free allowance comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowanceReset {
    /// Once in the life of a client.
    Never,
    /// With every period.
    Monthly,
}

impl Default for MeterRules {
    /// The first 1,000 lookups of a client are free (requirement, section 8), in calendar months, at the example's prices.
    fn default() -> Self {
        let book = Arc::new(PriceBook::example(Currency::USD));
        Self { allowance: 1000, reset: AllowanceReset::Never, anchor: AnchorDay::default(), price_book: book }
    }
}

/// What is metered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeteringInput {
    /// The number of the context within its client.
    pub context: u32,
    /// The number of the key within its client.
    pub key: u32,
    /// What will be answered.
    pub answer: Answer,
    /// Commits to the address.
    pub commitment: Commitment,
    /// The digest of its idempotency key.
    pub claim: Option<IdempotencyDigest>,
}

/// What was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MeteringDecision {
    /// The lookup is recorded.
    Recorded(MeteredLookup),
    /// The client's hard cap is reached; nothing is recorded.
    CapReached {
        /// When the next period begins.
        resets_at: Timestamp,
    },
}

/// What a recorded lookup adds to a ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeteredLookup {
    /// The end of the period before, if this is the first row past it.
    pub ended: Option<Box<PeriodEnding>>,
    /// The lookup's row.
    pub row: LedgerRow,
    /// The price book to keep, if a period begins with this row.
    pub book: Option<Arc<PriceBook>>,
    /// The alerts that it raises.
    pub alerts: Vec<Alert>,
}

/// The end of a period: a row, and what an invoice will be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodEnding {
    /// The row that marks it.
    pub marker: LedgerRow,
    /// The period.
    pub period: EndedPeriod,
}

/// Decides one lookup at `now`.
///
/// Rows are dated `max(now, date of the row before)`, so a clock that goes back never reorders the ledger. The first row
/// past a period's end puts a marker with that period's totals in front of itself.
pub fn decide(
    state: &MeterState,
    lookup: &MeteringInput,
    rules: &MeterRules,
    now: Timestamp,
) -> (MeterState, MeteringDecision) {
    let at = state.date(now);
    let mut next = *state;
    let ended = next.end_period_if_due(at).map(Box::new);
    let book = next.begin_period(at, rules);
    let free = next.allowance_used < rules.allowance;
    if next.is_capped(free) {
        let resets_at = next.period.map_or(at, |period| period.end);
        return (*state, MeteringDecision::CapReached { resets_at });
    }
    next.billable += 1;
    if free {
        next.allowance_used += 1;
    } else {
        next.charged += 1;
    }
    let row = next.append(
        at,
        RowKind::Lookup(LookupRow {
            context: lookup.context,
            key: lookup.key,
            free,
            answer: lookup.answer,
            commitment: lookup.commitment,
            claim: lookup.claim,
            cap: next.cap,
        }),
    );
    let alerts = next.raise_alerts(free, rules.allowance);
    (next, MeteringDecision::Recorded(MeteredLookup { ended, row, book, alerts }))
}

impl MeterState {
    /// The date of a row that is written at `now`.
    fn date(&self, now: Timestamp) -> Timestamp {
        if self.seq == 0 { now } else { now.max(self.last_at) }
    }

    /// Ends the running period if it is over at `now`.
    pub fn end_period_if_due(&mut self, now: Timestamp) -> Option<PeriodEnding> {
        let at = self.date(now);
        self.period.filter(|period| period.end <= at).map(|period| self.end(period, at))
    }

    /// Ends the running period at `now`, though it may not be over: for a client that goes.
    pub fn end_period_early(&mut self, now: Timestamp) -> Option<PeriodEnding> {
        let at = self.date(now);
        self.period.map(|period| self.end(Period { end: period.end.min(at).max(period.start), ..period }, at))
    }

    fn end(&mut self, period: Period, at: Timestamp) -> PeriodEnding {
        let (billable, paid, book) = (self.billable, self.charged, self.price_book);
        let marker = self.append(at, RowKind::PeriodEnd(PeriodEnd { period, billable, paid, book }));
        let (first, last, head) = (self.period_first_seq, self.seq, self.head);
        (self.period, self.period_first_seq, self.price_book, self.billable, self.charged) =
            (None, last + 1, None, 0, 0);
        self.previous_period_end = Some(period.end);
        let period = EndedPeriod {
            period,
            first_seq: first,
            last_seq: last,
            head,
            billable,
            charged: paid,
            book,
            invoice: None,
            last_voided_invoice: None,
        };
        PeriodEnding { marker, period }
    }

    /// Begins the period that `at` lies in, unless one is running; the price book that it is billed by.
    fn begin_period(&mut self, at: Timestamp, rules: &MeterRules) -> Option<Arc<PriceBook>> {
        if self.period.is_some() {
            return None;
        }
        let whole = Period::month_containing(at, rules.anchor);
        // After a change of the anchor day the first period is shorter: no time is in two periods.
        let start = self.previous_period_end.map_or(whole.start, |ended| whole.start.max(ended));
        self.period = Some(Period { start, ..whole });
        self.price_book = Some(rules.price_book.digest());
        self.spending = self.spending.repriced(&rules.price_book);
        self.alerts = self.alerts.without(AlertKind::OF_BUDGET);
        if rules.reset == AllowanceReset::Monthly {
            self.allowance_used = 0;
            self.alerts = self.alerts.without(AlertKind::OF_ALLOWANCE);
        }
        Some(Arc::clone(&rules.price_book))
    }

    /// Whether a cap refuses one more lookup.
    fn is_capped(&self, free: bool) -> bool {
        let spent = |paid| !free && self.charged >= paid;
        self.cap.is_some_and(|cap| self.billable >= cap)
            || self.spending.cap.is_some_and(|cap| spent(cap.max_charged_lookups))
    }

    /// Raises what the last row has made due and was not raised before.
    fn raise_alerts(&mut self, free: bool, allowance: u64) -> Vec<Alert> {
        let used = |percent: u128| u128::from(self.allowance_used) * 100 >= u128::from(allowance) * percent;
        let spent = |paid: fn(&Budget) -> u64| self.spending.budget.is_some_and(|budget| self.charged >= paid(&budget));
        let is_due = |kind| match kind {
            AlertKind::Allowance80 => free && used(80),
            AlertKind::Allowance100 => free && used(100),
            AlertKind::Budget80 => !free && spent(|budget| budget.at_80),
            AlertKind::Budget100 => !free && spent(|budget| budget.at_100),
        };
        let due: Vec<_> =
            AlertKind::ALL.into_iter().filter(|kind| is_due(*kind) && !self.alerts.contains(*kind)).collect();
        self.alerts = due.iter().fold(self.alerts, |alerts, kind| alerts.with(*kind));
        due.into_iter().map(|kind| Alert { kind, seq: self.seq, at: self.last_at }).collect()
    }

    /// Appends a row to sequence and chain.
    fn append(&mut self, at: Timestamp, kind: RowKind) -> LedgerRow {
        self.seq += 1;
        self.last_at = at;
        let row = LedgerRow { seq: self.seq, at, kind };
        self.head = self.head.extend(&row.to_bytes());
        row
    }
}

#[cfg(test)]
#[path = "decide_tests.rs"]
mod tests;
