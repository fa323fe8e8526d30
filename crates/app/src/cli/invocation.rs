//! One invocation of the program: its global flags, and the helpers that commands share.

use super::globals::GlobalArgs;
use crate::admin_client::AdminClient;
use crate::config::{self, ConfigErrors, ConfigSources, Flag, Loaded, Log};
use crate::exit::CommandError;
use crate::output::Output;
use crate::session::{self, AdminSession};
use crate::telemetry;
use std::collections::HashMap;

/// One invocation of the program.
#[derive(Debug, Clone)]
pub(crate) struct Invocation {
    pub(crate) globals: GlobalArgs,
    pub(crate) output: Output,
    environment: HashMap<String, String>,
}

impl Invocation {
    /// Creates an invocation with these global flags in this environment.
    pub(crate) fn new(globals: GlobalArgs, environment: HashMap<String, String>) -> Self {
        Self {
            output: Output::from_json_flag(globals.json),
            globals,
            environment,
        }
    }

    /// Loads the configuration, with keys that the command's own flags set.
    pub(crate) fn load(&self, own: Vec<Flag>) -> Result<Loaded, ConfigErrors> {
        let mut flags = self.globals.flags();
        flags.extend(own);
        config::load(ConfigSources {
            file: self.globals.config_file(),
            environment: self.environment.clone(),
            flags,
        })
    }

    /// Opens a session of the admin API: of a running server, or of one that is started for this command.
    pub(crate) fn session(&self) -> Result<AdminSession, CommandError> {
        let config = self.load(Vec::new())?.config;
        self.log_quietly(&config.log)?;
        AdminSession::open(&config, self.globals.server.as_deref())
    }

    /// Returns a client of the running server: the one named by `--server`, or that of the data directory.
    pub(crate) fn server(&self) -> Result<Option<AdminClient>, CommandError> {
        let config = self.load(Vec::new())?.config;
        session::server(&config, self.globals.server.as_deref())
    }

    /// Starts logging for a short command: errors only, unless a filter was requested.
    fn log_quietly(&self, log: &Log) -> Result<(), CommandError> {
        let filter = self
            .globals
            .log
            .clone()
            .unwrap_or_else(|| "warn".to_owned());
        telemetry::start(&Log {
            filter,
            json: log.json,
        })
    }
}
