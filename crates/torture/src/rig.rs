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

pub use account::Account;
pub use books::Books;
pub use customer::{Customer, lookup, outcome};
pub use cut::Cut;
pub use entries::Entries;
pub use fill::{fill, fill_up_to};
pub use history::{History, Written};
pub use house::House;
pub use journal::{Journal, Outcome, Told, address_of, number_of};
pub use memory_file::{MemoryFile, ShortCall};
pub use operation::{Found, Operation};
pub use operator::Operator;
pub use questions::{Asked, Questions, Reply};
pub use stop::{AtEnd, Stop};
pub use store_image::{Bit, StoreImage};
pub use strace::{Call, Fault, Strace, calls, paths};
pub use subject::Subject;
pub use wire::{Answer, Wire};
pub use work::{Work, write};
pub use writer::{Launch, Writer};

use crate::campaign::Budget;
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// The programs that rows start.
#[derive(Debug, Clone)]
pub struct Rig {
    /// This program, which has a command that writes to a store.
    pub torture: PathBuf,
}

/// Waits so many microseconds.
pub fn pause(micros: u64) {
    thread::sleep(Duration::from_micros(micros));
}

/// Waits until something holds, for so long; an error says what did not come.
pub fn eventually(what: &str, patience: Duration, mut holds: impl FnMut() -> Result<bool>) -> Result<()> {
    let budget = Budget::start(Some(patience));
    while !holds()? {
        if budget.is_spent() {
            bail!("{what}: not after {} seconds", patience.as_secs());
        }
        pause(20_000);
    }
    Ok(())
}

/// A folder in memory where there is such a thing, for rows that need many files and no disk.
pub fn ram_folder() -> std::io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("voight-torture-");
    builder.tempdir_in("/dev/shm").or_else(|_| builder.tempdir())
}
