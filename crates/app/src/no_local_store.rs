//! Replacement of `local_store` in a build without the feature `server`, which opens no store.

use crate::admin_client::AdminClient;
use crate::config::Config;
use crate::data_dir::DataDir;
use crate::exit::CommandError;
use crate::wiring::StoreUrl;
use std::path::PathBuf;

/// Server that this build cannot start.
pub(crate) enum LocalAdmin {}

/// Returns a store URL for display, without the address of a database, which may contain a password. The server validates it.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the other build validates the URL"
)]
pub(crate) fn parse_url(text: &str) -> Result<String, String> {
    match text.split_once("://") {
        Some((scheme, _)) => Ok(format!("{scheme}://…")),
        None => Ok(text.to_owned()),
    }
}

/// Returns the store URL of the configuration, or else of the data directory.
pub(crate) fn url(config: &Config) -> Result<String, CommandError> {
    match config.store.url.as_str() {
        "" => Ok(DataDir::inspect(&config.store.data_dir)?
            .store_url()?
            .unwrap_or_default()),
        url => parse_url(url).map_err(CommandError::configuration),
    }
}

/// Returns `None`: the directory of a store is known to its server only.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the other build reads the data directory"
)]
pub(crate) fn directory(_: &Config) -> Result<Option<PathBuf>, CommandError> {
    Ok(None)
}

/// Returns `false`: no other process has to release a store for this one.
pub(crate) const fn is_in_files(_: &Config) -> bool {
    false
}

/// Fails because this build opens no store.
pub(crate) fn configured(_: &Config) -> Result<StoreUrl, CommandError> {
    Err(CommandError::unreachable(
        "no server answers, and this build of voight opens no store: start the server, or name another one with --server",
    ))
}

/// Fails because this build opens no store.
pub(crate) fn serve(config: &Config) -> Result<(AdminClient, LocalAdmin), CommandError> {
    configured(config).map(|url| match url {})
}
