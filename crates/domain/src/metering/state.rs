//! Meter: the state from which every metering decision is made.

use super::{AlertSet, AllowanceReset, ChainHead, LedgerId, MeterRules, Period, SpendingLimits};
use crate::billing::PriceBookDigest;
use crate::codec::{DecodeError, Decoder, Encoder};
use crate::vocabulary::Timestamp;

const VERSION: u8 = 1;
const MILLIS_PER_DAY: i64 = 86_400_000;

/// Meter of a ledger. Stores save it and never interpret it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeterState {
    /// The sequence number of the last row; 0 before the first.
    pub seq: u64,
    /// The chain head after the last row.
    pub head: ChainHead,
    /// The date of the last row.
    pub last_at: Timestamp,
    /// Number of used free lookups of the allowance.
    pub allowance_used: u64,
    /// The running period; `None` before its first row.
    pub period: Option<Period>,
    /// The sequence number of the first row of the running period.
    pub period_first_seq: u64,
    /// The price book that bills the running period; `None` if no period is running.
    pub price_book: Option<PriceBookDigest>,
    /// Billable lookups of the running period.
    pub billable: u64,
    /// Lookups of the running period beyond the free allowance.
    pub charged: u64,
    /// The end of the previous period; no period begins earlier.
    pub previous_period_end: Option<Timestamp>,
    /// The client's hard cap, in billable lookups per period.
    pub cap: Option<u64>,
    /// The client's limits in money.
    pub spending: SpendingLimits,
    /// The raised alerts.
    pub alerts: AlertSet,
    /// Lookups of the last day with a row.
    pub last_day: DailyLookups,
}

/// Number of lookups of a day (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DailyLookups {
    /// Days since 1970-01-01.
    pub day: i64,
    /// Lookups of the day.
    pub lookups: u64,
}

impl DailyLookups {
    /// Maximum number of lookups of a client's sandbox in a day. They are stored and not billed.
    pub const SANDBOX_LIMIT: u64 = 10_000;

    /// Returns the count after another lookup at `at`.
    #[must_use]
    pub(super) fn with_lookup(self, at: Timestamp) -> Self {
        let day = at.day();
        Self {
            day,
            lookups: if day == self.day { self.lookups + 1 } else { 1 },
        }
    }

    /// Parses a count, which a state without lookups of a known day does not have.
    fn decode(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        if input.is_empty() {
            return Ok(Self::default());
        }
        let count = Self {
            day: input.int()?,
            lookups: input.uint()?,
        };
        if count.lookups == 0 {
            Err(DecodeError::OutOfRange("lookups of a day"))
        } else {
            Ok(count)
        }
    }

    /// Returns the beginning of the next day if the sandbox has no lookup left at `at`.
    pub(super) fn sandbox_limit_reached(self, at: Timestamp) -> Option<Timestamp> {
        let is_reached = at.day() == self.day && self.lookups >= Self::SANDBOX_LIMIT;
        is_reached.then(|| Timestamp::from_millis((self.day + 1).saturating_mul(MILLIS_PER_DAY)))
    }
}

impl MeterState {
    /// Returns the meter of a ledger before its first lookup.
    pub fn new(ledger: LedgerId) -> Self {
        Self {
            seq: 0,
            head: ChainHead::genesis(ledger),
            last_at: Timestamp::default(),
            allowance_used: 0,
            period: None,
            period_first_seq: 1,
            price_book: None,
            billable: 0,
            charged: 0,
            previous_period_end: None,
            cap: None,
            spending: SpendingLimits::default(),
            alerts: AlertSet::default(),
            last_day: DailyLookups::default(),
        }
    }

    /// Returns the lookups (all, paid) of the period that contains `now`. Zero if the last row is of an earlier period.
    pub fn lookups_in_current_period(&self, now: Timestamp) -> (u64, u64) {
        if self.is_current_period(now) {
            (self.billable, self.charged)
        } else {
            (0, 0)
        }
    }

    /// Returns `true` if the period of the last row contains `now`. New rows are never dated before the last one.
    pub fn is_current_period(&self, now: Timestamp) -> bool {
        self.period
            .is_some_and(|period| period.contains(now.max(self.last_at)))
    }

    /// Returns the number of free lookups that remain at `now`.
    pub fn allowance_left(&self, rules: &MeterRules, now: Timestamp) -> u64 {
        let allowance_used =
            if rules.reset == AllowanceReset::Monthly && !self.is_current_period(now) {
                0
            } else {
                self.allowance_used
            };
        rules.allowance.saturating_sub(allowance_used)
    }

    /// Returns the bytes of the state, preceded by a version.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.uint(self.seq)
            .fixed(&self.head.0)
            .int(self.last_at.as_millis())
            .uint(self.allowance_used);
        out.option(self.period, |out, period| period.encode(out));
        out.uint(self.period_first_seq);
        out.option(self.price_book, |out, book| {
            out.fixed(&book.0);
        });
        out.uint(self.billable).uint(self.charged);
        out.option(self.previous_period_end, |out, ended| {
            out.int(ended.as_millis());
        });
        out.option(self.cap, |out, cap| {
            out.uint(cap);
        });
        self.spending.encode(&mut out);
        out.u8(self.alerts.bits());
        // States of earlier releases end here.
        if self.last_day.lookups > 0 {
            out.int(self.last_day.day).uint(self.last_day.lookups);
        }
        out.finish()
    }

    /// Parses the bytes of a state.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let state = Self {
            seq: input.uint()?,
            head: ChainHead(input.fixed()?),
            last_at: Timestamp::from_millis(input.int()?),
            allowance_used: input.uint()?,
            period: input.option(Period::decode)?,
            period_first_seq: input.uint()?,
            price_book: input.option(|input| input.fixed().map(PriceBookDigest))?,
            billable: input.uint()?,
            charged: input.uint()?,
            previous_period_end: input.option(|input| input.int().map(Timestamp::from_millis))?,
            cap: input.option(Decoder::uint)?,
            spending: SpendingLimits::decode(&mut input)?,
            alerts: AlertSet::from_bits(input.u8()?)?,
            last_day: DailyLookups::decode(&mut input)?,
        };
        input.finish()?;
        if state.period.is_some() != state.price_book.is_some() {
            return Err(DecodeError::OutOfRange("a period without its price book"));
        }
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::ClientId;

    fn timestamp(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// Returns the meter of a client whose last row, the third of November, is of noon of the 10th.
    fn november() -> MeterState {
        let period = Period {
            start: timestamp("2026-11-01T00:00:00Z"),
            end: timestamp("2026-12-01T00:00:00Z"),
        };
        let meter = MeterState::new(LedgerId::live(ClientId::from_bytes([1; 16])));
        let period = Some(period);
        let last_at = timestamp("2026-11-10T12:00:00Z");
        MeterState {
            seq: 3,
            period,
            last_at,
            billable: 3,
            charged: 1,
            allowance_used: 2,
            ..meter
        }
    }

    #[test]
    fn period_end_is_exclusive() {
        let meter = november();
        let last = timestamp("2026-11-30T23:59:59.999Z");
        let next = timestamp("2026-12-01T00:00:00Z");
        assert_eq!(
            [last, next].map(|now| meter.is_current_period(now)),
            [true, false]
        );
        assert_eq!(
            [last, next].map(|now| meter.lookups_in_current_period(now)),
            [(3, 1), (0, 0)]
        );
        let unused_meter = MeterState::new(LedgerId::live(ClientId::from_bytes([1; 16])));
        assert!(!unused_meter.is_current_period(last), "no period has begun");
    }

    #[test]
    fn earlier_release_has_no_daily_count() {
        let earlier = MeterState::new(LedgerId::live(ClientId::from_bytes([1; 16])));
        assert_eq!(earlier.last_day, DailyLookups::default());
        let bytes = earlier.to_bytes();
        assert_eq!(MeterState::from_bytes(&bytes), Ok(earlier));
        let counted_state = MeterState {
            last_day: DailyLookups {
                day: 20_767,
                lookups: 1,
            },
            ..earlier
        };
        assert_eq!(
            MeterState::from_bytes(&counted_state.to_bytes()),
            Ok(counted_state)
        );
        assert!(
            MeterState::from_bytes(&[bytes, vec![0, 0]].concat()).is_err(),
            "a count of none is not written"
        );
    }

    #[test]
    fn sandbox_limit_counts_lookups_of_a_day() {
        let noon = timestamp("2026-11-10T12:00:00Z");
        let full = DailyLookups {
            lookups: DailyLookups::SANDBOX_LIMIT - 1,
            ..DailyLookups::default().with_lookup(noon)
        };
        assert_eq!(full.sandbox_limit_reached(noon), None);
        let full = full.with_lookup(noon);
        assert_eq!(
            full.sandbox_limit_reached(noon),
            Some(timestamp("2026-11-11T00:00:00Z"))
        );
        assert_eq!(
            full.sandbox_limit_reached(timestamp("2026-11-10T23:59:59.999Z")),
            Some(timestamp("2026-11-11T00:00:00Z"))
        );
        let next_day = timestamp("2026-11-11T00:00:00Z");
        assert_eq!(
            (
                full.sandbox_limit_reached(next_day),
                full.with_lookup(next_day).lookups
            ),
            (None, 1)
        );
    }

    #[test]
    fn clock_behind_keeps_the_period() {
        let meter = november();
        let last_of_october = timestamp("2026-10-31T23:00:00Z");
        assert!(
            meter.is_current_period(last_of_october),
            "the next row is dated like the last one, in November"
        );
        assert_eq!(meter.lookups_in_current_period(last_of_october), (3, 1));
        let rules = MeterRules {
            allowance: 5,
            reset: AllowanceReset::Monthly,
            ..MeterRules::default()
        };
        assert_eq!(meter.allowance_left(&rules, last_of_october), 3);
    }

    #[test]
    fn only_monthly_allowance_resets() {
        let meter = november();
        let last = timestamp("2026-11-30T23:59:59.999Z");
        let next = timestamp("2026-12-01T00:00:00Z");
        let allowance_left = |reset, allowance| {
            let rules = MeterRules {
                allowance,
                reset,
                ..MeterRules::default()
            };
            [last, next].map(|now| meter.allowance_left(&rules, now))
        };
        assert_eq!(allowance_left(AllowanceReset::Monthly, 5), [3, 5]);
        assert_eq!(allowance_left(AllowanceReset::Never, 5), [3, 3]);
        assert_eq!(
            allowance_left(AllowanceReset::Monthly, 1),
            [0, 1],
            "an allowance that was lowered below its use"
        );
    }
}
