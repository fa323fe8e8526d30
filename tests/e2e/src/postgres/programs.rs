//! Programs of PostgreSQL, and the user that runs them.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Debian's directory of PostgreSQL releases, whose programs are not in `PATH`.
const DEBIAN: &str = "/usr/lib/postgresql";
/// Programs that the tests use.
const PROGRAMS: [&str; 4] = ["initdb", "postgres", "pg_ctl", "pg_basebackup"];
/// User for the servers if this process is root's, because PostgreSQL rejects to run as root.
const UNPRIVILEGED_USER: &str = "nobody";

/// Programs, and the user that runs them.
pub(super) struct PostgresBinaries {
    folder: PathBuf,
    /// User and group, if they must differ from those of this process.
    user: Option<(u32, u32)>,
}

impl PostgresBinaries {
    /// Finds the programs, and gives the directory of the cluster to their user.
    pub(super) fn find(cluster: &Path) -> Result<Self, String> {
        Self::in_folder(
            installed().ok_or("PostgreSQL is not installed: apt-get install postgresql")?,
            cluster,
        )
    }

    /// Uses the programs of this directory, and gives the directory of the cluster to their user.
    pub(super) fn in_folder(folder: PathBuf, cluster: &Path) -> Result<Self, String> {
        let me = fs::metadata("/proc/self")
            .map_err(|error| format!("/proc cannot be read: {error}"))?
            .uid();
        let user = if me == 0 {
            Some(unprivileged_ids()?)
        } else {
            None
        };
        if let Some((user, group)) = user {
            chown(cluster, Some(user), Some(group))
                .map_err(|error| format!("the folder cannot be given away: {error}"))?;
        }
        Ok(Self { folder, user })
    }

    /// Returns the directory of the programs.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.folder.join(name));
        // The other user may have no access to the working directory of this process.
        command.current_dir("/");
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }
}

/// Returns the directory of the programs: one of `PATH`, or the latest release installed by Debian.
pub(super) fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let has_all = |folder: &PathBuf| PROGRAMS.iter().all(|name| folder.join(name).is_file());
    std::env::split_paths(&path).find(has_all).or_else(|| {
        let releases = fs::read_dir(DEBIAN).ok()?.flatten().filter_map(|entry| {
            let release: u32 = entry.file_name().to_str()?.parse().ok()?;
            Some((release, entry.path().join("bin"))).filter(|(_, folder)| has_all(folder))
        });
        releases.max().map(|(_, folder)| folder)
    })
}

/// Returns the ids of an unprivileged user and its group.
fn unprivileged_ids() -> Result<(u32, u32), String> {
    let users = fs::read_to_string("/etc/passwd")
        .map_err(|error| format!("/etc/passwd cannot be read: {error}"))?;
    ids(&users).ok_or_else(|| {
        format!("there is no user {UNPRIVILEGED_USER}, as whom PostgreSQL could run")
    })
}

/// Returns the ids of the unprivileged user from the text of `/etc/passwd`.
///
/// Fields are name, password, user, group and others.
fn ids(users: &str) -> Option<(u32, u32)> {
    let mut fields = users
        .lines()
        .find_map(|line| line.strip_prefix(UNPRIVILEGED_USER)?.strip_prefix(':'))?
        .split(':')
        .skip(1);
    fields.next()?.parse().ok().zip(fields.next()?.parse().ok())
}

/// Runs a command to completion; returns its output, or its error output as the error.
pub(super) fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().display().to_string();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{program} does not start: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(format!("{program} failed: {}", text(&output.stderr)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_the_unprivileged_user_are_found() {
        let users = "root:x:0:0::/root:/bin/sh\nnobody2:x:7:8::/:/x\nnobody:x:65534:65533:nobody:/:/usr/sbin/nologin\n";
        assert_eq!(ids(users), Some((65534, 65533)));
        assert_eq!(ids("root:x:0:0\n"), None);
    }
}
