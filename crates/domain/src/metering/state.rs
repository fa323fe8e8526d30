//! The one value from which every metering decision is made.

use super::{AlertSet, AllowanceReset, ChainHead, MeterRules, Period, SpendingLimits};
use crate::billing::PriceBookDigest;
use crate::codec::{DecodeError, Decoder, Encoder};
use crate::vocabulary::{ClientId, Environment, Timestamp};

/// The layout before price books, limits in money and alerts were kept.
const BEFORE_BOOKS: u8 = 1;
const VERSION: u8 = 2;

/// The meter of one (client, environment). Stores keep it and never interpret it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeterState {
    /// The sequence number of the last row; 0 before the first.
    pub seq: u64,
    /// The chain's head after that row.
    pub head: ChainHead,
    /// When that row was written.
    pub last_at: Timestamp,
    /// Free lookups used of the allowance.
    pub allowance_used: u64,
    /// The running period; `None` before its first row.
    pub period: Option<Period>,
    /// The sequence number of its first row.
    pub period_first_seq: u64,
    /// The price book that it is billed by; `None` if it began before price books were kept.
    pub price_book: Option<PriceBookDigest>,
    /// Lookups in the running period.
    pub billable: u64,
    /// Those beyond the free allowance.
    pub charged: u64,
    /// When the last period before it ended; no period begins earlier.
    pub previous_period_end: Option<Timestamp>,
    /// The client's own hard cap, in billable lookups a period.
    pub cap: Option<u64>,
    /// The client's own limits in money.
    pub spending: SpendingLimits,
    /// The alerts that have been raised.
    pub alerts: AlertSet,
}

impl MeterState {
    /// The meter before the first lookup.
    pub fn new(client: ClientId, environment: Environment) -> Self {
        Self {
            seq: 0,
            head: ChainHead::genesis(client, environment),
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
        }
    }

    /// Lookups of the period that `now` lies in: (all, paid). Zero if the last row is of an earlier period.
    pub fn lookups_in_current_period(&self, now: Timestamp) -> (u64, u64) {
        if self.is_current_period(now) { (self.billable, self.charged) } else { (0, 0) }
    }

    /// Whether the period of the last row is the one that `now` lies in. Rows are never dated before the last one.
    pub fn is_current_period(&self, now: Timestamp) -> bool {
        self.period.is_some_and(|period| period.contains(now.max(self.last_at)))
    }

    /// Free lookups that are left at `now`.
    pub fn allowance_left(&self, rules: &MeterRules, now: Timestamp) -> u64 {
        let used = if rules.reset == AllowanceReset::Monthly && !self.is_current_period(now) {
            0
        } else {
            self.allowance_used
        };
        rules.allowance.saturating_sub(used)
    }

    /// The bytes of the state, with a version in front.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.uint(self.seq).fixed(&self.head.0).int(self.last_at.as_millis()).uint(self.allowance_used);
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
        out.u8(self.alerts.bits()).finish()
    }

    /// The state with these bytes. From the layout before price books its period seems to begin with the first row of all: a
    /// store that is brought to the new format finds out where it does.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let is_old = bytes.first() == Some(&BEFORE_BOOKS);
        let mut input = Decoder::versioned(bytes, if is_old { BEFORE_BOOKS } else { VERSION })?;
        let state = Self::read(&mut input, is_old)?;
        input.finish()?;
        Ok(state)
    }

    fn read(input: &mut Decoder<'_>, is_old: bool) -> Result<Self, DecodeError> {
        Ok(Self {
            seq: input.uint()?,
            head: ChainHead(input.fixed()?),
            last_at: Timestamp::from_millis(input.int()?),
            allowance_used: input.uint()?,
            period: input.option(Period::decode)?,
            period_first_seq: if is_old { 1 } else { input.uint()? },
            price_book: if is_old { None } else { input.option(|input| input.fixed().map(PriceBookDigest))? },
            billable: input.uint()?,
            charged: input.uint()?,
            previous_period_end: if is_old {
                None
            } else {
                input.option(|input| input.int().map(Timestamp::from_millis))?
            },
            cap: input.option(Decoder::uint)?,
            spending: if is_old { SpendingLimits::default() } else { SpendingLimits::decode(input)? },
            alerts: if is_old { AlertSet::default() } else { AlertSet::from_bits(input.u8()?)? },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// The meter of a client whose last row, the third of November's, was written at noon of the 10th.
    fn november() -> MeterState {
        let period = Period { start: at("2026-11-01T00:00:00Z"), end: at("2026-12-01T00:00:00Z") };
        let meter = MeterState::new(ClientId::from_bytes([1; 16]), Environment::Live);
        let (period, last_at) = (Some(period), at("2026-11-10T12:00:00Z"));
        MeterState { seq: 3, period, last_at, billable: 3, charged: 1, allowance_used: 2, ..meter }
    }

    #[test]
    fn a_period_runs_until_its_end_and_not_at_it() {
        let meter = november();
        let (last, next) = (at("2026-11-30T23:59:59.999Z"), at("2026-12-01T00:00:00Z"));
        assert_eq!([last, next].map(|now| meter.is_current_period(now)), [true, false]);
        assert_eq!([last, next].map(|now| meter.lookups_in_current_period(now)), [(3, 1), (0, 0)]);
        let unused = MeterState::new(ClientId::from_bytes([1; 16]), Environment::Live);
        assert!(!unused.is_current_period(last), "no period has begun");
    }

    #[test]
    fn a_clock_behind_the_last_row_does_not_end_the_period() {
        let (meter, before) = (november(), at("2026-10-31T23:00:00Z"));
        assert!(meter.is_current_period(before), "the next row is dated like the last one, in November");
        assert_eq!(meter.lookups_in_current_period(before), (3, 1));
        let rules = MeterRules { allowance: 5, reset: AllowanceReset::Monthly, ..MeterRules::default() };
        assert_eq!(meter.allowance_left(&rules, before), 3);
    }

    #[test]
    fn a_monthly_allowance_is_full_again_across_a_boundary_and_a_lifetime_one_is_not() {
        let meter = november();
        let (last, next) = (at("2026-11-30T23:59:59.999Z"), at("2026-12-01T00:00:00Z"));
        let left = |reset, allowance| {
            let rules = MeterRules { allowance, reset, ..MeterRules::default() };
            [last, next].map(|now| meter.allowance_left(&rules, now))
        };
        assert_eq!(left(AllowanceReset::Monthly, 5), [3, 5]);
        assert_eq!(left(AllowanceReset::Never, 5), [3, 3]);
        assert_eq!(left(AllowanceReset::Monthly, 1), [0, 1], "an allowance that was lowered below its use");
    }
}
