//! What the system says of a process.

use anyhow::{Context, Result};
use std::fs;
use std::time::Duration;

/// Where the times are in `/proc/PID/stat`, counted from the one after the name: in the program, and in the kernel for it.
const TIMES: [usize; 2] = [11, 12];

/// The time for which a process has used processors, in steps of the system's clock (usually 10 ms).
pub(crate) fn cpu_time(process: u32) -> Result<Duration> {
    let gone = || format!("process {process} is gone");
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).with_context(gone)?;
    let ticks = ticks(&stat).with_context(gone)?;
    Ok(Duration::from_millis(ticks.saturating_mul(1000) / rustix::param::clock_ticks_per_second().max(1)))
}

/// The name of a program may have spaces and brackets in it, so fields are counted from the last bracket on.
fn ticks(stat: &str) -> Option<u64> {
    let (_, after) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = after.split(' ').collect();
    TIMES.iter().map(|place| fields.get(*place)?.parse::<u64>().ok()).sum()
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
    fn a_name_with_brackets_does_not_move_the_fields() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 30 12 0 0 20 0 4 0 100 0 0";
        assert_eq!(ticks(stat), Some(42));
        assert_eq!(ticks("7 (a"), None);
    }

    #[test]
    fn this_process_uses_memory_and_nobody_has_the_id_zero() {
        assert!(resident_mib(std::process::id()).unwrap() > 0.0);
        assert!(cpu_time(std::process::id()).is_ok());
        assert!(cpu_time(0).is_err());
    }
}
