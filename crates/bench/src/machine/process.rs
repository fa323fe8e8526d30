//! What the system says of a process.

use anyhow::{Context, Result};
use std::fs;
use std::time::Duration;

/// The time for which the threads of a process have used processors. Unlike `/proc/PID/stat`, which counts ticks of 10 ms, this is exact.
pub(crate) fn cpu_time(process: u32) -> Result<Duration> {
    let threads =
        fs::read_dir(format!("/proc/{process}/task")).with_context(|| format!("process {process} is gone"))?;
    let mut nanos = 0;
    for thread in threads {
        let thread = thread?.path();
        nanos += match fs::read_to_string(thread.join("schedstat")) {
            Ok(times) => first(&times).context("this system keeps no times of threads")?,
            // It has ended since the list was made.
            Err(_) if !thread.exists() => 0,
            Err(error) => return Err(error).context("this system keeps no times of threads"),
        };
    }
    Ok(Duration::from_nanos(nanos))
}

/// The time in the program and in the kernel for it, in nanoseconds. Then come the time that was waited, and how often it was given.
fn first(times: &str) -> Option<u64> {
    times.split_whitespace().next()?.parse().ok()
}

/// The memory of a process that is in use, in MiB.
pub(crate) fn resident_mib(process: u32) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).context("the server is gone")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no memory is listed")?;
    let kibibytes: u32 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(f64::from(kibibytes) / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_is_counted_exactly() {
        let before = cpu_time(std::process::id()).unwrap();
        let sum = (0..1_000_000_u64).fold(0, |sum: u64, number| std::hint::black_box(sum.wrapping_add(number)));
        assert!(sum > 0 && cpu_time(std::process::id()).unwrap() > before);
        assert_eq!(first("123456 7 8\n"), Some(123_456));
        assert_eq!(first(""), None);
    }

    #[test]
    fn nobody_has_the_id_zero() {
        assert!(resident_mib(std::process::id()).unwrap() > 0.0);
        assert!(cpu_time(0).is_err() && resident_mib(0).is_err());
    }
}
