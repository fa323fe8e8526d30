//! Server under test. A scenario restarts it repeatedly on one store.

use super::Backend;
use crate::scenario::ScenarioCycle;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use voight_domain::ports::Store;
use voight_domain::secrets::Pepper;
use voight_tests::ports;
use voight_tests::server::Server;

/// Server under test, with its data directory, configuration and current ports.
pub struct ServerUnderTest {
    backend: Backend,
    data_dir: PathBuf,
    store: PathBuf,
    settings: Vec<(&'static str, String)>,
    public: AtomicU16,
    admin: AtomicU16,
}

impl ServerUnderTest {
    /// Creates a server with the store in the directory `disk` and all other files in the cycle's directory.
    pub fn for_cycle(cycle: &ScenarioCycle<'_>, disk: &Path) -> Self {
        Self::new(
            cycle.backend,
            cycle.dir.join("data"),
            disk.join("voight.store"),
        )
    }

    /// Creates a server with this data directory and store path.
    pub fn new(backend: Backend, data_dir: PathBuf, store: PathBuf) -> Self {
        Self {
            backend,
            data_dir,
            store,
            settings: Vec::new(),
            public: AtomicU16::new(0),
            admin: AtomicU16::new(0),
        }
    }

    /// Returns the data directory.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Returns the URL of the store.
    pub fn url(&self) -> String {
        format!("{}:{}", self.backend, self.store.display())
    }

    /// Sets a configuration key, by the name of its environment variable.
    #[must_use]
    pub fn with_setting(mut self, key: &'static str, value: &dyn ToString) -> Self {
        self.settings.push((key, value.to_string()));
        self
    }

    /// Starts the server on unused ports.
    pub fn spawn(&self) -> Server {
        let public = ports::free();
        let admin = ports::free();
        let server = Server::spawn_on(&self.data_dir, public, admin, |command| {
            self.configure(command);
        });
        self.public.store(public, Ordering::SeqCst);
        self.admin.store(admin, Ordering::SeqCst);
        server
    }

    /// Starts the server and waits until it is ready.
    pub fn start(&self) -> Server {
        let mut server = self.spawn();
        server.wait_until_ready();
        server
    }

    fn configure(&self, command: &mut Command) {
        command.env("VOIGHT__STORE__URL", self.url());
        command.envs(self.settings.iter().map(|(key, value)| (key, value)));
    }

    /// Returns the port of the public listener.
    pub fn public(&self) -> u16 {
        self.public.load(Ordering::SeqCst)
    }

    /// Returns the port of the admin listener.
    pub fn admin(&self) -> u16 {
        self.admin.load(Ordering::SeqCst)
    }

    /// Reads the admin token.
    pub fn token(&self) -> Result<String> {
        Ok(fs::read_to_string(self.data_dir.join("admin.token"))
            .context("no admin token")?
            .trim()
            .to_owned())
    }

    /// Opens the store after the server has stopped.
    pub fn open(&self) -> Result<Arc<dyn Store>> {
        let pepper: Pepper = fs::read_to_string(self.data_dir.join("pepper"))
            .context("no pepper")?
            .parse()?;
        self.backend
            .open_after_server(&self.store, pepper.commitment())
            .context("the store does not open")
    }

    /// Verifies every record of the store offline. An error names the damage.
    pub fn verify(&self) -> Result<()> {
        let report = self
            .backend
            .verify(&self.store)
            .context("the store cannot be verified")?;
        let damage: Vec<_> = report.damage.iter().map(ToString::to_string).collect();
        ensure!(
            report.damaged == 0,
            "{} damaged records: {}",
            report.damaged,
            damage.join("; ")
        );
        Ok(())
    }
}
