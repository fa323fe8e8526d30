//! A primary with a synchronous standby: what is committed is on the disks of both.

use super::cluster::{Cluster, USER, data};
use super::programs::{PostgresBinaries, run};
use crate::ports;
use std::path::Path;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// What the primary knows the standby by.
const STANDBY: &str = "standby";
/// How often to look whether the primary waits for the standby, and how long to wait in between: half a minute.
const POLL_ATTEMPTS: u32 = 600;
const PAUSE: Duration = Duration::from_millis(50);

/// Both servers; ended when dropped.
#[derive(Debug)]
pub struct PrimaryStandby {
    /// The one that takes writes, until it is gone.
    pub primary: Cluster,
    /// The one that takes them when it is promoted.
    pub standby: Cluster,
    _folders: [TempDir; 2],
}

impl PrimaryStandby {
    /// Makes and starts both; an error says why this machine cannot.
    pub fn start() -> Result<Self, String> {
        let folder = || tempfile::tempdir().map_err(|error| format!("there is no folder: {error}"));
        let folders = [folder()?, folder()?];
        let primary = Cluster::start(folders[0].path())?;
        let standby = primary.standby(folders[1].path())?;
        Ok(Self { primary, standby, _folders: folders })
    }

    /// Where clients connect: to whichever of the two takes writes.
    pub fn url(&self) -> String {
        let (password, one, other) = (&self.primary.password, self.primary.address(), self.standby.address());
        format!("postgres://{USER}:{password}@{one},{other}/postgres?target_session_attrs=read-write")
    }

    /// Lets the standby take writes, which it does when this returns.
    pub fn promote(&self) -> Result<(), String> {
        let folder = &self.standby.folder;
        let programs = PostgresBinaries::find(folder)?;
        run(programs.command("pg_ctl").args(["promote", "--wait", "--silent", "--pgdata"]).arg(data(folder))).map(drop)
    }
}

impl Cluster {
    /// A standby of this one in an empty folder. From now on nothing is committed here before it is on the standby's disk, too.
    fn standby(&self, folder: &Path) -> Result<Self, String> {
        let programs = PostgresBinaries::find(folder)?;
        let mut copy = programs.command("pg_basebackup");
        copy.args(["--no-sync", "--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", "--pgdata"]);
        copy.arg(data(folder)).args(["--dbname", &format!("{}?application_name={STANDBY}", self.url())]);
        run(&mut copy)?;
        let standby = Self::serve(&programs, folder, ports::free(), self.password.clone())?;
        self.run(&format!("ALTER SYSTEM SET synchronous_standby_names = '{STANDBY}'"))?;
        self.run("SELECT pg_reload_conf()")?;
        let waited_for = || self.run("SELECT sync_state FROM pg_stat_replication").as_deref() == Ok("sync");
        let soon = (0..POLL_ATTEMPTS).any(|_| {
            thread::sleep(PAUSE);
            waited_for()
        });
        if soon { Ok(standby) } else { Err("the primary does not wait for its standby".to_owned()) }
    }
}
