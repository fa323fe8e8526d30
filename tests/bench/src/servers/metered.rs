//! Servers that answer metered lookups.

use crate::load::TargetServer;
use anyhow::Result;
use voight_tests::server::TestAccount;

/// Server under load that reports the number of billed lookups.
pub(crate) trait BillableServer {
    /// Returns its address for loads.
    fn target(&self) -> TargetServer;
    /// Returns the client of the lookups, with its key and its context.
    fn account(&self) -> &TestAccount;
    /// Returns the number of billable lookups so far, which is the number of rows.
    fn billable(&self) -> Result<u64>;
}
