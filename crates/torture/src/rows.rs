//! The fault matrix, one file for each row.

mod bit_flips;
mod copies;
mod errors;
mod full_disk;
mod full_loop;
mod histories;
mod kill;
mod moves;
mod needs;
mod overload;
mod power_cut;
pub(crate) mod reopen;
mod retries;
mod server_kill;
mod short_writes;
mod torn;

use crate::row::Scenario;

/// Every row, in the order of the published table.
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
    moves::ROW,
    full_loop::ROW,
    reopen::ROW,
];
