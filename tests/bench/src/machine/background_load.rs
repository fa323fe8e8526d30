//! Measures the CPU time that other processes and other virtual machines use.

use anyhow::{Context, Result};
use procfs::{CpuTime, Current, CurrentSI, KernelStats, LoadAverage};
use std::fmt;
use std::thread;
use std::time::Duration;

/// Duration of the measurement.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum share of the processors for other programs without a warning.
const MAX_CPU_SHARE: f64 = 0.10;
/// Maximum share that the host takes from this machine without a warning.
const MAX_STEAL_SHARE: f64 = 0.02;

/// CPU time of others, measured before the benchmark starts anything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BackgroundLoad {
    /// Share of all processors that programs used.
    work: f64,
    /// Share that the host gave to other machines (steal time).
    stolen: f64,
    /// Load average of the last minute.
    load: f64,
}

impl BackgroundLoad {
    /// Measures for one second.
    pub(crate) fn sample() -> Result<Self> {
        let times_before = Times::read()?;
        thread::sleep(SAMPLE_INTERVAL);
        let [work, stolen] = Times::read()?.elapsed_from(times_before);
        let load = LoadAverage::current().context("the load of this machine cannot be read")?;
        Ok(Self {
            work,
            stolen,
            load: load.one.into(),
        })
    }

    /// Returns `true` if the load distorts measurements.
    pub(crate) fn is_too_high(self) -> bool {
        self.work > MAX_CPU_SHARE || self.stolen > MAX_STEAL_SHARE
    }

    /// Returns the used share of all processors in percent.
    pub(crate) fn percent(self) -> f64 {
        100.0 * (self.work + self.stolen)
    }
}

impl fmt::Display for BackgroundLoad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let work = 100.0 * self.work;
        let stolen = 100.0 * self.stolen;
        write!(
            f,
            "other programs use {work:.0} % of the processors, other machines {stolen:.0} %, and the load is {:.1}",
            self.load
        )
    }
}

/// CPU times since boot, in ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Times {
    all: f64,
    idle: f64,
    stolen: f64,
}

impl Times {
    fn read() -> Result<Self> {
        let stats =
            KernelStats::current().context("the processors of this machine cannot be read")?;
        Ok(Self::parse(&stats.total))
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "ticks of a hundredth of a second, far below 2^53"
    )]
    fn parse(time: &CpuTime) -> Self {
        let CpuTime {
            user,
            nice,
            system,
            idle,
            iowait,
            irq,
            softirq,
            steal,
            ..
        } = time;
        let [waiting, irq, softirq, stolen] =
            [iowait, irq, softirq, steal].map(|ticks| ticks.unwrap_or_default());
        let total = user + nice + system + idle + waiting + irq + softirq + stolen;
        Self {
            all: total as f64,
            idle: (idle + waiting) as f64,
            stolen: stolen as f64,
        }
    }

    /// Returns the shares of work and of steal time since `before`.
    fn elapsed_from(self, before: Self) -> [f64; 2] {
        let total = (self.all - before.all).max(1.0);
        let stolen = self.stolen - before.stolen;
        let work = total - stolen - (self.idle - before.idle);
        [work / total, stolen / total]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_time_between_two_samples() {
        let times_before = Times {
            all: 1000.0,
            idle: 850.0,
            stolen: 0.0,
        };
        let times_after = Times {
            all: 1100.0,
            idle: 910.0,
            stolen: 10.0,
        };
        let [work, stolen] = times_after.elapsed_from(times_before);
        assert!(
            (work - 0.3).abs() < 1e-9 && (stolen - 0.1).abs() < 1e-9,
            "{work} {stolen}"
        );
        let now = Times::read().unwrap();
        assert!(now.all > now.idle && now.idle > 0.0, "{now:?}");
    }

    #[test]
    fn work_and_steal_time_are_background_load() {
        let free = BackgroundLoad {
            work: 0.05,
            stolen: 0.0,
            load: 9.0,
        };
        assert!(!free.is_too_high());
        assert!(BackgroundLoad { work: 0.2, ..free }.is_too_high());
        assert!(
            BackgroundLoad {
                stolen: 0.05,
                ..free
            }
            .is_too_high()
        );
        assert_eq!(
            free.to_string(),
            "other programs use 5 % of the processors, other machines 0 %, and the load is 9.0"
        );
    }
}
