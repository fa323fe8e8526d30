//! Metering decision: the rows that a lookup adds, and whether it is free.

use super::{
    Alert, AlertKind, AllowanceReset, Budget, Commitment, EndedPeriod, LedgerRow, LookupRow,
    MeterRules, MeterState, Period, PeriodEnd, RowKind,
};
use crate::billing::PriceBook;
use crate::secrets::IdempotencyDigest;
use crate::verdict::Answer;
use crate::vocabulary::{Environment, Timestamp};
use std::sync::Arc;

/// Lookup to meter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeteringInput {
    /// The number of the context within its client.
    pub context: u32,
    /// The number of the key within its client.
    pub key: u32,
    /// The answer to the lookup.
    pub answer: Answer,
    /// The commitment to the address.
    pub commitment: Commitment,
    /// The digest of the idempotency key.
    pub idempotency: Option<IdempotencyDigest>,
    /// The environment, whose lookups of a day are limited in the sandbox.
    pub environment: Environment,
}

/// Result of metering a lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MeteringDecision {
    /// The lookup is recorded.
    Recorded(MeteredLookup),
    /// The hard cap of the client is reached, or the limit of its sandbox; nothing is recorded.
    CapReached {
        /// The beginning of the next period, or of the next day in the sandbox.
        resets_at: Timestamp,
    },
}

/// Ledger changes of a recorded lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeteredLookup {
    /// The end of the previous period, if this is the first row after it.
    pub ended: Option<Box<PeriodEnding>>,
    /// The row of the lookup.
    pub row: LedgerRow,
    /// The price book to store, if a period begins with this row.
    pub book: Option<Arc<PriceBook>>,
    /// The raised alerts.
    pub alerts: Vec<Alert>,
}

/// End of a period: its marker row, and the data for its invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodEnding {
    /// The row that marks the end.
    pub marker: LedgerRow,
    /// The period.
    pub period: EndedPeriod,
}

/// Decides one lookup at `now`.
///
/// Rows are dated `max(now, date of the previous row)`, so a clock that moves back never reorders the ledger. The first
/// row after the end of a period is preceded by a marker with that period's totals.
///
/// ```
/// use voight_domain::metering::{
///     Commitment, LedgerId, MeterRules, MeterState, MeteringDecision, MeteringInput, decide,
/// };
/// use voight_domain::verdict::Answer;
/// use voight_domain::{ClientId, Environment, Timestamp};
///
/// let rules = MeterRules { allowance: 1, ..MeterRules::default() };
/// let lookup = MeteringInput {
///     context: 1,
///     key: 1,
///     answer: Answer::UNKNOWN,
///     commitment: Commitment([0; 32]),
///     idempotency: None,
///     environment: Environment::Live,
/// };
/// let now = Timestamp::from_millis(1_700_000_000_000);
/// let empty = MeterState::new(LedgerId::live(ClientId::from_bytes([1; 16])));
/// let (after_one, decision) = decide(&empty, &lookup, &rules, now);
/// assert!(matches!(decision, MeteringDecision::Recorded(_)));
/// let (after_two, _) = decide(&after_one, &lookup, &rules, now);
/// // The first lookup is free, the second one is charged.
/// assert_eq!(after_one.charged, 0);
/// assert_eq!(after_two.charged, 1);
/// ```
pub fn decide(
    state: &MeterState,
    lookup: &MeteringInput,
    rules: &MeterRules,
    now: Timestamp,
) -> (MeterState, MeteringDecision) {
    let at = state.date(now);
    if lookup.environment.is_test()
        && let Some(resets_at) = state.last_day.sandbox_limit_reached(at)
    {
        return (*state, MeteringDecision::CapReached { resets_at });
    }
    let mut next = *state;
    let ended_period = next.end_period_if_due(at).map(Box::new);
    let book = next.begin_period(at, rules);
    let charge = next.charge(rules.allowance);
    if next.is_capped(charge) {
        let resets_at = next.period.map_or(at, |period| period.end);
        return (*state, MeteringDecision::CapReached { resets_at });
    }
    let row = next.append(
        at,
        RowKind::Lookup(LookupRow {
            context: lookup.context,
            key: lookup.key,
            free: charge == Charge::Free,
            answer: lookup.answer,
            commitment: lookup.commitment,
            idempotency: lookup.idempotency,
            cap: next.cap,
        }),
    );
    let alerts = next.raise_alerts(charge, rules.allowance);
    (
        next,
        MeteringDecision::Recorded(MeteredLookup {
            ended: ended_period,
            row,
            book,
            alerts,
        }),
    )
}

/// Error of a row that does not follow the last row of its ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("ledger row {seq} does not follow row {last}")]
pub struct RowOutOfOrder {
    /// The sequence number of the row.
    pub seq: u64,
    /// The sequence number of the last row.
    pub last: u64,
}

/// Charge of a lookup.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Charge {
    /// The free allowance covers the lookup.
    Free,
    /// The lookup is beyond the free allowance.
    Paid,
}

impl MeterState {
    /// Returns the date of a row that is written at `now`.
    pub(super) fn date(&self, now: Timestamp) -> Timestamp {
        if self.seq == 0 {
            now
        } else {
            now.max(self.last_at)
        }
    }

    /// Ends the running period if its end is not after `now`.
    pub fn end_period_if_due(&mut self, now: Timestamp) -> Option<PeriodEnding> {
        let at = self.date(now);
        self.period
            .filter(|period| period.end <= at)
            .and_then(|period| self.end(period, at))
    }

    /// Ends the running period at `now`, even before its end: for a client that is closed.
    pub fn end_period_early(&mut self, now: Timestamp) -> Option<PeriodEnding> {
        let at = self.date(now);
        self.period.and_then(|period| {
            self.end(
                Period {
                    end: period.end.min(at).max(period.start),
                    ..period
                },
                at,
            )
        })
    }

    fn end(&mut self, period: Period, at: Timestamp) -> Option<PeriodEnding> {
        let billable = self.billable;
        let paid_lookups = self.charged;
        let book = self.price_book?;
        let first_seq = self.period_first_seq;
        let marker = self.append(
            at,
            RowKind::PeriodEnd(PeriodEnd {
                period,
                billable,
                paid: paid_lookups,
                book,
            }),
        );
        let period = EndedPeriod {
            period,
            first_seq,
            last_seq: self.seq,
            head: self.head,
            billable,
            charged: paid_lookups,
            book,
            invoice: None,
            last_voided_invoice: None,
        };
        Some(PeriodEnding { marker, period })
    }

    /// Begins the period that contains `at`, unless one is running.
    ///
    /// Returns the price book that bills the new period.
    pub(super) fn begin_period(
        &mut self,
        at: Timestamp,
        rules: &MeterRules,
    ) -> Option<Arc<PriceBook>> {
        if self.period.is_some() {
            return None;
        }
        let month = Period::month_containing(at, rules.period_start_day);
        // After a change of the period start day the first period is shorter: periods never overlap.
        let start = self
            .previous_period_end
            .map_or(month.start, |previous_end| month.start.max(previous_end));
        self.period = Some(Period { start, ..month });
        self.price_book = Some(rules.price_book.digest());
        self.spending = self.spending.repriced(&rules.price_book);
        self.alerts = self
            .alerts
            .without(AlertKind::OF_BUDGET)
            .without(AlertKind::OF_CAP);
        if rules.reset == AllowanceReset::Monthly {
            self.allowance_used = 0;
            self.alerts = self.alerts.without(AlertKind::OF_ALLOWANCE);
        }
        Some(Arc::clone(&rules.price_book))
    }

    /// Returns the charge of one more lookup.
    const fn charge(&self, allowance: u64) -> Charge {
        if self.allowance_used < allowance {
            Charge::Free
        } else {
            Charge::Paid
        }
    }

    /// Returns `true` if a cap rejects one more lookup.
    fn is_capped(&self, charge: Charge) -> bool {
        let is_spent = |paid_lookups| charge == Charge::Paid && self.charged >= paid_lookups;
        self.cap.is_some_and(|cap| self.billable >= cap)
            || self
                .spending
                .cap
                .is_some_and(|cap| is_spent(cap.max_charged_lookups))
    }

    /// Raises the alerts that the last row has made due and that were not raised before.
    fn raise_alerts(&mut self, charge: Charge, allowance: u64) -> Vec<Alert> {
        let is_used_to = |percent: u128| {
            u128::from(self.allowance_used) * 100 >= u128::from(allowance) * percent
        };
        let is_spent = |threshold: fn(&Budget) -> u64| {
            self.spending
                .budget
                .is_some_and(|budget| self.charged >= threshold(&budget))
        };
        let is_due = |kind| match kind {
            AlertKind::Allowance80 => charge == Charge::Free && is_used_to(80),
            AlertKind::Allowance100 => charge == Charge::Free && is_used_to(100),
            AlertKind::Budget80 => charge == Charge::Paid && is_spent(|budget| budget.at_80),
            AlertKind::Budget100 => charge == Charge::Paid && is_spent(|budget| budget.at_100),
            AlertKind::CapReached => self.is_capped(self.charge(allowance)),
        };
        let due_alerts: Vec<_> = AlertKind::ALL
            .into_iter()
            .filter(|kind| is_due(*kind) && !self.alerts.contains(*kind))
            .collect();
        self.alerts = due_alerts
            .iter()
            .fold(self.alerts, |alerts, kind| alerts.with(*kind));
        due_alerts
            .into_iter()
            .map(|kind| Alert {
                kind,
                seq: self.seq,
                at: self.last_at,
            })
            .collect()
    }

    /// Creates the next row and applies it.
    fn append(&mut self, at: Timestamp, kind: RowKind) -> LedgerRow {
        let row = LedgerRow {
            seq: self.seq + 1,
            at,
            kind,
        };
        self.advance(&row);
        row
    }

    /// Applies a stored row. The result equals the state that [`decide`] returned with the row, except for what the row
    /// does not hold: a price book that began a period, and raised alerts.
    ///
    /// # Errors
    ///
    /// [`RowOutOfOrder`] if the row does not follow the last one, or is a lookup outside of a period.
    pub fn apply(&mut self, row: &LedgerRow) -> Result<(), RowOutOfOrder> {
        let has_period = self.period.is_some_and(|period| match row.kind {
            RowKind::Lookup(_) => period.contains(row.at),
            RowKind::PeriodEnd(_) => true,
        });
        if row.seq != self.seq + 1 || row.at < self.last_at || !has_period {
            return Err(RowOutOfOrder {
                seq: row.seq,
                last: self.seq,
            });
        }
        self.advance(row);
        Ok(())
    }

    fn advance(&mut self, row: &LedgerRow) {
        (self.seq, self.last_at) = (row.seq, row.at);
        self.head = self.head.extend(&row.to_bytes());
        match &row.kind {
            RowKind::Lookup(lookup) => {
                self.billable += 1;
                self.last_day = self.last_day.with_lookup(row.at);
                if lookup.free {
                    self.allowance_used += 1;
                } else {
                    self.charged += 1;
                }
            }
            RowKind::PeriodEnd(end) => {
                self.previous_period_end = Some(end.period.end);
                (self.period, self.period_first_seq, self.price_book) = (None, row.seq + 1, None);
                (self.billable, self.charged) = (0, 0);
            }
        }
    }
}

#[cfg(test)]
#[path = "decide_tests.rs"]
mod tests;
