//! `[allowance]`: the free allowance, and when periods begin.

use super::remark::Diagnostic;
use super::word;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use voight_domain::billing::PriceBook;
use voight_domain::metering::{AllowanceReset, AnchorDay, MeterRules};

/// The free allowance, and when periods begin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Allowance {
    /// Billable lookups of a client that are free.
    pub(crate) lookups: u64,
    /// Whether the allowance starts again with each period.
    #[serde(deserialize_with = "word::deserialize")]
    pub(crate) reset: ResetRule,
    /// The day of the month on which a period begins, 1 to 31; in a shorter month its last day.
    pub(crate) anchor_day: u8,
}

/// When the free allowance starts again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResetRule {
    /// Never: it is for a client's lifetime.
    Never,
    /// With each period.
    Monthly,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { lookups: 1_000, reset: ResetRule::Never, anchor_day: 1 }
    }
}

impl Allowance {
    /// The rules that the domain meters by, with this price book.
    pub(crate) fn rules(&self, book: PriceBook) -> MeterRules {
        let reset = match self.reset {
            ResetRule::Never => AllowanceReset::Never,
            ResetRule::Monthly => AllowanceReset::Monthly,
        };
        // A day that is none was refused when the configuration was loaded.
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
