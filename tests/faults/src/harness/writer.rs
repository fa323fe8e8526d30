//! Process that writes to a store and prints acknowledgements.

use super::WrittenOperations;
use crate::scenario::ScenarioCycle;
use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

/// Output of a writer once the store is open and the account exists.
pub(super) const READY: &str = "ready";

/// Configuration of a writer.
pub struct WriterConfig<'a> {
    cycle: &'a ScenarioCycle<'a>,
    store: &'a Path,
    seed: u64,
    threads: usize,
    /// Number of operations of each thread; until killed if `None`.
    pub operations: Option<u64>,
    /// `true` to wait for [`WriterProcess::step`] before opening the store and before each operation.
    pub stepwise: bool,
    /// `true` to try every operation, even after a failed one.
    pub continue_on_error: bool,
    /// Program with arguments that starts the writer, for example a tracer.
    pub wrapper: Vec<OsString>,
}

impl<'a> WriterConfig<'a> {
    /// Configures a writer on the store at this path that runs until it is killed.
    pub fn new(cycle: &'a ScenarioCycle<'a>, store: &'a Path, seed: u64, threads: usize) -> Self {
        Self {
            cycle,
            store,
            seed,
            threads,
            operations: None,
            stepwise: false,
            continue_on_error: false,
            wrapper: Vec::new(),
        }
    }

    fn command(&self) -> Command {
        let program = self.cycle.harness.program.clone().into_os_string();
        let mut words = self.wrapper.iter().cloned().chain([program]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).arg("write").arg(self.store);
        command.args([
            "--backend",
            self.cycle.backend.as_str(),
            "--seed",
            &self.seed.to_string(),
        ]);
        command.args(["--threads", &self.threads.to_string()]);
        if let Some(operations) = self.operations {
            command.args(["--operations", &operations.to_string()]);
        }
        for (flag, is_set) in [
            ("--stepwise", self.stepwise),
            ("--continue-on-error", self.continue_on_error),
        ] {
            command.args(is_set.then_some(flag));
        }
        command
            .stdin(if self.stepwise {
                Stdio::piped()
            } else {
                Stdio::null()
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

/// Running writer; killed when dropped.
pub struct WriterProcess {
    child: Child,
    output: BufReader<ChildStdout>,
    written: WrittenOperations,
}

impl WriterProcess {
    /// Starts the writer.
    pub fn start(config: &WriterConfig<'_>) -> Result<Self> {
        let mut child = config
            .command()
            .spawn()
            .context("the writer does not start")?;
        let output = BufReader::new(child.stdout.take().context("the writer has no output")?);
        Ok(Self {
            child,
            output,
            written: WrittenOperations {
                seed: config.seed,
                acknowledged: vec![0; config.threads],
            },
        })
    }

    /// Waits until the writer has opened the store.
    pub fn wait_until_ready(&mut self) -> Result<()> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        if line.trim() == READY {
            Ok(())
        } else {
            bail!(
                "the writer ended before it was ready: {}",
                self.stderr_tail()
            )
        }
    }

    /// Starts one step, and waits for its completion.
    pub fn step(&mut self) -> Result<()> {
        self.child
            .stdin
            .as_mut()
            .context("the writer does not wait for steps")?
            .write_all(b"\n")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        if line.is_empty() {
            bail!("the writer ended: {}", self.stderr_tail());
        }
        self.note(line.trim_end())
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills the writer; returns the operations that were acknowledged until then.
    pub fn kill(mut self) -> Result<WrittenOperations> {
        self.child.kill()?;
        self.write_remaining()
    }

    /// Waits for the end; returns the acknowledged operations, the exit status and the end of its stderr.
    pub fn end(mut self) -> Result<(WrittenOperations, ExitStatus, String)> {
        drop(self.child.stdin.take());
        let operations = self.write_remaining()?;
        let stderr = self.stderr_tail();
        Ok((operations, self.child.wait()?, stderr))
    }

    /// Reads the rest of the pipe. An acknowledgement in it counts, even if the writer was killed since.
    fn write_remaining(&mut self) -> Result<WrittenOperations> {
        let lines: Vec<_> = self.output.by_ref().lines().collect::<Result<_, _>>()?;
        lines.iter().try_for_each(|line| self.note(line))?;
        Ok(self.written.clone())
    }

    fn note(&mut self, line: &str) -> Result<()> {
        if line == READY {
            return Ok(());
        }
        let (thread, number) = line
            .split_once(' ')
            .with_context(|| format!("unexpected output of the writer: {line:?}"))?;
        let next_number = self
            .written
            .acknowledged
            .get_mut(thread.parse::<usize>()?)
            .context("unknown thread")?;
        ensure!(
            *next_number == number.parse::<u64>()?,
            "acknowledgements are out of order"
        );
        *next_number += 1;
        Ok(())
    }

    fn stderr_tail(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut errors) = self.child.stderr.take() {
            let _ = errors.read_to_string(&mut text);
        }
        text
    }
}

impl Drop for WriterProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
