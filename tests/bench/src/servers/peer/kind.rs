//! Available peers.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use voight_tests::paths;

/// Requirements of a peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Directory for its files.
    Folder,
    /// PostgreSQL with default settings except for the number of connections: it syncs every commit.
    Postgres,
    /// Redis that syncs its log before it responds.
    Redis,
}

/// Program in `peers/`.
#[derive(Debug)]
pub(crate) struct PeerKind {
    /// Name in the JSON.
    pub(crate) name: &'static str,
    /// Name for readers.
    pub(crate) about: &'static str,
    /// Required database.
    pub(super) needs: Needs,
    /// Function that creates its command, with a directory for its files.
    command: fn(&Path) -> Result<Command>,
}

/// All peers.
pub(crate) const PEERS: [PeerKind; 4] = [
    PeerKind {
        name: "express",
        about: "Express + PostgreSQL",
        needs: Needs::Postgres,
        command: express,
    },
    PeerKind {
        name: "fastapi",
        about: "FastAPI + PostgreSQL",
        needs: Needs::Postgres,
        command: fastapi,
    },
    PeerKind {
        name: "axum_sqlite",
        about: "axum + SQLite",
        needs: Needs::Folder,
        command: |_| {
            Ok(Command::new(installed(
                "rust/release/voight-peer-axum-sqlite",
            )?))
        },
    },
    PeerKind {
        name: "axum_redis",
        about: "axum + Redis",
        needs: Needs::Redis,
        command: |_| {
            Ok(Command::new(installed(
                "rust/release/voight-peer-axum-redis",
            )?))
        },
    },
];

impl PeerKind {
    /// Returns `true` if it requires this database.
    pub(crate) fn is_on(&self, needs: Needs) -> bool {
        self.needs == needs
    }

    /// Returns `true` if its database is a separate server.
    pub(crate) fn has_server(&self) -> bool {
        self.needs != Needs::Folder
    }

    pub(super) fn command(&self, dir: &Path) -> Result<Command> {
        (self.command)(dir)
    }
}

/// Returns the command for Express. Node.js searches libraries next to a program, so the program is copied there.
fn express(dir: &Path) -> Result<Command> {
    let from = sources("express");
    let to = dir.join("program");
    fs::create_dir(&to)?;
    for file in ["package.json", "server.js", "books.js"] {
        fs::copy(from.join(file), to.join(file))
            .with_context(|| format!("{file} of Express cannot be copied"))?;
    }
    symlink(installed("express/node_modules")?, to.join("node_modules"))?;
    let mut command = Command::new("node");
    command
        .arg(to.join("server.js"))
        .env("NODE_ENV", "production");
    Ok(command)
}

fn fastapi(_: &Path) -> Result<Command> {
    let mut command = Command::new(installed("fastapi/bin/python")?);
    // Without bytecode files in the source directory.
    command.arg("-B").arg(sources("fastapi").join("main.py"));
    Ok(command)
}

/// Returns the source directory of a peer.
pub(super) fn sources(name: &str) -> PathBuf {
    paths::repository().join("tests/bench/peers").join(name)
}

fn installed(path: &str) -> Result<PathBuf> {
    let path = paths::tools().join("peers").join(path);
    ensure!(
        path.exists(),
        "{} is missing; `cargo xtask bench --compare` installs it",
        path.display()
    );
    Ok(path)
}
