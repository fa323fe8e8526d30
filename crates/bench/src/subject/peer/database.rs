//! What peers keep their books in, each private to one peer and one run.

use super::super::program::Program;
use super::kind::sources;
use crate::cleanup::{Cleanup, Process};
use crate::machine::Cores;
use anyhow::{Error, Result, bail};
use rustix::process::Signal;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use voight_tests::postgres::Cluster;
use voight_tests::{ports, secret};

/// Several share a PostgreSQL, each with as many connections as it likes.
const CONNECTION_SETTINGS: &str = "max_connections = 400\n";

/// What a peer needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// A folder for files of its own.
    Folder,
    /// A PostgreSQL as it is installed, but for the number of its connections: it syncs every commit.
    Postgres,
    /// A Redis that syncs its log before it answers.
    Redis,
}

/// A database, ready; ended when dropped.
#[derive(Debug)]
pub(crate) enum Database {
    /// A folder.
    Folder(PathBuf),
    /// A cluster.
    Postgres(Cluster, Process),
    /// A Redis, and where it is.
    Redis(Program, String),
}

impl Database {
    /// Starts it on the server's core, with its files in this folder.
    pub(crate) fn start(needs: Needs, folder: &Path, cores: Cores, cleanup: &Cleanup) -> Result<Self> {
        let folder = folder.join("database");
        fs::create_dir(&folder)?;
        match needs {
            Needs::Folder => Ok(Self::Folder(folder)),
            Needs::Postgres => postgres(&folder, cores, cleanup),
            Needs::Redis => redis(&folder, cores, cleanup),
        }
    }

    /// What the peer is told of it.
    pub(super) fn environment(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Folder(folder) => vec![("DATA", folder.display().to_string())],
            Self::Postgres(cluster, _) => on_postgres(cluster.url()),
            Self::Redis(_, url) => vec![("REDIS_URL", url.clone())],
        }
    }

    /// The same of one of several on a PostgreSQL, each of which has a database of its own.
    pub(super) fn environment_apart(&self, name: &str) -> Result<Vec<(&'static str, String)>> {
        Ok(on_postgres(self.create_database(name)?))
    }

    /// A new database of a PostgreSQL: where it is.
    pub(crate) fn create_database(&self, name: &str) -> Result<String> {
        match self {
            Self::Postgres(cluster, _) => cluster.database(name).map_err(Error::msg),
            Self::Folder(_) | Self::Redis(..) => bail!("only a PostgreSQL has databases"),
        }
    }

    /// The first of its processes, if it has any.
    pub(crate) fn process(&self) -> Option<u32> {
        match self {
            Self::Folder(_) => None,
            Self::Postgres(_, process) => Some(process.id),
            Self::Redis(program, _) => Some(program.id()),
        }
    }
}

fn on_postgres(url: String) -> Vec<(&'static str, String)> {
    let schema = sources("postgresql").join("schema.sql");
    vec![("DATABASE_URL", url), ("SCHEMA", schema.display().to_string())]
}

fn postgres(folder: &Path, cores: Cores, cleanup: &Cleanup) -> Result<Database> {
    let start = || cores.start_server(|| Cluster::start_set(folder, CONNECTION_SETTINGS).map_err(Error::msg));
    // At this signal it gives its memory back.
    let (cluster, process) = cleanup.start(start, Cluster::pid, Signal::QUIT)?;
    Ok(Database::Postgres(cluster, process))
}

/// Everything is in its log, so nothing is written beside it.
fn redis(folder: &Path, cores: Cores, cleanup: &Cleanup) -> Result<Database> {
    let (port, password) = (ports::free(), secret::new()?);
    let configuration = format!(
        "bind 127.0.0.1\nport {port}\nrequirepass {password}\ndir {}\nappendonly yes\nappendfsync always\nsave \"\"\n",
        folder.display()
    );
    let path = folder.join("redis.conf");
    fs::write(&path, configuration)?;
    let mut command = Command::new("redis-server");
    let mut program = Program::start(command.arg(&path).stdout(Stdio::null()), cores, cleanup)?;
    program.wait_for(port)?;
    Ok(Database::Redis(program, format!("redis://:{password}@127.0.0.1:{port}")))
}
