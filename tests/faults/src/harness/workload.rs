//! Workload of a process that writes to a store.

use super::writer::READY;
use super::{Backend, Operation, TestAccount};
use anyhow::Result;
use std::io::Write;
use std::path::Path;
use std::process;
use std::thread;
use std::time::Duration;
use voight_domain::ports::Store;

/// Maximum lifetime of a stepwise writer, because its parent would wait forever.
const STEP_TIMEOUT: Duration = Duration::from_mins(1);

/// Workload on a store.
#[derive(Debug, Clone, Copy)]
pub struct Workload {
    /// Seed of the operations.
    pub seed: u64,
    /// Number of concurrent threads.
    pub threads: usize,
    /// Number of operations of each thread; unlimited if `None`.
    pub operations: Option<u64>,
    /// `true` to wait for a line of standard input before each step, until its end.
    pub stepwise: bool,
    /// `true` to continue after a failed operation.
    pub continue_on_error: bool,
}

/// Opens the store, prints `ready`, then the thread and number of each operation once it is acknowledged.
///
/// # Errors
///
/// The error of the first operation that failed.
pub fn write(backend: Backend, path: &Path, work: Workload) -> Result<()> {
    if work.stepwise {
        exit_after_timeout();
    }
    work.wait()?;
    let store = backend.open(path)?;
    let account = TestAccount::find_or_create(store.as_ref())?;
    print_line(format_args!("{READY}"))?;
    let outcome = work.all_threads(store.as_ref(), &account);
    // Closing the store is a step.
    work.wait()?;
    drop(store);
    outcome
}

impl Workload {
    fn all_threads(self, store: &dyn Store, account: &TestAccount) -> Result<()> {
        thread::scope(|scope| {
            let start = |thread| scope.spawn(move || self.thread(thread, store, account));
            let threads: Vec<_> = (0..self.threads).map(start).collect();
            threads.into_iter().try_for_each(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }

    fn thread(self, thread: usize, store: &dyn Store, account: &TestAccount) -> Result<()> {
        let mut outcome = Ok(());
        for number in 0..self.operations.unwrap_or(u64::MAX) {
            self.wait()?;
            match Operation::derive(account, self.seed, thread, number).call(store) {
                Ok(()) => print_line(format_args!("{thread} {number}"))?,
                Err(error) if self.continue_on_error => outcome = outcome.and(Err(error)),
                Err(error) => return Err(error),
            }
        }
        outcome
    }

    fn wait(self) -> Result<()> {
        if self.stepwise {
            std::io::stdin().read_line(&mut String::new())?;
        }
        Ok(())
    }
}

fn exit_after_timeout() {
    thread::spawn(|| {
        thread::sleep(STEP_TIMEOUT);
        let _ = writeln!(std::io::stderr(), "not finished after {STEP_TIMEOUT:?}");
        process::exit(1);
    });
}

/// Prints a line and flushes it.
fn print_line(line: std::fmt::Arguments<'_>) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}
