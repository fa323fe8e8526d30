//! Fault matrix, one file for each scenario.

mod bit_flips;
mod copies;
mod errors;
mod full_disk;
mod histories;
mod kill;
mod overload;
mod power_cut;
pub(crate) mod reopen;
mod requirements;
mod retries;
mod round_trip;
mod server_kill;
mod short_writes;
mod store_copies;
mod torn;

use crate::scenario::Scenario;

/// All scenarios, in the order of the published table.
pub const SCENARIOS: &[Scenario] = &[
    kill::ROW,
    server_kill::ROW,
    retries::ROW,
    power_cut::ROW,
    power_cut::UNSYNCED,
    torn::ROW,
    errors::ROW,
    short_writes::ROW,
    full_disk::ROW,
    bit_flips::ROW,
    overload::ROW,
    histories::ROW,
    copies::ROW,
    store_copies::ROW,
    round_trip::ROW,
    reopen::ROW,
];
