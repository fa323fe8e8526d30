//! Ended periods.

use super::{ChainHead, Period};
use crate::billing::PriceBookDigest;

/// Period that a marker has ended, the basis of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedPeriod {
    /// The period.
    pub period: Period,
    /// The sequence number of the first row.
    pub first_seq: u64,
    /// The sequence number of the marker that ends it.
    pub last_seq: u64,
    /// The chain head after the marker.
    pub head: ChainHead,
    /// Billable lookups of the period.
    pub billable: u64,
    /// Lookups beyond the free allowance.
    pub charged: u64,
    /// The price book that bills the period.
    pub book: PriceBookDigest,
    /// The number of the period's invoice; `None` before it is issued, and after it is voided.
    pub invoice: Option<u32>,
    /// The number of the last voided invoice of the period.
    pub last_voided_invoice: Option<u32>,
}
