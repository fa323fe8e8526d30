//! Monitor of the server, by its health and by the operating system.

use crate::harness::{AdminClient, eventually, pause};
use crate::scenario::CycleResult;
use crate::time_budget::TimeBudget;
use anyhow::{Context, Result};
use std::fs;
use std::time::Duration;

/// Name of the maximum memory usage.
pub(super) const MEMORY: &str = "MiB of memory";
/// Interval of two measurements, in microseconds.
const PAUSE: u64 = 200_000;
/// Timeout for the server to become ready and to close connections.
const RECOVERY: Duration = Duration::from_secs(20);

/// Monitor of a server.
pub(super) struct ServerMonitor<'a> {
    pid: u32,
    admin: &'a AdminClient<'a>,
    files_at_start: u64,
    result: CycleResult,
    has_been_unready: bool,
}

impl<'a> ServerMonitor<'a> {
    /// Starts monitoring an idle server with this process id.
    pub(super) fn for_process(pid: u32, admin: &'a AdminClient<'a>) -> Result<Self> {
        let files_at_start = files(pid)?;
        Ok(Self {
            pid,
            admin,
            files_at_start,
            result: CycleResult::default(),
            has_been_unready: false,
        })
    }

    /// Monitors for `time`.
    pub(super) fn monitor_for(&mut self, time: Duration) -> Result<()> {
        let budget = TimeBudget::start(Some(time));
        while !budget.is_spent() {
            self.has_been_unready |= !self.is_ready()?;
            self.result.record_maximum("open files", files(self.pid)?);
            pause(PAUSE);
        }
        Ok(())
    }

    /// Returns `true` if the server was unready at least once.
    pub(super) const fn has_been_unready(&self) -> bool {
        self.has_been_unready
    }

    /// Waits until the server is ready and has at most `files_more` additional open files.
    pub(super) fn wait_for_recovery(&self, files_more: u64) -> Result<()> {
        eventually("the service is ready", RECOVERY, || self.is_ready())?;
        eventually("files are closed", RECOVERY, || {
            Ok(files(self.pid)? <= self.files_at_start + files_more)
        })
    }

    /// Returns the measurements.
    pub(super) fn finish(mut self) -> Result<CycleResult> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid))
            .context("the server has exited")?;
        let memory = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .context("no peak memory usage")?;
        let kibibytes: u64 = memory.trim().trim_end_matches(" kB").parse()?;
        self.result.record_maximum(MEMORY, kibibytes >> 10);
        Ok(self.result)
    }

    fn is_ready(&self) -> Result<bool> {
        Ok(self.admin.get("/readyz")?.status == 200)
    }
}

/// Returns the missing requirement if the user may not open `needed` files.
pub(super) fn too_few_files(needed: u64) -> Option<String> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))?;
    let maximum: u64 = line.split_whitespace().next()?.parse().ok()?;
    (maximum < needed)
        .then(|| format!("{needed} open files are required, the limit is {maximum} (ulimit -n)"))
}

/// Returns the number of open files of a process.
fn files(pid: u32) -> Result<u64> {
    Ok(fs::read_dir(format!("/proc/{pid}/fd"))
        .context("the server has exited")?
        .count() as u64)
}
