//! nginx, if it is installed: the cost of another server for the same 120 bytes.

use super::program::Program;
use crate::cleanup::{Cleanup, ScratchDir};
use crate::load::TargetServer;
use crate::machine::{Cores, StorageLocation};
use anyhow::Result;
use std::fs;
use std::io::{Error, ErrorKind};
use std::process::{Command, Stdio};
use voight_tests::ports;

/// Length of the body, equal to that of the static handler.
const BODY: usize = 120;

/// Running nginx with one process; stopped on drop.
#[derive(Debug)]
pub(crate) struct Nginx {
    program: Program,
    port: u16,
    _dir: ScratchDir,
}

impl Nginx {
    /// Starts nginx on the server core, with files in a temporary directory; `None` if it is not installed.
    pub(crate) fn start(
        location: &StorageLocation,
        cores: Cores,
        cleanup: &Cleanup,
    ) -> Result<Option<Self>> {
        let dir = location.dir(cleanup)?;
        let port = ports::free();
        let path = dir.path().join("nginx.conf");
        fs::write(&path, configuration(port))?;
        let mut command = Command::new("nginx");
        command
            .arg("-p")
            .arg(dir.path())
            .arg("-c")
            .arg(&path)
            .args(["-e", "error.log"]);
        match Program::start(
            command.stdout(Stdio::null()).stderr(Stdio::null()),
            cores,
            cleanup,
        ) {
            Err(error) if is_missing(&error) => Ok(None),
            started => {
                let mut program = started?;
                program.wait_for(port)?;
                Ok(Some(Self {
                    program,
                    port,
                    _dir: dir,
                }))
            }
        }
    }

    /// Returns its address for loads.
    pub(crate) fn target(&self) -> TargetServer {
        TargetServer::alone(self.port, self.program.id())
    }
}

fn is_missing(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<Error>()
        .is_some_and(|error| error.kind() == ErrorKind::NotFound)
}

/// Returns the configuration of nginx.
///
/// One process in the foreground, without logs, with keep-alive like the service. Paths are relative to its directory.
fn configuration(port: u16) -> String {
    let body = ".".repeat(BODY);
    format!(
        "daemon off; master_process off; pid nginx.pid; error_log error.log crit;\n\
         events {{ worker_connections 1024; }}\n\
         http {{ access_log off; keepalive_requests 1000000000;\n\
         client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;\n\
         server {{ listen 127.0.0.1:{port}; location / {{ return 200 \"{body}\"; }} }} }}\n"
    )
}
