//! Private Citus cluster: a coordinator and workers on loopback, each a PostgreSQL cluster of its own.

use super::cluster::Cluster;
use super::programs::PostgresBinaries;
use crate::secret;
use crate::skip::skipped;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Environment variable with the directory of the programs of a PostgreSQL installation with Citus.
const PROGRAMS: &str = "VOIGHT_TEST_CITUS_BIN";
/// Configuration for the extension. Defaults apart from the number of shards, which is lower so that tables are created
/// faster.
const LINES: &str = "shared_preload_libraries = 'citus'\nmax_prepared_transactions = 200\nmax_connections = 200\n\
    shared_buffers = 64MB";
/// Number of workers.
const WORKERS: usize = 2;
/// Default number of shards of a table.
const SHARDS: u32 = 8;

/// Running cluster; stopped when dropped.
#[derive(Debug)]
pub struct Citus {
    /// Server on which tables are created and distributed.
    pub coordinator: Cluster,
    /// Servers that store the shards.
    pub workers: Vec<Cluster>,
    servers: CitusServers,
}

/// Servers with the library of the extension, each in its own directory.
#[derive(Debug)]
pub struct CitusServers {
    programs: PathBuf,
    password: String,
    shards: u32,
    folder: TempDir,
}

/// Returns the directory of the installation that the environment names. Reports the test `name` as skipped if there is none.
fn installation_or_skip(name: &str) -> Option<PathBuf> {
    let programs = env::var_os(PROGRAMS).map(PathBuf::from);
    if programs.is_none() {
        skipped(name, "VOIGHT_TEST_CITUS_BIN names no installation of Citus");
    }
    programs
}

impl CitusServers {
    /// Finds the installation. Reports the test `name` as skipped if none is named.
    ///
    /// # Panics
    ///
    /// If there is no temporary directory.
    pub fn find_or_skip(name: &str) -> Option<Self> {
        Some(Self::new(installation_or_skip(name)?, SHARDS).expect("a folder"))
    }

    fn new(programs: PathBuf, shards: u32) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| format!("there is no folder: {error}"))?;
        // The servers may run as another user.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
            .map_err(|error| error.to_string())?;
        let password =
            secret::new().map_err(|error| format!("no password can be made: {error}"))?;
        Ok(Self {
            programs,
            password,
            shards,
            folder,
        })
    }

    /// Creates and starts a server with these lines in its configuration, before the number of shards.
    ///
    /// # Errors
    ///
    /// The reason that the server does not start.
    pub fn start(&self, name: &str, lines: &str) -> Result<Cluster, String> {
        let place = self.folder.path().join(name);
        fs::create_dir(&place)
            .map_err(|error| format!("{} cannot be made: {error}", place.display()))?;
        let programs = PostgresBinaries::in_folder(self.programs.clone(), &place)?;
        let lines = format!("\n{lines}\ncitus.shard_count = {}\n", self.shards);
        Cluster::start_by(&programs, &place, self.password.clone(), &lines)
    }
}

impl Citus {
    /// Starts a coordinator with two workers. Reports the test `name` as skipped if no installation is named.
    ///
    /// # Panics
    ///
    /// If an installation is named and does not start.
    pub fn start_or_skip(name: &str) -> Option<Self> {
        Self::start_with(name, SHARDS)
    }

    /// Starts a cluster with `shards` shards for each table.
    ///
    /// # Panics
    ///
    /// If an installation is named and does not start.
    pub fn start_with(name: &str, shards: u32) -> Option<Self> {
        let programs = installation_or_skip(name)?;
        match Self::start(&programs, shards) {
            Ok(citus) => Some(citus),
            Err(why) => panic!(
                "the Citus of {PROGRAMS}={} does not start: {why}",
                programs.display()
            ),
        }
    }

    fn start(programs: &Path, shards: u32) -> Result<Self, String> {
        let servers = CitusServers::new(programs.to_path_buf(), shards)?;
        let server = |name: String| {
            let server = servers.start(&name, LINES)?;
            server.run("CREATE EXTENSION citus")?;
            Ok::<_, String>(server)
        };
        let coordinator = server("coordinator".to_owned())?;
        let workers = (0..WORKERS)
            .map(|number| server(format!("worker-{number}")))
            .collect::<Result<Vec<_>, _>>()?;
        coordinator.run(&format!(
            "SELECT citus_set_coordinator_host('127.0.0.1', {})",
            coordinator.port
        ))?;
        let mut citus = Self {
            coordinator,
            workers: Vec::new(),
            servers,
        };
        workers
            .into_iter()
            .try_for_each(|worker| citus.add(worker))?;
        Ok(citus)
    }

    /// Starts a further worker, runs SQL on it, and adds it to the cluster.
    ///
    /// # Errors
    ///
    /// The error of the server.
    pub fn add_worker(&mut self, sql: &str) -> Result<(), String> {
        let worker = self
            .servers
            .start(&format!("worker-{}", self.workers.len()), LINES)?;
        worker.run("CREATE EXTENSION citus")?;
        worker.run(sql)?;
        worker.reload()?;
        self.add(worker)
    }

    fn add(&mut self, worker: Cluster) -> Result<(), String> {
        self.coordinator.run(&format!(
            "SELECT citus_add_node('127.0.0.1', {})",
            worker.port
        ))?;
        self.workers.push(worker);
        Ok(())
    }

    /// Returns the URL that names all workers as hosts.
    pub fn workers_url(&self) -> String {
        let addresses: Vec<_> = self.workers.iter().map(Cluster::address).collect();
        let url = self.coordinator.url();
        url.replace(&self.coordinator.address(), &addresses.join(","))
    }

    /// Returns the index of the worker that stores the rows of the client with this name.
    pub fn worker_of(&self, client: &str) -> Result<usize, String> {
        let port = self.coordinator.run(&format!(
            "SELECT n.nodeport FROM client_name c, pg_dist_placement p, pg_dist_node n \
             WHERE c.name = '{client}' AND p.shardid = get_shard_id_for_distribution_column('client', c.client) \
             AND n.groupid = p.groupid"
        ))?;
        let place = self
            .workers
            .iter()
            .position(|worker| worker.port.to_string() == port);
        place.ok_or_else(|| format!("{client} is on no worker: {port}"))
    }
}
