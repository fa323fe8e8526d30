//! Whatever answers metered lookups.

use crate::load::TargetServer;
use anyhow::Result;
use voight_tests::server::TestAccount;

/// A server that is asked, and that can say what it has billed.
pub(crate) trait BillableServer {
    /// Where it is asked.
    fn target(&self) -> TargetServer;
    /// The client that asks, with its key and its context.
    fn account(&self) -> &TestAccount;
    /// Billable lookups so far: the rows that are in its books.
    fn billable(&self) -> Result<u64>;
}
