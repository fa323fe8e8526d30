//! Primary with a synchronous standby: commits are on the disks of both.

use super::cluster::{Cluster, USER, data};
use super::programs::{PostgresBinaries, run};
use crate::ports;
use std::path::Path;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Name by which the primary knows the standby.
const STANDBY: &str = "standby";
/// Number of polls for replication and the pause between them: half a minute in total.
const POLL_ATTEMPTS: u32 = 600;
const PAUSE: Duration = Duration::from_millis(50);

/// Both servers; stopped when dropped.
#[derive(Debug)]
pub struct PrimaryStandby {
    /// Server that accepts writes until it fails.
    pub primary: Cluster,
    /// Server that accepts writes after its promotion.
    pub standby: Cluster,
    _folders: [TempDir; 2],
}

impl PrimaryStandby {
    /// Creates and starts both servers. The error says why this machine cannot.
    pub fn start() -> Result<Self, String> {
        let folder = || tempfile::tempdir().map_err(|error| format!("there is no folder: {error}"));
        let folders = [folder()?, folder()?];
        let primary = Cluster::start(folders[0].path())?;
        let standby = primary.standby(folders[1].path())?;
        Ok(Self {
            primary,
            standby,
            _folders: folders,
        })
    }

    /// Returns the URL that names both servers and selects the one that accepts writes.
    pub fn url(&self) -> String {
        let password = &self.primary.password;
        let primary_address = self.primary.address();
        let standby_address = self.standby.address();
        format!(
            "postgres://{USER}:{password}@{primary_address},{standby_address}/postgres?target_session_attrs=read-write"
        )
    }

    /// Promotes the standby; it accepts writes when this returns.
    pub fn promote(&self) -> Result<(), String> {
        let folder = &self.standby.folder;
        let programs = PostgresBinaries::find(folder)?;
        run(programs
            .command("pg_ctl")
            .args(["promote", "--wait", "--silent", "--pgdata"])
            .arg(data(folder)))
        .map(drop)
    }
}

impl Cluster {
    /// Creates a standby of this server in an empty directory. Commits wait for its disk from now on.
    fn standby(&self, folder: &Path) -> Result<Self, String> {
        let programs = PostgresBinaries::find(folder)?;
        let mut copy = programs.command("pg_basebackup");
        copy.args([
            "--no-sync",
            "--checkpoint=fast",
            "--wal-method=stream",
            "--write-recovery-conf",
            "--pgdata",
        ]);
        copy.arg(data(folder)).args([
            "--dbname",
            &format!("{}?application_name={STANDBY}", self.url()),
        ]);
        run(&mut copy)?;
        let standby = Self::serve(&programs, folder, ports::free(), self.password.clone())?;
        self.run(&format!(
            "ALTER SYSTEM SET synchronous_standby_names = '{STANDBY}'"
        ))?;
        self.run("SELECT pg_reload_conf()")?;
        let waited_for = || {
            self.run("SELECT sync_state FROM pg_stat_replication")
                .as_deref()
                == Ok("sync")
        };
        let soon = (0..POLL_ATTEMPTS).any(|_| {
            thread::sleep(PAUSE);
            waited_for()
        });
        if soon {
            Ok(standby)
        } else {
            Err("the primary does not wait for its standby".to_owned())
        }
    }
}
