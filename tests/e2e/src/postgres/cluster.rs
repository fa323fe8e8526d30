//! Private PostgreSQL cluster with its own directory, loopback port and password.
//!
//! Other servers of the machine are not affected. Commits are durable, as by the defaults of PostgreSQL.

use super::programs::{PostgresBinaries, run};
use crate::process::{self, Signal};
use crate::{ports, secret};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

pub(super) const USER: &str = "postgres";
/// Number of readiness polls and the pause between them: half a minute in total.
const POLL_ATTEMPTS: u32 = 1500;
const PAUSE: Duration = Duration::from_millis(20);

/// Running cluster; stopped when dropped.
#[derive(Debug)]
pub struct Cluster {
    child: Child,
    pub(super) folder: PathBuf,
    pub(super) port: u16,
    pub(super) password: String,
    /// Returns the directory of the programs that run the server.
    programs: PathBuf,
}

impl Cluster {
    /// Creates and starts a cluster in this directory, which must be empty. The error says why this machine cannot.
    pub fn start(folder: &Path) -> Result<Self, String> {
        Self::start_set(folder, "")
    }

    /// Creates and starts a cluster with further lines in its configuration.
    pub fn start_set(folder: &Path, lines: &str) -> Result<Self, String> {
        let password =
            secret::new().map_err(|error| format!("no password can be made: {error}"))?;
        Self::start_by(&PostgresBinaries::find(folder)?, folder, password, lines)
    }

    /// Creates and starts a cluster with these programs and this password.
    pub(super) fn start_by(
        programs: &PostgresBinaries,
        folder: &Path,
        password: String,
        lines: &str,
    ) -> Result<Self, String> {
        let file = folder.join("password");
        fs::write(&file, &password)
            .map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        let mut make = programs.command("initdb");
        make.args([
            "--no-sync",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            "--username",
            USER,
        ]);
        run(make
            .arg("--pwfile")
            .arg(&file)
            .arg("--pgdata")
            .arg(data(folder)))?;
        let configuration = File::options()
            .append(true)
            .open(data(folder).join("postgresql.conf"));
        let write_result = configuration.and_then(|mut file| file.write_all(lines.as_bytes()));
        write_result.map_err(|error| format!("postgresql.conf cannot be written: {error}"))?;
        Self::serve(programs, folder, ports::free(), password)
    }

    /// Starts a server on the data in this directory.
    pub(super) fn serve(
        programs: &PostgresBinaries,
        folder: &Path,
        port: u16,
        password: String,
    ) -> Result<Self, String> {
        let mut serve = programs.command("postgres");
        serve.arg("-D").arg(data(folder)).args([
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=",
        ]);
        // Password that servers of a cluster log in to each other with.
        serve.env("PGPASSWORD", &password).env("HOME", folder);
        serve
            .args(["-c", &format!("port={port}")])
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let log =
            File::create(log(folder)).map_err(|error| format!("no log can be written: {error}"))?;
        let child = serve
            .stderr(log)
            .spawn()
            .map_err(|error| format!("postgres does not start: {error}"))?;
        let programs = programs.folder().to_owned();
        let mut cluster = Self {
            child,
            folder: folder.to_owned(),
            port,
            password,
            programs,
        };
        cluster.wait(folder)?;
        Ok(cluster)
    }

    /// Kills the server at once, as in a crash.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Returns `true` if the server has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Restarts the server after it was [killed](Self::kill) or has ended by itself.
    pub fn restart(&mut self) -> Result<(), String> {
        let programs = PostgresBinaries::in_folder(self.programs.clone(), &self.folder)?;
        *self = Self::serve(&programs, &self.folder, self.port, self.password.clone())?;
        Ok(())
    }

    /// Runs SQL and returns its output.
    pub fn run(&self, sql: &str) -> Result<String, String> {
        let mut psql = Command::new("psql");
        psql.args([
            "--no-psqlrc",
            "--quiet",
            "--tuples-only",
            "--no-align",
            "--set=ON_ERROR_STOP=1",
        ]);
        run(psql.args(["--dbname", &self.url(), "--command", sql]))
    }

    /// Returns the URL for clients, with the name and the password of the superuser.
    pub fn url(&self) -> String {
        self.url_of("postgres")
    }

    /// Creates another database; returns its URL.
    pub fn database(&self, name: &str) -> Result<String, String> {
        self.run(&format!("CREATE DATABASE {name}"))?;
        Ok(self.url_of(name))
    }

    fn url_of(&self, database: &str) -> String {
        format!(
            "postgres://{USER}:{}@{}/{database}",
            self.password,
            self.address()
        )
    }

    /// Writes a file into the data directory that only the server may read; returns its path.
    pub fn write_file(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let (data, path) = (data(&self.folder), data(&self.folder).join(name));
        let write = || {
            let owner = fs::metadata(&data)?;
            fs::write(&path, text)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
            chown(&path, Some(owner.uid()), Some(owner.gid()))
        };
        write()
            .map_err(|error: io::Error| format!("{} cannot be written: {error}", path.display()))?;
        Ok(path)
    }

    /// Reloads the configuration, and waits until new connections use it.
    pub fn reload(&self) -> Result<(), String> {
        let load_time = || self.run("SELECT pg_conf_load_time()");
        let time_before = load_time()?;
        self.run("SELECT pg_reload_conf()")?;
        for _ in 0..POLL_ATTEMPTS {
            if load_time()? != time_before {
                return Ok(());
            }
            thread::sleep(PAUSE);
        }
        Err("postgres does not read its configuration again".to_owned())
    }

    /// Returns host and port.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Returns the URL for clients that connect to another port, such as that of a fault proxy.
    pub fn url_on_port(&self, port: u16) -> String {
        let Self { password, .. } = self;
        format!("postgres://{USER}:{password}@127.0.0.1:{port}/postgres?sslmode=disable")
    }

    /// Returns the log since the server was started.
    pub fn log(&self) -> String {
        fs::read_to_string(log(&self.folder)).unwrap_or_default()
    }

    /// Returns the id of the postmaster, whose children are the other processes.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the server has written to `postmaster.pid` that it is ready.
    fn wait(&mut self, folder: &Path) -> Result<(), String> {
        let status = data(folder).join("postmaster.pid");
        for _ in 0..POLL_ATTEMPTS {
            if fs::read_to_string(&status)
                .is_ok_and(|text| text.lines().any(|line| line.trim() == "ready"))
            {
                return Ok(());
            }
            if self.child.try_wait().is_ok_and(|status| status.is_some()) {
                break;
            }
            thread::sleep(PAUSE);
        }
        Err(format!(
            "postgres does not get ready: {}",
            fs::read_to_string(log(folder)).unwrap_or_default()
        ))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if self.has_ended() {
            return;
        }
        // Immediate shutdown that still releases shared memory. A paused server must be resumed for it.
        self.resume();
        let _ = process::send(Signal::QUIT, self.pid());
        let _ = self.child.wait();
    }
}

pub(super) fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

fn log(folder: &Path) -> PathBuf {
    folder.join("log")
}

#[cfg(test)]
mod tests {
    use super::super::programs::installed;
    use super::*;
    use crate::skip::skipped;
    use std::net::TcpStream;

    #[test]
    fn cluster_listens_until_it_is_dropped() {
        if let Some(why) = installed()
            .is_none()
            .then_some("PostgreSQL is not installed")
        {
            return skipped("a_private_postgresql", why);
        }
        let folder = tempfile::tempdir().unwrap();
        let cluster = Cluster::start(folder.path()).unwrap();
        let port = cluster.port;
        assert!(TcpStream::connect(("127.0.0.1", port)).is_ok());
        assert!(cluster.url().starts_with("postgres://postgres:"));
        drop(cluster);
        assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    }
}
