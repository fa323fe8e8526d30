//! Private Citus cluster: a coordinator and workers on loopback, each a PostgreSQL cluster of its own.

use super::cluster::Cluster;
use super::programs::PostgresBinaries;
use crate::secret;
use crate::skip::unavailable;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use tempfile::TempDir;

/// Environment variable with the directory of the programs of a PostgreSQL installation with Citus.
const PROGRAMS: &str = "VOIGHT_TEST_CITUS_BIN";
/// Configuration for the extension. Defaults apart from the number of shards, which is lower so that tables are created
/// faster.
const LINES: &str = "\nshared_preload_libraries = 'citus'\nmax_prepared_transactions = 200\nmax_connections = 200\n\
    shared_buffers = 64MB\ncitus.shard_count = ";
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
    _folder: TempDir,
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
        let Some(programs) = env::var_os(PROGRAMS) else {
            unavailable(name, "VOIGHT_TEST_CITUS_BIN names no installation of Citus");
            return None;
        };
        match Self::start(&programs, shards) {
            Ok(citus) => Some(citus),
            Err(why) => panic!("the Citus of {PROGRAMS}={} does not start: {why}", programs.display()),
        }
    }

    fn start(programs: &OsString, shards: u32) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| format!("there is no folder: {error}"))?;
        // The servers may run as another user.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())?;
        let password = secret::new().map_err(|error| format!("no password can be made: {error}"))?;
        let server = |name: String| {
            let place = folder.path().join(name);
            fs::create_dir(&place).map_err(|error| format!("{} cannot be made: {error}", place.display()))?;
            let programs = PostgresBinaries::of(PathBuf::from(programs), &place)?;
            let server = Cluster::start_by(&programs, &place, password.clone(), &format!("{LINES}{shards}\n"))?;
            server.run("CREATE EXTENSION citus")?;
            Ok::<_, String>(server)
        };
        let coordinator = server("coordinator".to_owned())?;
        let workers = (0..WORKERS).map(|number| server(format!("worker-{number}"))).collect::<Result<Vec<_>, _>>()?;
        coordinator.run(&format!("SELECT citus_set_coordinator_host('127.0.0.1', {})", coordinator.port))?;
        for worker in &workers {
            coordinator.run(&format!("SELECT citus_add_node('127.0.0.1', {})", worker.port))?;
        }
        Ok(Self { coordinator, workers, _folder: folder })
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
        let place = self.workers.iter().position(|worker| worker.port.to_string() == port);
        place.ok_or_else(|| format!("{client} is on no worker: {port}"))
    }
}
