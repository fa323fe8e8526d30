//! `[allowance]`: free allowance, and the start of billing periods.

use super::diagnostic::Diagnostic;
use super::enum_value;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use voight_domain::billing::PriceBook;
use voight_domain::metering::{AllowanceReset, AnchorDay, MeterRules};

/// Free allowance, and the start of billing periods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Allowance {
    /// Number of free billable lookups of each client.
    pub(crate) lookups: u64,
    /// Rule by which the allowance is renewed.
    #[serde(deserialize_with = "enum_value::deserialize")]
    pub(crate) reset: ResetRule,
    /// Day of the month on which a period begins, 1 to 31; in a shorter month its last day.
    pub(crate) anchor_day: u8,
}

/// Rule by which the free allowance is renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResetRule {
    /// Never renewed: the allowance is for the lifetime of a client.
    Never,
    /// Renewed with each period.
    Monthly,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { lookups: 1_000, reset: ResetRule::Never, anchor_day: 1 }
    }
}

impl Allowance {
    /// Returns the metering rules of the domain, with this price book.
    pub(crate) fn rules(&self, book: PriceBook) -> MeterRules {
        let reset = match self.reset {
            ResetRule::Never => AllowanceReset::Never,
            ResetRule::Monthly => AllowanceReset::Monthly,
        };
        // An invalid day is rejected when the configuration is loaded.
        let anchor = AnchorDay::try_from(self.anchor_day).unwrap_or_default();
        MeterRules { allowance: self.lookups, reset, anchor, price_book: Arc::new(book) }
    }

    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let wrong = |error| {
            let sentence = format!("allowance.anchor_day is {}, but {error}", self.anchor_day);
            Diagnostic::new("allowance.anchor_day", sentence)
        };
        AnchorDay::try_from(self.anchor_day).err().map(wrong).into_iter().collect()
    }
}
