//! One run of the program: its global flags, and what commands make of them.

use super::globals::GlobalArgs;
use crate::admin_client::AdminClient;
use crate::config::{self, ConfigErrors, ConfigSources, Flag, Loaded, Log};
use crate::exit::CommandError;
use crate::output::Output;
use crate::session::{self, AdminSession};
use crate::telemetry;

/// One run of the program.
#[derive(Debug, Clone)]
pub(crate) struct Invocation {
    pub(crate) globals: GlobalArgs,
    pub(crate) output: Output,
}

impl Invocation {
    /// A run with these flags.
    pub(crate) fn new(globals: GlobalArgs) -> Self {
        Self { output: Output::new(globals.json), globals }
    }

    /// The configuration, with keys that the command's own flags set.
    pub(crate) fn load(&self, own: Vec<Flag>) -> Result<Loaded, ConfigErrors> {
        let mut flags = self.globals.flags();
        flags.extend(own);
        let environment = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        config::load(ConfigSources { file: self.globals.config.clone(), environment, flags })
    }

    /// A way to the admin API: of a running server, or of one that is started for this command.
    pub(crate) fn session(&self) -> Result<AdminSession, CommandError> {
        let config = self.load(Vec::new())?.config;
        self.log_quietly(&config.log)?;
        AdminSession::open(&config, self.globals.server.as_deref())
    }

    /// The running server that the command is about: the named one, or that of the data directory.
    pub(crate) fn server(&self) -> Result<Option<AdminClient>, CommandError> {
        let config = self.load(Vec::new())?.config;
        session::server(&config, self.globals.server.as_deref())
    }

    /// Logs of a command that is over in a moment: only what is wrong, unless asked for more.
    fn log_quietly(&self, log: &Log) -> Result<(), CommandError> {
        let filter = self.globals.log.clone().unwrap_or_else(|| "warn".to_owned());
        telemetry::start(&Log { filter, json: log.json })
    }
}
