//! Failing system calls, injected with `strace`.

use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Attempts to see `strace` attached to a process.
const ATTACH_ATTEMPTS: u32 = 2000;
const PAUSE: Duration = Duration::from_millis(5);

/// Calls whose result is ignored: the kernel closes a file in any case.
const IGNORED_SYSCALLS: [&str; 1] = ["close"];

/// `strace`, attached to a process.
pub struct Strace {
    child: Child,
    log: PathBuf,
}

/// Failing system call.
#[derive(Debug, Clone)]
pub struct SyscallFault {
    /// Name of the call, for example `fdatasync`.
    pub call: String,
    /// Error, for example `EIO`.
    pub error: &'static str,
    /// Index of the call within its thread.
    pub nth: u64,
    /// `true` if all later calls fail as well.
    pub permanent: bool,
}

impl fmt::Display for SyscallFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            call,
            error,
            nth,
            permanent,
        } = self;
        write!(
            f,
            "{error} at {call} {nth}{}",
            if *permanent {
                " and all later calls"
            } else {
                ""
            }
        )
    }
}

/// System call, with the maximum number of calls by one thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Syscall {
    /// Name of the call, for example `fdatasync`.
    pub name: String,
    /// Maximum number of calls by one thread.
    pub times: u64,
}

impl Strace {
    /// Attaches to all current and future threads of a process, and records its calls on files.
    pub fn record(process: u32, log: &Path) -> Result<Self> {
        Self::attach(
            process,
            log,
            &["-y", "-e", "trace=%file,%desc"].map(Into::into),
        )
    }

    /// Attaches to a process and fails a call on one of these paths.
    ///
    /// The `nth` call of each thread fails, and all later ones if the fault is `permanent`.
    pub fn inject(
        process: u32,
        log: &Path,
        paths: &BTreeSet<String>,
        fault: &SyscallFault,
    ) -> Result<Self> {
        let SyscallFault {
            call,
            error,
            nth,
            permanent,
        } = fault;
        let suffix = if *permanent { "+" } else { "" };
        let mut arguments = vec!["-e".into(), format!("trace={call}"), "-e".into()];
        arguments.push(format!("inject={call}:error={error}:when={nth}{suffix}"));
        arguments.extend(paths.iter().flat_map(|path| ["-P".into(), path.clone()]));
        Self::attach(process, log, &arguments)
    }

    fn attach(process: u32, log: &Path, arguments: &[String]) -> Result<Self> {
        let mut command = Command::new("strace");
        command
            .args([
                "-f",
                "-qq",
                "-e",
                "signal=none",
                "-p",
                &process.to_string(),
                "-o",
            ])
            .arg(log)
            .args(arguments);
        let child = command
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("strace does not start")?;
        let strace = Self {
            child,
            log: log.to_owned(),
        };
        for _ in 0..ATTACH_ATTEMPTS {
            if is_traced(process)? {
                return Ok(strace);
            }
            thread::sleep(PAUSE);
        }
        bail!("strace did not attach to the process")
    }

    /// Returns the log so far.
    pub fn log(&self) -> Result<String> {
        Ok(fs::read_to_string(&self.log)?)
    }

    /// Waits until the process ends. Returns `true` if a call failed.
    pub fn end(mut self) -> Result<bool> {
        self.child.wait()?;
        Ok(self.log()?.contains("(INJECTED)"))
    }
}

impl Drop for Strace {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns `true` if `strace` is attached to every thread of a process.
fn is_traced(process: u32) -> Result<bool> {
    for task in fs::read_dir(format!("/proc/{process}/task"))? {
        let status = match fs::read_to_string(task?.path().join("status")) {
            // The thread has ended since it was listed.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            status => status?,
        };
        if status.lines().any(|line| line == "TracerPid:\t0") {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the calls on files in `dir`, by name, from a log of [`Strace::record`].
pub fn calls(log: &str, dir: &Path) -> Vec<Syscall> {
    let dir = dir.to_string_lossy();
    let mut by_thread = BTreeMap::<_, u64>::new();
    for line in log.lines().filter(|line| line.contains(&*dir)) {
        // For example `4711 openat(AT_FDCWD, "/folder/file", …) = 3</folder/file>`.
        if let Some((thread, call)) = line.split_once(' ')
            && let Some((name, _)) = call.trim_start().split_once('(')
            && !IGNORED_SYSCALLS.contains(&name)
        {
            *by_thread.entry((name, thread)).or_default() += 1;
        }
    }
    let mut calls = BTreeMap::<_, u64>::new();
    for ((name, _), times) in by_thread {
        let maximum = calls.entry(name).or_default();
        *maximum = times.max(*maximum);
    }
    calls
        .into_iter()
        .map(|(name, times)| Syscall {
            name: name.to_owned(),
            times,
        })
        .collect()
}

/// Returns the paths in `dir` in a log of [`Strace::record`], and the directory itself.
pub fn paths(log: &str, dir: &Path) -> BTreeSet<String> {
    let dir = dir.to_string_lossy();
    let starts = log
        .match_indices(&*dir)
        .filter_map(|(start, _)| log.get(start..));
    starts
        .filter_map(|text| text.split(['"', '>', '\n']).next())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = concat!(
        "12 openat(AT_FDCWD</>, \"/tmp/a/store\", O_RDWR) = 3</tmp/a/store>\n",
        "12 openat(AT_FDCWD</>, \"/etc/passwd\", O_RDONLY) = 4</etc/passwd>\n",
        "13 fdatasync(3</tmp/a/store> <unfinished ...>\n",
        "12 fsync(5</tmp/a>) = 0\n",
        "13 <... fdatasync resumed>) = 0\n",
        "13 fdatasync(3</tmp/a/store>) = 0\n",
        "14 fdatasync(3</tmp/a/store>) = 0\n",
        "14 close(3</tmp/a/store>) = 0\n",
    );

    #[test]
    fn calls_are_counted_by_thread() {
        let actual = calls(LOG, Path::new("/tmp/a"));
        let actual: Vec<_> = actual
            .iter()
            .map(|call| (call.name.as_str(), call.times))
            .collect();
        assert_eq!(actual, [("fdatasync", 2), ("fsync", 1), ("openat", 1)]);
    }

    #[test]
    fn paths_include_the_directory_and_its_files() {
        let actual: Vec<_> = paths(LOG, Path::new("/tmp/a")).into_iter().collect();
        assert_eq!(actual, ["/tmp/a", "/tmp/a/store"]);
    }
}
