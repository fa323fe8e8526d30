//! Global flags.

use crate::config::Flag;
use crate::local_store::parse_url;
use crate::telemetry::log_filter;
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use std::path::PathBuf;

/// Configuration file that packages install.
const SYSTEM_CONFIG: &str = "/etc/voight/voight.toml";

/// Global flags, accepted by every command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalArgs {
    /// Print data and errors as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Data directory: secrets and, by default, the store [default: ./voight-data]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Admin listener of a running server, for example `http://127.0.0.1:8081` or `unix:/srv/voight/admin.sock` [default: the
    /// socket in the data directory]
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// Configuration file (TOML); empty for none [default: /etc/voight/voight.toml if it exists]
    #[arg(long, global = true, value_name = "FILE", env = "VOIGHT_CONFIG", value_parser = any_path())]
    pub(crate) config: Option<PathBuf>,
    /// Store URL: redb:PATH, sled:PATH, `postgres://USER@HOST/DATABASE`, or memory: for a store that ends with the process
    /// [default: redb: in the data directory]
    #[arg(long, global = true, value_name = "URL", value_parser = store_url)]
    pub(crate) store: Option<String>,
    /// Log filter, for example `debug` or `info,voight_http=debug`
    #[arg(long, global = true, value_name = "FILTER", value_parser = log_filter)]
    pub(crate) log: Option<String>,
}

/// Returns a parser of paths that also accepts the empty one, which the default parser rejects.
fn any_path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// Validates a store URL and returns it unchanged, because the configuration parses it again.
fn store_url(text: &str) -> Result<String, String> {
    parse_url(text).map(|_| text.to_owned())
}

fn log_filter(text: &str) -> Result<String, String> {
    log_filter::parse(text)
        .map(|_| text.to_owned())
        .map_err(|failure| failure.message)
}

impl GlobalArgs {
    /// Returns the configuration file: the named one, or that of the system if it exists.
    pub(crate) fn config_file(&self) -> Option<PathBuf> {
        match &self.config {
            Some(named) => Some(named.clone()).filter(|path| !path.as_os_str().is_empty()),
            None => Some(PathBuf::from(SYSTEM_CONFIG)).filter(|path| path.exists()),
        }
    }

    /// Returns the configuration keys that these flags set.
    pub(crate) fn flags(&self) -> Vec<Flag> {
        let data_dir = self
            .data_dir
            .as_ref()
            .map(|dir| dir.to_string_lossy().into_owned());
        let keys = [
            ("store.data_dir", data_dir),
            ("store.url", self.store.clone()),
            ("log.filter", self.log.clone()),
        ];
        keys.into_iter()
            .filter_map(|(key, value)| Some(Flag { key, value: value? }))
            .collect()
    }
}
