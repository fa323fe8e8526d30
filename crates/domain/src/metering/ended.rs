//! Periods that have ended.

use super::{ChainHead, Period};
use crate::billing::PriceBookDigest;

/// A period that a marker has ended: what an invoice is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedPeriod {
    /// The period.
    pub period: Period,
    /// The sequence number of its first row.
    pub first_seq: u64,
    /// The sequence number of the marker that ends it.
    pub last_seq: u64,
    /// The chain's head after the marker.
    pub head: ChainHead,
    /// Lookups in it.
    pub billable: u64,
    /// Those beyond the free allowance.
    pub charged: u64,
    /// The price book that it is billed by; `None` if it began before price books were kept.
    pub book: Option<PriceBookDigest>,
    /// The number of the invoice that it is on; `None` before it is issued, and after it is voided.
    pub invoice: Option<u32>,
    /// The number of the last voided invoice that it was on.
    pub last_voided_invoice: Option<u32>,
}
