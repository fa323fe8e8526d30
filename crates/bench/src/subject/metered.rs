//! Whatever answers metered lookups.

use crate::load::Target;
use anyhow::Result;
use voight_tests::server::Account;

/// A server that is asked, and that can say what it has billed.
pub(crate) trait Metered {
    /// Where it is asked.
    fn target(&self) -> Target;
    /// The client that asks, with its key and its context.
    fn account(&self) -> &Account;
    /// Billable lookups so far: the rows that are in its books.
    fn billable(&self) -> Result<u64>;
}
