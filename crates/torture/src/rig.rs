//! What rows are built from: processes that write, the record of what they were told, and the machine's faults.

mod account;
mod books;
mod customer;
mod cut;
mod entries;
mod fill;
mod history;
mod house;
mod journal;
mod memory_file;
mod operation;
mod operator;
mod questions;
mod stop;
mod store_image;
mod strace;
mod subject;
mod wire;
mod work;
mod writer;

pub use account::TestAccount;
pub use books::VerifiedLedger;
pub use customer::{ApiClient, lookup, outcome};
pub use cut::PowerCut;
pub use entries::ExpectedEntries;
pub use fill::{fill, fill_up_to};
pub use history::{WriteHistory, WrittenOperations};
pub use house::ServerUnderTest;
pub use journal::{AnsweredLookup, LookupResult, RequestLog, address_of, lookup_number};
pub use memory_file::{InjectedIoFault, MemoryFile};
pub use operation::{Operation, StoredState};
pub use operator::AdminClient;
pub use questions::{QueryResult, Reply, StoreQueries};
pub use stop::{StopFlag, StopGuard};
pub use store_image::{BitLocation, StoreImage};
pub use strace::{Strace, Syscall, SyscallFault, calls, paths};
pub use subject::Backend;
pub use wire::{HttpConnection, HttpResponse};
pub use work::{Workload, write};
pub use writer::{WriterConfig, WriterProcess};

use crate::campaign::TimeBudget;
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// The programs that rows start.
#[derive(Debug, Clone)]
pub struct Harness {
    /// This program, which has a command that writes to a store.
    pub torture: PathBuf,
}

/// Waits so many microseconds.
pub fn pause(micros: u64) {
    thread::sleep(Duration::from_micros(micros));
}

/// Waits until something holds, for so long; an error says what did not come.
pub fn eventually(what: &str, patience: Duration, mut holds: impl FnMut() -> Result<bool>) -> Result<()> {
    let budget = TimeBudget::start(Some(patience));
    while !holds()? {
        if budget.is_spent() {
            bail!("{what}: not after {} seconds", patience.as_secs());
        }
        pause(20_000);
    }
    Ok(())
}

/// A folder in memory where there is such a thing, for rows that need many files and no disk.
pub fn tmpfs_dir() -> std::io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("voight-torture-");
    builder.tempdir_in("/dev/shm").or_else(|_| builder.tempdir())
}
