//! A server that is no part of the service.

use crate::cleanup::{Cleanup, Process};
use crate::clock::Stopwatch;
use crate::machine::Cores;
use anyhow::{Context, Result, bail};
use rustix::process::Signal;
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

/// How long it may take until it listens, and how often to look.
const START_TIMEOUT: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(20);

/// A running program; ended when dropped.
#[derive(Debug)]
pub(crate) struct Program {
    child: Child,
    process: Process,
}

impl Program {
    /// Starts it on the server's core.
    pub(super) fn start(command: &mut Command, cores: Cores, cleanup: &Cleanup) -> Result<Self> {
        let name = command.get_program().to_owned();
        let spawn =
            || command.stdin(Stdio::null()).spawn().with_context(|| format!("{} does not start", name.display()));
        let (child, process) = cleanup.start(|| cores.start_server(spawn), Child::id, Signal::KILL)?;
        Ok(Self { child, process })
    }

    /// Its process.
    pub(super) const fn id(&self) -> u32 {
        self.process.id
    }

    /// What it says, if that is piped.
    pub(super) const fn output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Waits until it listens at this port.
    pub(super) fn wait_for(&mut self, port: u16) -> Result<()> {
        let watch = Stopwatch::start();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if let Some(status) = self.child.try_wait()? {
                bail!("the server at port {port} has ended at once: {status}");
            }
            if watch.elapsed() > START_TIMEOUT {
                bail!("the server at port {port} does not listen after {START_TIMEOUT:?}");
            }
            thread::sleep(PAUSE);
        }
        Ok(())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
