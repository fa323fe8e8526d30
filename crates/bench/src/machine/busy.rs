//! Who else is at work.

use anyhow::{Context, Result};
use std::fmt;
use std::fs;
use std::thread;
use std::time::Duration;

/// How long to look.
const LOOK: Duration = Duration::from_secs(1);
/// What others may take of the processors before figures suffer, and what the host may take from the machine.
const WORK: f64 = 0.10;
const STOLEN: f64 = 0.02;

/// What others use of the machine, looked at before anything of ours runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Neighbours {
    /// The share of all processors that programs used.
    work: f64,
    /// The share that the host gave to other machines.
    stolen: f64,
    /// Programs that wanted a processor, on average of the last minute.
    load: f64,
}

impl Neighbours {
    /// Looks for a second.
    pub(crate) fn look() -> Result<Self> {
        let before = Times::read()?;
        thread::sleep(LOOK);
        let [work, stolen] = Times::read()?.since(before);
        let load = fs::read_to_string("/proc/loadavg").context("the load of this machine cannot be read")?;
        let load = load.split(' ').next().unwrap_or_default().parse().context("the load is no number")?;
        Ok(Self { work, stolen, load })
    }

    /// Whether figures suffer.
    pub(crate) fn are_in_the_way(self) -> bool {
        self.work > WORK || self.stolen > STOLEN
    }

    /// The share of all processors that was not free, in percent.
    pub(crate) fn percent(self) -> f64 {
        100.0 * (self.work + self.stolen)
    }
}

impl fmt::Display for Neighbours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (work, stolen) = (100.0 * self.work, 100.0 * self.stolen);
        write!(
            f,
            "other programs use {work:.0} % of the processors, other machines {stolen:.0} %, and the load is {:.1}",
            self.load
        )
    }
}

/// What the processors did since the machine started, in ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Times {
    all: f64,
    idle: f64,
    stolen: f64,
}

impl Times {
    fn read() -> Result<Self> {
        let stat = fs::read_to_string("/proc/stat").context("the processors of this machine cannot be read")?;
        Self::of(&stat).context("/proc/stat has no line for all processors")
    }

    /// The first line: user, nice, system, idle, waiting for disks, interrupts of two kinds, stolen.
    fn of(stat: &str) -> Option<Self> {
        let fields = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace();
        let ticks = fields.take(8).map(|field| field.parse().ok()).collect::<Option<Vec<f64>>>()?;
        let [.., idle, waiting, _, _, stolen] = ticks[..] else { return None };
        Some(Self { all: ticks.iter().sum(), idle: idle + waiting, stolen })
    }

    /// The shares of work and of what was stolen since then.
    fn since(self, before: Self) -> [f64; 2] {
        let all = (self.all - before.all).max(1.0);
        let stolen = self.stolen - before.stolen;
        let work = all - stolen - (self.idle - before.idle);
        [work / all, stolen / all]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_time_between_two_looks() {
        let before = Times::of("cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 1\n").unwrap();
        let after = Times::of("cpu  120 0 60 850 60 0 0 10 0 0\n").unwrap();
        let [work, stolen] = after.since(before);
        assert!((work - 0.3).abs() < 1e-9 && (stolen - 0.1).abs() < 1e-9, "{work} {stolen}");
        assert_eq!(Times::of("cpu 1 2 3"), None);
    }

    #[test]
    fn a_machine_is_busy_by_work_or_by_what_is_stolen() {
        let free = Neighbours { work: 0.05, stolen: 0.0, load: 9.0 };
        assert!(!free.are_in_the_way());
        assert!(Neighbours { work: 0.2, ..free }.are_in_the_way());
        assert!(Neighbours { stolen: 0.05, ..free }.are_in_the_way());
        assert_eq!(
            free.to_string(),
            "other programs use 5 % of the processors, other machines 0 %, and the load is 9.0"
        );
    }
}
