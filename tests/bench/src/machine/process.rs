//! CPU time and memory of a process.

use anyhow::{Context, Result};
use procfs::process::{Process, Stat, Task};
use procfs::ticks_per_second;
use std::time::Duration;

/// Returns the CPU time of all threads of a process. In contrast to `/proc/PID/stat`, which counts ticks of 10 ms, it is exact.
pub(crate) fn cpu_time(process: u32) -> Result<Duration> {
    threads(process)?.iter().map(cpu_time_of_thread).sum()
}

/// Returns the CPU time of a process and its descendants. It is exact except for ended processes, which are counted in ticks.
pub(crate) fn cpu_time_with_children(process: u32) -> Result<Duration> {
    let mut time = cpu_time(process)?
        + open(process)?
            .stat()
            .map(|stat| ended(&stat))
            .unwrap_or_default();
    for child in threads(process)?
        .iter()
        .flat_map(|thread| thread.children().unwrap_or_default())
    {
        // A missing process has ended since the list was read.
        time += cpu_time_with_children(child).unwrap_or_default();
    }
    Ok(time)
}

fn open(process: u32) -> Result<Process> {
    Process::new(i32::try_from(process)?)
        .with_context(|| format!("process {process} does not exist"))
}

fn threads(process: u32) -> Result<Vec<Task>> {
    // A thread that cannot be opened has ended since the list was read.
    Ok(open(process)?.tasks()?.flatten().collect())
}

fn cpu_time_of_thread(thread: &Task) -> Result<Duration> {
    match thread.schedstat() {
        Ok(times) => Ok(Duration::from_nanos(times.sum_exec_runtime)),
        // The thread has ended since the list was read.
        Err(_) if thread.stat().is_err() => Ok(Duration::ZERO),
        Err(error) => Err(error).context("this system has no CPU times of threads"),
    }
}

/// Returns the user and system time of the ended children.
fn ended(stat: &Stat) -> Duration {
    let ticks = u64::try_from(stat.cutime + stat.cstime).unwrap_or_default();
    Duration::from_secs(ticks) / u32::try_from(ticks_per_second()).unwrap_or(100)
}

/// Returns the resident memory of a process in MiB.
pub(crate) fn resident_mib(process: u32) -> Result<f64> {
    let kibibytes = open(process)?
        .status()?
        .vmrss
        .context("no memory is listed")?;
    Ok(f64::from(u32::try_from(kibibytes)?) / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn the_cpu_time_of_work_is_exact() {
        let time_before = cpu_time(std::process::id()).unwrap();
        let sum = (0..1_000_000_u64).fold(0, |sum: u64, number| {
            std::hint::black_box(sum.wrapping_add(number))
        });
        assert!(sum > 0 && cpu_time(std::process::id()).unwrap() > time_before);
    }

    #[test]
    fn running_and_ended_children_are_counted() {
        let spin = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let measure_script = |script: &str| {
            let mut command = Command::new("sh");
            let command = command
                .args(["-c", script])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped());
            let mut shell = command.spawn().unwrap();
            let mut line = String::new();
            BufReader::new(shell.stdout.take().unwrap())
                .read_line(&mut line)
                .unwrap();
            let cpu_time = cpu_time_with_children(shell.id()).unwrap();
            drop(shell.stdin.take());
            shell.wait().unwrap();
            cpu_time
        };
        let nothing = measure_script("echo; read line");
        let running = measure_script(&format!("sh -c '{spin}; echo; read line'; true"));
        let ended_child = measure_script(&format!("sh -c '{spin}'; echo; read line"));
        assert!(running > nothing * 5, "{running:?} {nothing:?}");
        assert!(ended_child > nothing * 5, "{ended_child:?} {nothing:?}");
    }

    #[test]
    fn process_id_zero_is_an_error() {
        assert!(resident_mib(std::process::id()).unwrap() > 0.0);
        assert!(cpu_time(0).is_err() && resident_mib(0).is_err());
    }
}
