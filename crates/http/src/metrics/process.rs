//! Metrics of the process and of its build, by the names that every Prometheus client uses.

use super::Metrics;
use super::label_sets::{NoLabels, VersionLabels};
use procfs::process::{LimitValue, Process};
use procfs::{ProcResult, boot_time_secs, page_size, ticks_per_second};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// Resource use of this process.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ProcessUse {
    cpu_seconds: f64,
    threads: u64,
    virtual_bytes: u64,
    resident_bytes: u64,
    open_fds: u64,
    /// Limit of open files; the largest number if there is no limit.
    max_fds: u64,
    start_time: f64,
}

impl Metrics {
    /// Sets the gauge of the build.
    pub(super) fn set_build(&self) {
        let labels = VersionLabels {
            version: env!("CARGO_PKG_VERSION"),
        };
        self.families.build.get_or_create(&labels).set(1);
    }

    /// Sets the metrics of the process. They stay absent on a system without `/proc`.
    pub fn set_process(&self) {
        let Ok(process_use) = ProcessUse::read() else {
            return;
        };
        let metrics = &self.families;
        metrics
            .process_cpu
            .get_or_create(&NoLabels {})
            .inner()
            .store(process_use.cpu_seconds.to_bits(), Ordering::Relaxed);
        metrics
            .process_start_time
            .get_or_create(&NoLabels {})
            .set(process_use.start_time);
        for (gauge, value) in [
            (&metrics.process_threads, process_use.threads),
            (&metrics.process_virtual_memory, process_use.virtual_bytes),
            (&metrics.process_resident_memory, process_use.resident_bytes),
            (&metrics.process_open_fds, process_use.open_fds),
            (&metrics.process_max_fds, process_use.max_fds),
        ] {
            gauge.get_or_create(&NoLabels {}).set(value);
        }
    }
}

impl ProcessUse {
    /// Reads the resource use from `/proc/self`.
    fn read() -> ProcResult<Self> {
        let process = Process::myself()?;
        let stat = process.stat()?;
        let max_fds = match process.limits()?.max_open_files.soft_limit {
            LimitValue::Unlimited => u64::MAX,
            LimitValue::Value(limit) => limit,
        };
        Ok(Self {
            cpu_seconds: seconds(stat.utime + stat.stime),
            threads: stat.num_threads.unsigned_abs(),
            virtual_bytes: stat.vsize,
            resident_bytes: stat.rss * page_size(),
            open_fds: process.fd_count()? as u64,
            max_fds,
            start_time: seconds(stat.starttime) + boot_time(),
        })
    }
}

/// Returns the boot time in seconds since 1970-01-01 UTC. It is read once, because its file also lists every interrupt.
fn boot_time() -> f64 {
    static BOOT_TIME: OnceLock<u64> = OnceLock::new();
    #[expect(
        clippy::cast_precision_loss,
        reason = "the seconds since 1970 are exact in a float for a hundred million years"
    )]
    let seconds = *BOOT_TIME.get_or_init(|| boot_time_secs().unwrap_or_default()) as f64;
    seconds
}

#[expect(
    clippy::cast_precision_loss,
    reason = "ticks of 10 ms are exact in a float for a million years"
)]
fn seconds(ticks: u64) -> f64 {
    ticks as f64 / ticks_per_second() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::TextFormat;
    use std::fs::File;
    use std::time::{Duration, UNIX_EPOCH};

    fn value(text: &str, name: &str) -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap().trim().parse().unwrap()
    }

    #[test]
    fn process_metrics_agree_with_the_system() {
        let metrics = Metrics::default();
        assert!(
            !metrics
                .render(TextFormat::Classic)
                .unwrap()
                .contains("process_"),
            "they are absent until they are read"
        );
        metrics.set_process();
        let text = metrics.render(TextFormat::Classic).unwrap();
        let file = tempfile::tempfile().unwrap();
        let now = file.metadata().unwrap().modified().unwrap();
        let start = Duration::from_secs_f64(value(&text, "process_start_time_seconds"));
        let age = now.duration_since(UNIX_EPOCH + start).unwrap_or_default();
        assert!(age < Duration::from_hours(1), "{age:?}");
        assert!(value(&text, "process_threads") >= 1.0);
        assert!(value(&text, "process_max_fds") >= value(&text, "process_open_fds"));
        let resident = value(&text, "process_resident_memory_bytes");
        assert!(resident > 1e6 && value(&text, "process_virtual_memory_bytes") >= resident);
    }

    #[test]
    fn open_files_and_cpu_time_are_counted() {
        let before = ProcessUse::read().unwrap();
        let files: Vec<_> = (0..50).map(|_| File::open("/dev/null").unwrap()).collect();
        let while_open = ProcessUse::read().unwrap();
        assert!(
            while_open.open_fds >= before.open_fds + 30,
            "{while_open:?}"
        );
        drop(files);
        let mut after = ProcessUse::read().unwrap();
        while after.cpu_seconds < before.cpu_seconds + 0.02 {
            after = ProcessUse::read().unwrap();
        }
        assert!(after.cpu_seconds >= while_open.cpu_seconds);
    }

    #[test]
    fn build_info_has_the_version() {
        let text = Metrics::default().render(TextFormat::Classic).unwrap();
        let line = concat!(
            "\nvoight_build_info{version=\"",
            env!("CARGO_PKG_VERSION"),
            "\"} 1\n"
        );
        assert!(text.contains(line), "{text}");
    }
}
