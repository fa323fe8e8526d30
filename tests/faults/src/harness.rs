//! Harness of the fault scenarios: writer processes, the request log and fault injection.

mod account;
mod admin_client;
mod api_client;
mod backend;
mod entries;
mod fill;
mod history;
mod ledger;
mod memory_file;
mod numbered_lookup;
mod operation;
mod power_cut;
mod queries;
mod request_log;
mod server_under_test;
mod stop;
mod store_image;
mod strace;
mod wire;
mod workload;
mod writer;

pub use account::TestAccount;
pub use admin_client::AdminClient;
pub use api_client::{ApiClient, lookup, outcome};
pub use backend::Backend;
pub use entries::ExpectedEntries;
pub use fill::{fill, fill_up_to};
pub use history::{WriteHistory, WrittenOperations};
pub use ledger::VerifiedLedger;
pub use memory_file::{InjectedIoFault, MemoryFile};
pub use numbered_lookup::{AnsweredLookup, LookupResult, address_of, lookup_number};
pub use operation::{Operation, StoredState};
pub use power_cut::PowerCut;
pub use queries::{QueryResult, Reply, StoreQueries};
pub use request_log::RequestLog;
pub use server_under_test::ServerUnderTest;
pub use stop::{StopFlag, StopGuard};
pub use store_image::{BitLocation, StoreImage};
pub use strace::{Strace, Syscall, SyscallFault, calls, paths};
pub use wire::{HttpConnection, HttpResponse};
pub use workload::{Workload, write};
pub use writer::{WriterConfig, WriterProcess};

use crate::time_budget::TimeBudget;
use anyhow::{Result, bail};
use fastrand::Rng;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// Programs that scenarios start.
#[derive(Debug, Clone)]
pub struct Harness {
    /// Path of the fault injection program, whose subcommands write to a store.
    pub program: PathBuf,
}

/// Sleeps for `micros` microseconds.
pub fn pause(micros: u64) {
    thread::sleep(Duration::from_micros(micros));
}

/// Waits until `condition` returns `true`. The error after the timeout contains `what`.
pub fn eventually(
    what: &str,
    timeout: Duration,
    mut condition: impl FnMut() -> Result<bool>,
) -> Result<()> {
    let budget = TimeBudget::start(Some(timeout));
    while !condition()? {
        if budget.is_spent() {
            bail!("timeout: {what}, not after {} seconds", timeout.as_secs());
        }
        pause(20_000);
    }
    Ok(())
}

/// Returns a random time until a fault, in microseconds, of at most `milliseconds`.
///
/// One in ten is up to ten times as long, because a busy disk acknowledges no operation in a short time.
pub fn time_until_fault(random: &mut Rng, milliseconds: u64) -> u64 {
    let factor = if random.u8(..10) == 0 { 10 } else { 1 };
    random.u64(..milliseconds * 1000 * factor)
}

/// Returns a temporary directory in memory if possible, for scenarios that need many files and no disk.
pub fn tmpfs_dir() -> std::io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("voight-faults-");
    builder
        .tempdir_in("/dev/shm")
        .or_else(|_| builder.tempdir())
}
