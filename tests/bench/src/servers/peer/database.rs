//! Databases of the peers, private to one peer and one run.

use super::super::program::Program;
use super::kind::{Needs, sources};
use crate::cleanup::{Cleanup, Process};
use crate::machine::Cores;
use anyhow::{Error, Result, bail};
use rustix::process::Signal;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use voight_tests::postgres::Cluster;
use voight_tests::{ports, secret};

/// Setting for several peers on one PostgreSQL, each with its own connection pool.
const CONNECTION_SETTINGS: &str = "max_connections = 400\n";

/// Running database; stopped on drop.
#[derive(Debug)]
pub(crate) enum Database {
    /// Directory.
    Folder(PathBuf),
    /// PostgreSQL cluster.
    Postgres(Cluster, Process),
    /// Redis and its URL.
    Redis(Program, String),
}

impl Database {
    /// Starts the database on the server core, with its files in this directory.
    pub(crate) fn start(needs: Needs, dir: &Path, cores: Cores, cleanup: &Cleanup) -> Result<Self> {
        let dir = dir.join("database");
        fs::create_dir(&dir)?;
        match needs {
            Needs::Folder => Ok(Self::Folder(dir)),
            Needs::Postgres => postgres(&dir, cores, cleanup),
            Needs::Redis => redis(&dir, cores, cleanup),
        }
    }

    /// Returns the environment variables of the peer.
    pub(super) fn environment(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Folder(dir) => vec![("DATA", dir.display().to_string())],
            Self::Postgres(cluster, _) => on_postgres(cluster.url()),
            Self::Redis(_, url) => vec![("REDIS_URL", url.clone())],
        }
    }

    /// Returns the environment variables of a peer with its own database on a shared PostgreSQL server.
    pub(super) fn environment_apart(&self, name: &str) -> Result<Vec<(&'static str, String)>> {
        Ok(on_postgres(self.create_database(name)?))
    }

    /// Creates a database on a PostgreSQL server; returns its URL.
    pub(crate) fn create_database(&self, name: &str) -> Result<String> {
        match self {
            Self::Postgres(cluster, _) => cluster.database(name).map_err(Error::msg),
            Self::Folder(_) | Self::Redis(..) => bail!("only a PostgreSQL has databases"),
        }
    }

    /// Returns its first process, if it has any.
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
    vec![
        ("DATABASE_URL", url),
        ("SCHEMA", schema.display().to_string()),
    ]
}

fn postgres(dir: &Path, cores: Cores, cleanup: &Cleanup) -> Result<Database> {
    let start =
        || cores.start_server(|| Cluster::start_set(dir, CONNECTION_SETTINGS).map_err(Error::msg));
    // SIGQUIT makes PostgreSQL exit immediately and release its shared memory.
    let (cluster, process) = cleanup.start(start, Cluster::pid, Signal::QUIT)?;
    Ok(Database::Postgres(cluster, process))
}

/// Starts Redis with an append-only log and without snapshots.
fn redis(dir: &Path, cores: Cores, cleanup: &Cleanup) -> Result<Database> {
    let port = ports::free();
    let password = secret::new()?;
    let configuration = format!(
        "bind 127.0.0.1\nport {port}\nrequirepass {password}\ndir {}\nappendonly yes\nappendfsync always\nsave \"\"\n",
        dir.display()
    );
    let path = dir.join("redis.conf");
    fs::write(&path, configuration)?;
    let mut command = Command::new("redis-server");
    let mut program = Program::start(command.arg(&path).stdout(Stdio::null()), cores, cleanup)?;
    program.wait_for(port)?;
    Ok(Database::Redis(
        program,
        format!("redis://:{password}@127.0.0.1:{port}"),
    ))
}
