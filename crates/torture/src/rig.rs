//! What rows are built from: processes that write, the record of what they were told, and the machine's faults.

mod account;
mod fill;
mod history;
mod operation;
mod subject;
mod writer;

pub use account::Account;
pub use fill::fill;
pub use history::{History, Written};
pub use operation::{Found, Operation};
pub use subject::Subject;
pub use writer::{Launch, Writer, write};

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
