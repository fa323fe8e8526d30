//! A private PostgreSQL: a cluster in a folder of its own, at a loopback port of its own, with a password of its own. No other one is
//! touched. What is committed is on the disk, as PostgreSQL has it unless somebody says otherwise.

use crate::{ports, secret};
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Where Debian has a folder for each release, whose programs are in no `PATH`.
const DEBIAN: &str = "/usr/lib/postgresql";
const USER: &str = "voight";
/// Whose programs run when this one is root's, as which PostgreSQL refuses to run.
const NOBODY: &str = "nobody";
/// How often to look whether it is ready, and how long to wait in between: half a minute.
const LOOKS: u32 = 1500;
const PAUSE: Duration = Duration::from_millis(20);

/// A running cluster; ended when dropped.
#[derive(Debug)]
pub struct Cluster {
    child: Child,
    port: u16,
    password: String,
}

impl Cluster {
    /// Makes a cluster in this folder, which has to be empty and is the cluster's from now on, and starts it; an error says why this
    /// machine cannot.
    pub fn start(folder: &Path) -> Result<Self, String> {
        let programs = Programs::find(folder)?;
        let password = secret::new().map_err(|error| format!("no password can be made: {error}"))?;
        let file = folder.join("password");
        fs::write(&file, &password).map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        let mut make = programs.command("initdb");
        make.args(["--no-sync", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--username", USER]);
        run(make.arg("--pwfile").arg(&file).arg("--pgdata").arg(data(folder)))?;
        let port = ports::free();
        let mut serve = programs.command("postgres");
        serve.arg("-D").arg(data(folder)).args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]);
        serve.args(["-c", &format!("port={port}")]).stdin(Stdio::null()).stdout(Stdio::null());
        let log = File::create(log(folder)).map_err(|error| format!("no log can be written: {error}"))?;
        let child = serve.stderr(log).spawn().map_err(|error| format!("postgres does not start: {error}"))?;
        let mut cluster = Self { child, port, password };
        cluster.wait(folder)?;
        Ok(cluster)
    }

    /// Where clients connect, with the name and the password of its superuser.
    pub fn url(&self) -> String {
        let Self { port, password, .. } = self;
        format!("postgres://{USER}:{password}@127.0.0.1:{port}/postgres")
    }

    /// Its first process, whose children the others are.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// It writes into a file of its own that it is ready.
    fn wait(&mut self, folder: &Path) -> Result<(), String> {
        let status = data(folder).join("postmaster.pid");
        for _ in 0..LOOKS {
            if fs::read_to_string(&status).is_ok_and(|text| text.lines().any(|line| line.trim() == "ready")) {
                return Ok(());
            }
            if self.child.try_wait().is_ok_and(|status| status.is_some()) {
                break;
            }
            thread::sleep(PAUSE);
        }
        Err(format!("postgres does not get ready: {}", fs::read_to_string(log(folder)).unwrap_or_default()))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // At once, but with its memory given back.
        let _ = Command::new("kill").args(["-QUIT", &self.pid().to_string()]).status();
        let _ = self.child.wait();
    }
}

/// Its programs, and who runs them.
struct Programs {
    folder: PathBuf,
    /// User and group, where it must not be this process's.
    user: Option<(u32, u32)>,
}

impl Programs {
    /// Finds them, and makes the folder of the cluster theirs.
    fn find(cluster: &Path) -> Result<Self, String> {
        let folder = installed().ok_or("PostgreSQL is not installed: apt-get install postgresql")?;
        let me = fs::metadata("/proc/self").map_err(|error| format!("/proc cannot be read: {error}"))?.uid();
        let user = if me == 0 { Some(nobody()?) } else { None };
        if let Some((user, group)) = user {
            chown(cluster, Some(user), Some(group))
                .map_err(|error| format!("the folder cannot be given away: {error}"))?;
        }
        Ok(Self { folder, user })
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.folder.join(name));
        // The folder that this process is in may be closed to the other user.
        command.current_dir("/");
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }
}

/// The folder of the programs: one of `PATH`, else that of the latest release that Debian has installed.
fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let has_both = |folder: &PathBuf| ["initdb", "postgres"].iter().all(|name| folder.join(name).is_file());
    std::env::split_paths(&path).find(has_both).or_else(|| {
        let releases = fs::read_dir(DEBIAN).ok()?.flatten().filter_map(|entry| {
            let release: u32 = entry.file_name().to_str()?.parse().ok()?;
            Some((release, entry.path().join("bin"))).filter(|(_, folder)| has_both(folder))
        });
        releases.max().map(|(_, folder)| folder)
    })
}

/// The ids of a user that may do nothing, and of its group.
fn nobody() -> Result<(u32, u32), String> {
    let users = fs::read_to_string("/etc/passwd").map_err(|error| format!("/etc/passwd cannot be read: {error}"))?;
    ids(&users).ok_or_else(|| format!("there is no user {NOBODY}, as whom PostgreSQL could run"))
}

/// Name, password, user, group; then what does not matter here.
fn ids(users: &str) -> Option<(u32, u32)> {
    let mut fields = users.lines().find_map(|line| line.strip_prefix(NOBODY)?.strip_prefix(':'))?.split(':').skip(1);
    fields.next()?.parse().ok().zip(fields.next()?.parse().ok())
}

fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

fn log(folder: &Path) -> PathBuf {
    folder.join("log")
}

fn run(command: &mut Command) -> Result<(), String> {
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?} does not start: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    output.status.success().then_some(()).ok_or_else(|| format!("{command:?} has failed: {}", said.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skip::skipped;
    use std::net::TcpStream;

    #[test]
    fn it_listens_while_it_lives() {
        if let Some(why) = installed().is_none().then_some("PostgreSQL is not installed") {
            return skipped("a_private_postgresql", why);
        }
        let folder = tempfile::tempdir().unwrap();
        let cluster = Cluster::start(folder.path()).unwrap();
        let port = cluster.port;
        assert!(TcpStream::connect(("127.0.0.1", port)).is_ok());
        assert!(cluster.url().starts_with("postgres://voight:"));
        drop(cluster);
        assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    }

    #[test]
    fn the_ids_of_nobody_are_found_among_other_users() {
        let users = "root:x:0:0::/root:/bin/sh\nnobody2:x:7:8::/:/x\nnobody:x:65534:65533:nobody:/:/usr/sbin/nologin\n";
        assert_eq!(ids(users), Some((65534, 65533)));
        assert_eq!(ids("root:x:0:0\n"), None);
    }
}
