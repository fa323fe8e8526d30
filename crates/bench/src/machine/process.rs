//! What the system says of a process.

use anyhow::{Context, Result};
use rustix::param::clock_ticks_per_second;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time for which the threads of a process have used processors. Unlike `/proc/PID/stat`, which counts ticks of 10 ms, this is exact.
pub(crate) fn cpu_time(process: u32) -> Result<Duration> {
    threads(process)?.iter().map(|thread| cpu_time_of_thread(thread)).sum()
}

/// The same of a process and of all that it has started, and they in turn; exact but for what has ended, which is counted in ticks.
pub(crate) fn cpu_time_with_children(process: u32) -> Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let mut time = cpu_time(process)? + ended(&stat).unwrap_or_default();
    for child in threads(process)?.iter().flat_map(|thread| children(thread)) {
        // One that is gone has ended since the list was made.
        time += cpu_time_with_children(child).unwrap_or_default();
    }
    Ok(time)
}

/// The folders of its threads.
fn threads(process: u32) -> Result<Vec<PathBuf>> {
    let folder = fs::read_dir(format!("/proc/{process}/task")).with_context(|| format!("process {process} is gone"))?;
    Ok(folder.map(|thread| Ok(thread?.path())).collect::<io::Result<_>>()?)
}

fn cpu_time_of_thread(thread: &Path) -> Result<Duration> {
    match fs::read_to_string(thread.join("schedstat")) {
        Ok(times) => first(&times).map(Duration::from_nanos).context("this system keeps no times of threads"),
        // It has ended since the list was made.
        Err(_) if !thread.exists() => Ok(Duration::ZERO),
        Err(error) => Err(error).context("this system keeps no times of threads"),
    }
}

/// The processes that a thread has started and that have not ended.
fn children(thread: &Path) -> Vec<u32> {
    let list = fs::read_to_string(thread.join("children")).unwrap_or_default();
    list.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

/// The time of the children that have ended, in the program and in the kernel for it: the 14th and 15th field behind the name, which
/// may have anything in it.
fn ended(stat: &str) -> Option<Duration> {
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: Vec<u64> = fields.split_whitespace().skip(13).take(2).filter_map(|field| field.parse().ok()).collect();
    let [program, kernel] = ticks[..] else { return None };
    Some(Duration::from_secs(program + kernel) / u32::try_from(clock_ticks_per_second()).ok()?)
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
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn work_takes_time_and_is_counted_exactly() {
        let before = cpu_time(std::process::id()).unwrap();
        let sum = (0..1_000_000_u64).fold(0, |sum: u64, number| std::hint::black_box(sum.wrapping_add(number)));
        assert!(sum > 0 && cpu_time(std::process::id()).unwrap() > before);
        assert_eq!(first("123456 7 8\n"), Some(123_456));
        assert_eq!(first(""), None);
    }

    #[test]
    fn what_a_process_has_started_counts_while_it_runs_and_when_it_has_ended() {
        let spin = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let used = |script: &str| {
            let mut command = Command::new("sh");
            let piped = command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut shell = piped.spawn().unwrap();
            let mut line = String::new();
            BufReader::new(shell.stdout.take().unwrap()).read_line(&mut line).unwrap();
            let used = cpu_time_with_children(shell.id()).unwrap();
            drop(shell.stdin.take());
            shell.wait().unwrap();
            used
        };
        let nothing = used("echo; read line");
        let running = used(&format!("sh -c '{spin}; echo; read line'; true"));
        let gone = used(&format!("sh -c '{spin}'; echo; read line"));
        assert!(running > nothing * 5, "{running:?} {nothing:?}");
        assert!(gone > nothing * 5, "{gone:?} {nothing:?}");
    }

    #[test]
    fn the_time_of_children_is_behind_whatever_name() {
        let tick = Duration::from_secs(1) / u32::try_from(clock_ticks_per_second()).unwrap();
        let stat = "1 (a ) b) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 30 12 20 0 1\n";
        assert_eq!(ended(stat), Some(tick * 42));
        assert_eq!(ended("1 (a) S 0"), None);
    }

    #[test]
    fn nobody_has_the_id_zero() {
        assert!(resident_mib(std::process::id()).unwrap() > 0.0);
        assert!(cpu_time(0).is_err() && resident_mib(0).is_err());
    }
}
