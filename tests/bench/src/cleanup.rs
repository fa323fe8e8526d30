//! Removal of processes and directories of this program, at its end and at Ctrl-C.

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tempfile::Builder;
use tokio::signal::unix::{SignalKind, signal};

/// Exit code of a program that was ended by Ctrl-C, by the convention of shells.
const INTERRUPTED: i32 = 130;
/// Number of attempts to remove a directory: a killed process may still write briefly.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// Processes and directories of this program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cleanup(Arc<Mutex<Made>>);

#[derive(Debug, Default)]
struct Made {
    /// Process ids, each with the signal that ends the process.
    processes: Vec<(u32, Signal)>,
    dirs: Vec<PathBuf>,
}

/// Temporary directory; removed on drop.
#[derive(Debug)]
pub(crate) struct ScratchDir {
    path: PathBuf,
    cleanup: Cleanup,
}

/// Registered process. Its owner ends it before this is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    /// Process id.
    pub(crate) id: u32,
    cleanup: Cleanup,
}

impl Cleanup {
    /// Cleans up and exits at SIGINT or SIGTERM.
    pub(crate) fn at_signals(&self) -> Result<()> {
        let cleanup = self.clone();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        let (mut interrupt, mut terminate) = {
            let _inside = runtime.enter();
            (
                signal(SignalKind::interrupt())?,
                signal(SignalKind::terminate())?,
            )
        };
        thread::spawn(move || {
            runtime.block_on(async {
                tokio::select! { _ = interrupt.recv() => {} _ = terminate.recv() => {} }
            });
            cleanup.stop();
        });
        Ok(())
    }

    /// Cleans up and exits. The lock is held until the exit, so that nothing can be registered afterwards.
    fn stop(&self) {
        let mut resources = self.made();
        resources.take_away();
        std::process::exit(INTERRUPTED);
    }

    /// Creates a temporary directory in `parent`.
    pub(crate) fn dir(&self, parent: &Path) -> Result<ScratchDir> {
        let mut resources = self.made();
        let dir = Builder::new().prefix("voight-bench-").tempdir_in(parent);
        let path = dir
            .with_context(|| format!("cannot create a directory in {}", parent.display()))?
            .keep();
        resources.dirs.push(path.clone());
        Ok(ScratchDir {
            path,
            cleanup: self.clone(),
        })
    }

    /// Registers a started process.
    pub(crate) fn process(&self, id: u32) -> Process {
        self.made().processes.push((id, Signal::KILL));
        Process {
            id,
            cleanup: self.clone(),
        }
    }

    /// Starts a process that `signal` ends, and registers it. A cleanup waits until it is registered.
    pub(crate) fn start<T>(
        &self,
        start: impl FnOnce() -> Result<T>,
        id: impl FnOnce(&T) -> u32,
        signal: Signal,
    ) -> Result<(T, Process)> {
        let mut resources = self.made();
        let process = start()?;
        let id = id(&process);
        resources.processes.push((id, signal));
        Ok((
            process,
            Process {
                id,
                cleanup: self.clone(),
            },
        ))
    }

    /// Returns `true` if nothing is registered.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        let resources = self.made();
        resources.processes.is_empty() && resources.dirs.is_empty()
    }

    fn made(&self) -> MutexGuard<'_, Made> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Made {
    fn take_away(&mut self) {
        for (id, signal) in self.processes.drain(..) {
            if let Some(process) = i32::try_from(id).ok().and_then(Pid::from_raw) {
                let _ = kill_process(process, signal);
            }
        }
        for dir in self.dirs.drain(..) {
            remove(&dir);
        }
    }
}

fn remove(dir: &Path) {
    for _ in 0..TRIES {
        let _ = fs::remove_dir_all(dir);
        if !dir.exists() {
            return;
        }
        thread::sleep(PAUSE);
    }
}

impl ScratchDir {
    /// Returns the path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        remove(&self.path);
        self.cleanup.made().dirs.retain(|path| *path != self.path);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.cleanup
            .made()
            .processes
            .retain(|(id, _)| *id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, Command};

    #[test]
    fn cleanup_removes_processes_and_directories() {
        let parent = tempfile::tempdir().unwrap();
        let cleanup = Cleanup::default();
        let dir = cleanup.dir(parent.path()).unwrap();
        fs::write(dir.path().join("a"), "b").unwrap();
        let sleep = || Ok(Command::new("sleep").arg("60").spawn()?);
        let mut killed_child = sleep().unwrap();
        let (mut terminated, other) = cleanup.start(sleep, Child::id, Signal::QUIT).unwrap();
        let processes = (cleanup.process(killed_child.id()), other);
        cleanup.made().take_away();
        assert_eq!(killed_child.wait().unwrap().signal(), Some(9));
        assert_eq!(terminated.wait().unwrap().signal(), Some(3));
        assert!(!dir.path().exists());
        drop((processes, dir));
    }

    #[test]
    fn cleanup_skips_dropped_resources() {
        let parent = tempfile::tempdir().unwrap();
        let cleanup = Cleanup::default();
        drop(cleanup.dir(parent.path()).unwrap());
        let process = cleanup.process(std::process::id());
        drop(process);
        cleanup.made().take_away();
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
