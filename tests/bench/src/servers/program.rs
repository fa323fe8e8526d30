//! Server process that is not part of the service.

use crate::cleanup::{Cleanup, Process};
use crate::clock::Stopwatch;
use crate::machine::Cores;
use anyhow::{Context, Result, bail};
use rustix::process::Signal;
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Timeout for starting to listen, and the polling interval.
const START_TIMEOUT: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(20);

/// Running program; stopped on drop.
#[derive(Debug)]
pub(crate) struct Program {
    child: Child,
    process: Process,
}

impl Program {
    /// Starts the program on the server core.
    pub(super) fn start(command: &mut Command, cores: Cores, cleanup: &Cleanup) -> Result<Self> {
        let name = command.get_program().to_owned();
        let spawn = || {
            command
                .stdin(Stdio::null())
                .spawn()
                .with_context(|| format!("{} does not start", name.display()))
        };
        let (child, process) =
            cleanup.start(|| cores.start_server(spawn), Child::id, Signal::KILL)?;
        Ok(Self { child, process })
    }

    /// Returns its process id.
    pub(super) const fn id(&self) -> u32 {
        self.process.id
    }

    /// Returns its standard output, if that is piped.
    pub(super) const fn output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Waits until it listens on this port.
    pub(super) fn wait_for(&mut self, port: u16) -> Result<()> {
        let stopwatch = Stopwatch::start();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if let Some(status) = self.child.try_wait()? {
                bail!("the server at port {port} exited at its start: {status}");
            }
            if stopwatch.elapsed() > START_TIMEOUT {
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
