//! A server that a row breaks, again and again on the same store.

use super::Backend;
use crate::row::ScenarioCycle;
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

/// Where a server has its data, how it is configured, and where it listens now.
pub struct ServerUnderTest {
    subject: Backend,
    data_dir: PathBuf,
    store: PathBuf,
    settings: Vec<(&'static str, String)>,
    public: AtomicU16,
    admin: AtomicU16,
}

impl ServerUnderTest {
    /// With the store in the folder `disk`, and everything else in the cycle's own folder.
    pub fn for_cycle(cycle: &ScenarioCycle<'_>, disk: &Path) -> Self {
        Self::new(cycle.subject, cycle.folder.join("data"), disk.join("voight.store"))
    }

    /// With this data directory, on the store at this path.
    pub fn new(subject: Backend, data_dir: PathBuf, store: PathBuf) -> Self {
        Self { subject, data_dir, store, settings: Vec::new(), public: AtomicU16::new(0), admin: AtomicU16::new(0) }
    }

    /// Its data directory.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// The URL of its store.
    pub fn url(&self) -> String {
        format!("{}:{}", self.subject, self.store.display())
    }

    /// Sets a key of the configuration, by the name of its environment variable.
    #[must_use]
    pub fn with_setting(mut self, key: &'static str, value: &dyn ToString) -> Self {
        self.settings.push((key, value.to_string()));
        self
    }

    /// Starts the server, on ports that nobody used before.
    pub fn spawn(&self) -> Server {
        let (public, admin) = (ports::free(), ports::free());
        let server = Server::spawn_on(&self.data_dir, public, admin, |command| self.configure(command));
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

    /// The port of the public listener.
    pub fn public(&self) -> u16 {
        self.public.load(Ordering::SeqCst)
    }

    /// The port of the admin listener.
    pub fn admin(&self) -> u16 {
        self.admin.load(Ordering::SeqCst)
    }

    /// The secret of operators.
    pub fn token(&self) -> Result<String> {
        Ok(fs::read_to_string(self.data_dir.join("admin.token")).context("no admin token")?.trim().to_owned())
    }

    /// Opens the store that no server runs on any more.
    pub fn open(&self) -> Result<Arc<dyn Store>> {
        let pepper: Pepper = fs::read_to_string(self.data_dir.join("pepper")).context("no pepper")?.parse()?;
        self.subject.open_after_server(&self.store, pepper.commitment()).context("the store does not open")
    }

    /// Looks at every record of the store that nobody works on. An error names the damage.
    pub fn verify(&self) -> Result<()> {
        let report = self.subject.verify(&self.store).context("the store cannot be verified")?;
        let damage: Vec<_> = report.damage.iter().map(ToString::to_string).collect();
        ensure!(report.damaged == 0, "{} damaged records: {}", report.damaged, damage.join("; "));
        Ok(())
    }
}
