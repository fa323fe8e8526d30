//! Private PostgreSQL server from Debian's packages that the tests of one run share.
//!
//! The first test starts it, and it ends when no test has used it for a few seconds. Other servers of the machine are
//! not affected.

use super::programs::{PostgresBinaries, run};
use crate::paths::repository;
use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Members of the role `locked` need their passwords; all other roles are trusted.
const LOGINS: &str = "local all +locked scram-sha-256\nlocal all all trust\n";

/// Script that ends an unused server after three checks at intervals of two seconds. A test that starts meanwhile waits
/// and starts another one.
const KEEPER: &str = r#"
unused() { flock --nonblock --exclusive "$1/users" true; }
idle=0
while [ "$idle" -lt 3 ]; do
    sleep 2
    if unused "$1"; then idle=$((idle + 1)); else idle=0; continue; fi
    [ "$idle" -eq 3 ] || continue
    exec 9> "$1/starting"
    flock --exclusive 9
    if ! unused "$1"; then idle=0; exec 9>&-; fi
done
kill -QUIT "$(head -n 1 "$1/data/postmaster.pid")"
while [ -e "$1/data/postmaster.pid" ]; do sleep 0.1; done
rm -rf "$1/data"
"#;

/// Handle of the shared server, which runs as long as any handle exists.
pub struct Postgres {
    folder: PathBuf,
    /// Lock that every user of the server holds shared.
    _users: File,
}

impl Postgres {
    /// Returns the server of this run and starts it if necessary. The error says why it cannot be started.
    pub fn shared() -> Result<Self, String> {
        let folder = folder();
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let starting = lock_file(&folder, "starting")?;
        let users = lock_file(&folder, "users")?;
        starting.lock().map_err(|error| error.to_string())?;
        users.lock_shared().map_err(|error| error.to_string())?;
        let server = Self {
            folder,
            _users: users,
        };
        if server.run("SELECT 1").is_err() {
            server.start()?;
        }
        Ok(server)
    }

    /// Returns the directory of its socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the URL of a database over the server's socket, as the user `postgres`.
    ///
    /// `parameters` are appended.
    pub fn url(&self, database: &str, parameters: &str) -> String {
        format!(
            "postgres://postgres@/{database}?host={}{parameters}",
            self.folder.display()
        )
    }

    /// Returns the URL of the schema with this name, and creates it if it does not exist.
    pub fn schema(&self, name: &str) -> Result<String, String> {
        self.run(&format!("CREATE SCHEMA IF NOT EXISTS {name}"))?;
        Ok(self.url("postgres", &format!("&options=-csearch_path%3D{name}")))
    }

    /// Runs SQL in the database `postgres`.
    pub fn run(&self, sql: &str) -> Result<String, String> {
        let mut psql = Command::new("psql");
        psql.args([
            "--no-psqlrc",
            "--quiet",
            "--tuples-only",
            "--no-align",
            "--username=postgres",
            "--host",
        ]);
        psql.arg(&self.folder).args([
            "--dbname=postgres",
            "--set=ON_ERROR_STOP=1",
            "--command",
            sql,
        ]);
        run(psql.env("PGOPTIONS", "--client-min-messages=warning"))
    }

    fn start(&self) -> Result<(), String> {
        let data = self.folder.join("data");
        if data.exists() {
            fs::remove_dir_all(&data).map_err(|error| error.to_string())?;
        }
        let programs = PostgresBinaries::find(&self.folder)?;
        let command = |program: &str| {
            let mut command = programs.command(program);
            command.current_dir(&self.folder).arg("--pgdata").arg(&data);
            command
        };
        run(command("initdb").args([
            "--username=postgres",
            "--auth=trust",
            "--no-sync",
            "--encoding=UTF8",
            "--locale=C",
        ]))?;
        fs::write(data.join("pg_hba.conf"), LOGINS).map_err(|error| error.to_string())?;
        let settings = format!(
            "-c listen_addresses= -c unix_socket_directories={} -c max_connections=300 -c shared_buffers=64MB",
            self.folder.display()
        );
        run(command("pg_ctl").args([
            "--wait",
            "--silent",
            "--log=data/log",
            "--options",
            &settings,
            "start",
        ]))?;
        self.run("CREATE ROLE locked NOLOGIN")?;
        retain_folder(&self.folder)
    }
}

/// Returns the directory of this repository's server; in memory if possible, as its data is disposable.
fn folder() -> PathBuf {
    let mut hasher = DefaultHasher::new();
    repository().hash(&mut hasher);
    let memory = Path::new("/dev/shm");
    let base = if memory.is_dir() {
        memory.to_path_buf()
    } else {
        std::env::temp_dir()
    };
    base.join(format!("voight-postgres-{:016x}", hasher.finish()))
}

fn lock_file(folder: &Path, name: &str) -> Result<File, String> {
    let path = folder.join(name);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|error| error.to_string())?;
    let _ = fs::set_permissions(&path, fs::Permissions::from_mode(0o666));
    Ok(file)
}

fn retain_folder(folder: &Path) -> Result<(), String> {
    let mut keeper = Command::new("sh");
    keeper.args(["-c", KEEPER, "keeper"]).arg(folder);
    keeper
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    keeper.spawn().map(drop).map_err(|error| error.to_string())
}
