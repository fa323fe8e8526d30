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
    kill::SCENARIO,
    server_kill::SCENARIO,
    retries::SCENARIO,
    power_cut::SCENARIO,
    power_cut::UNSYNCED,
    torn::SCENARIO,
    errors::SCENARIO,
    short_writes::SCENARIO,
    full_disk::SCENARIO,
    bit_flips::SCENARIO,
    overload::SCENARIO,
    histories::SCENARIO,
    copies::SCENARIO,
    store_copies::SCENARIO,
    round_trip::SCENARIO,
    reopen::SCENARIO,
];
