//! A process that writes to a store and says what was acknowledged.

use super::{Account, Operation, Subject, Written};
use crate::row::Cycle;
use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;

/// What a writer prints once the store is open and the account is there.
const READY: &str = "ready";

/// How a writer is started.
pub struct Launch<'a> {
    cycle: &'a Cycle<'a>,
    store: &'a Path,
    seed: u64,
    threads: usize,
    /// How many operations each thread does; without it, they go on until they are killed.
    pub operations: Option<u64>,
    /// A program with arguments that starts the writer, for example a tracer.
    pub through: Vec<OsString>,
}

impl<'a> Launch<'a> {
    /// A writer on the store at this path, until it is killed.
    pub fn new(cycle: &'a Cycle<'a>, store: &'a Path, seed: u64, threads: usize) -> Self {
        Self { cycle, store, seed, threads, operations: None, through: Vec::new() }
    }

    fn command(&self) -> Command {
        let program = self.cycle.rig.torture.clone().into_os_string();
        let mut words = self.through.iter().cloned().chain([program]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).arg("write").arg(self.store);
        command.args(["--on", self.cycle.subject.as_str(), "--seed", &self.seed.to_string()]);
        command.args(["--threads", &self.threads.to_string()]);
        if let Some(operations) = self.operations {
            command.args(["--operations", &operations.to_string()]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// A writer at work; killed when dropped.
pub struct Writer {
    child: Child,
    output: BufReader<ChildStdout>,
    written: Written,
}

impl Writer {
    /// Starts it.
    pub fn start(launch: &Launch<'_>) -> Result<Self> {
        let mut child = launch.command().spawn().context("the writer does not start")?;
        let output = BufReader::new(child.stdout.take().context("the writer has no output")?);
        Ok(Self { child, output, written: Written { seed: launch.seed, acknowledged: vec![0; launch.threads] } })
    }

    /// Waits until it has opened the store.
    pub fn wait_until_ready(&mut self) -> Result<()> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        if line.trim() == READY { Ok(()) } else { bail!("the writer ended before it was ready: {}", self.complaint()) }
    }

    /// Kills it; returns what it had been told by then.
    pub fn kill(mut self) -> Result<Written> {
        self.child.kill()?;
        self.rest()
    }

    /// Waits for its end; returns what it had been told, how it ended, and its last words.
    pub fn end(mut self) -> Result<(Written, ExitStatus, String)> {
        let written = self.rest()?;
        let complaint = self.complaint();
        Ok((written, self.child.wait()?, complaint))
    }

    /// Reads what is still in the pipe. An acknowledgement counts once it is there, whatever became of the writer since.
    fn rest(&mut self) -> Result<Written> {
        for line in self.output.by_ref().lines() {
            let line = line?;
            if line == READY {
                continue;
            }
            let (thread, number) = line.split_once(' ').with_context(|| format!("the writer said {line:?}"))?;
            let acknowledged =
                self.written.acknowledged.get_mut(thread.parse::<usize>()?).context("a thread too many")?;
            ensure!(*acknowledged == number.parse::<u64>()?, "acknowledgements are out of order");
            *acknowledged += 1;
        }
        Ok(self.written.clone())
    }

    fn complaint(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut errors) = self.child.stderr.take() {
            let _ = errors.read_to_string(&mut text);
        }
        text
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The work of a writer: says `ready`, then for each acknowledged operation its thread and number, as soon as it is known.
pub fn write(subject: Subject, path: &Path, seed: u64, threads: usize, operations: Option<u64>) -> Result<()> {
    let store = subject.open(path)?;
    let account = Arc::new(Account::settle(store.as_ref())?);
    say(format_args!("{READY}"))?;
    thread::scope(|scope| {
        let work = |thread| {
            let (store, account) = (Arc::clone(&store), Arc::clone(&account));
            scope.spawn(move || -> Result<()> {
                for number in 0..operations.unwrap_or(u64::MAX) {
                    Operation::at(&account, seed, thread, number).call(store.as_ref())?;
                    say(format_args!("{thread} {number}"))?;
                }
                Ok(())
            })
        };
        let threads: Vec<_> = (0..threads).map(work).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// A line goes out whole and at once.
fn say(line: std::fmt::Arguments<'_>) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}
