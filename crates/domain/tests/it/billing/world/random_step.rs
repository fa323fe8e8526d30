//! Random choice of the next step.

use super::BillingSimulation;
use fastrand::Rng;
use std::sync::Arc;
use voight_domain::billing::{Currency, PriceBook, PriceBookParts, PricingMode, Tier, UnitPrice};
use voight_domain::invoicing::CloseScope;
use voight_domain::metering::{AllowanceReset, MeterRules, PeriodStartDay};
use voight_domain::registry::{ClientChange, ClientStatus};
use voight_domain::vocabulary::Timestamp;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

impl BillingSimulation {
    /// Performs one step.
    pub(crate) fn step(&mut self) {
        self.steps += 1;
        match self.random.u8(..100) {
            0..46 => (0..self.random.u8(1..5)).for_each(|_| self.look_up()),
            46..62 => self.pass_time(),
            62..68 => self.limit(),
            68..74 => self.adjust(),
            74..83 => self.close(CloseScope::EndedPeriods),
            83..90 => self.change_invoice(),
            90..94 => self.configure(),
            94..97 => self.rotate(),
            97..99 => self.suspend_or_resume(),
            _ if self.random.u8(..4) == 0 => self.close(CloseScope::IncludingCurrent),
            _ => {}
        }
    }

    /// Closes the client, so that all periods are invoiced.
    pub(crate) fn settle(&mut self) {
        self.close(CloseScope::IncludingCurrent);
    }

    /// Advances the clock by seconds, hours, days or months; occasionally moves it back, as machine clocks are set.
    fn pass_time(&mut self) {
        let forwards = match self.random.u8(..9) {
            0..2 => self.random.i64(0..HOUR),
            2..4 => self.random.i64(0..2 * DAY),
            4..6 => self.random.i64(0..20 * DAY),
            6 => self.random.i64(0..100 * DAY),
            // The lifetime of idempotency records.
            7 => DAY,
            // To the end of a period and the milliseconds next to it, where off-by-one errors occur.
            _ => {
                let end = self
                    .meter
                    .and_then(|meter| meter.period)
                    .map_or(self.now, |period| period.end);
                end.as_millis() - self.now.as_millis() + self.random.i64(-1..=1)
            }
        };
        let is_back = self.random.u8(..6) == 0;
        let time_step = if is_back {
            -forwards.min(40 * DAY)
        } else {
            forwards
        };
        self.now = Timestamp::from_millis(self.now.as_millis() + time_step);
    }

    /// Configures another price book and period start day. Allowance and reset do not change, so that the expected free
    /// lookups stay simple.
    fn configure(&mut self) {
        let MeterRules {
            allowance, reset, ..
        } = self.rules;
        self.rules = MeterRules {
            allowance,
            reset,
            ..rules(&mut self.random)
        };
    }

    fn suspend_or_resume(&mut self) {
        let is_active = self.client.status == ClientStatus::Active;
        let status = if is_active {
            ClientStatus::Suspended
        } else {
            ClientStatus::Active
        };
        self.client = self
            .client
            .clone()
            .with_change(ClientChange::Status(status));
    }
}

/// Returns rules with an allowance and tiers that a history reaches.
pub(crate) fn rules(random: &mut Rng) -> MeterRules {
    let day = if random.bool() { 1 } else { random.u8(1..=31) };
    MeterRules {
        allowance: random.u64(..15),
        reset: if random.bool() {
            AllowanceReset::Never
        } else {
            AllowanceReset::Monthly
        },
        period_start_day: PeriodStartDay::try_from(day).unwrap(),
        price_book: Arc::new(book(random)),
    }
}

/// Returns a price book whose prices are multiples of a tenth of a cent, so that amounts half-way between two cents are
/// frequent.
fn book(random: &mut Rng) -> PriceBook {
    const TENTH_OF_A_CENT: u64 = 1_000_000_000;
    let currency = if random.u8(..5) == 0 {
        "JPY".parse().unwrap()
    } else {
        Currency::USD
    };
    let unit = TENTH_OF_A_CENT * 10_u64.pow(2_u32.saturating_sub(currency.decimal_places()));
    let mode = if random.bool() {
        PricingMode::Graduated
    } else {
        PricingMode::Volume
    };
    let version = random.u32(..);
    let count = random.usize(1..4);
    let mut end = 0;
    let tiers = (1..=count).map(|number| {
        end += random.u64(1..8);
        let unit_price = UnitPrice::from_pico(random.u64(..600) * unit);
        let flat_fee = if random.bool() { random.u64(..300) } else { 0 };
        Tier {
            up_to: (number < count).then_some(end),
            unit_price,
            flat_fee,
        }
    });
    let name = "chance".to_owned();
    let tiers = tiers.collect();
    PriceBook::new(PriceBookParts {
        name,
        version,
        currency,
        mode,
        tiers,
    })
    .unwrap()
}
