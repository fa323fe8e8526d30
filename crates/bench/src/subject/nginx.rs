//! nginx, where it is installed: what another server takes for the same 120 bytes.

use crate::cleanup::{Cleanup, Folder, Process};
use crate::clock::Stopwatch;
use crate::load::Target;
use crate::machine::{Cores, Place};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;
use voight_tests::ports;

/// How long it may take until it listens, and how often to look.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(20);
/// As long as what the static handler answers.
const BODY: usize = 120;

/// A running nginx, with one process; ended when dropped.
#[derive(Debug)]
pub(crate) struct Nginx {
    child: Child,
    port: u16,
    process: Process,
    _folder: Folder,
}

impl Nginx {
    /// Starts it on the server's core, with its files in a new folder at this place; `None` where there is none.
    pub(crate) fn start(place: &Place, cores: Cores, cleanup: &Cleanup) -> Result<Option<Self>> {
        let (folder, port) = (place.folder(cleanup)?, ports::free());
        let path = folder.path().join("nginx.conf");
        fs::write(&path, configuration(port))?;
        let mut command = Command::new("nginx");
        command.arg("-p").arg(folder.path()).arg("-c").arg(&path).args(["-e", "error.log"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = match cores.start_server(|| Ok(command.spawn()))? {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            spawned => spawned.context("nginx does not start")?,
        };
        let process = cleanup.process(child.id());
        let nginx = Self { child, port, process, _folder: folder };
        nginx.wait()?;
        Ok(Some(nginx))
    }

    /// Where it is asked.
    pub(crate) const fn target(&self) -> Target {
        Target { port: self.port, process: self.process.id }
    }

    fn wait(&self) -> Result<()> {
        let watch = Stopwatch::start();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            ensure!(watch.elapsed() < PATIENCE, "nginx does not listen after {PATIENCE:?}");
            thread::sleep(PAUSE);
        }
        Ok(())
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One process in the foreground, which writes no log and keeps connections as the service does. Paths are in its folder.
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
