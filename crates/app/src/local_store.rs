//! Store of this machine, for commands that use the admin API.

use crate::admin_client::AdminClient;
use crate::config::Config;
use crate::data_dir::DataDir;
use crate::exit::CommandError;
use crate::installation::{Installation, store_url};
pub(crate) use crate::lifecycle::LocalAdmin;
use crate::lifecycle::block_on;
use crate::os::OsEntropy;
use crate::wiring::StoreUrl;
use std::path::{Path, PathBuf};
use voight_api::AdminTokenSecret;
use voight_domain::services::Services;

/// Validates a store URL. Returns it for display, without the password of a database.
pub(crate) fn parse_url(text: &str) -> Result<String, String> {
    text.parse::<StoreUrl>()
        .map(|url| url.to_string())
        .map_err(|error| error.to_string())
}

/// Returns the URL of the configured store.
pub(crate) fn url(config: &Config) -> Result<String, CommandError> {
    configured(config).map(|url| url.to_string())
}

/// Returns the directory of the configured store; `None` if the store is not in files.
pub(crate) fn directory(config: &Config) -> Result<Option<PathBuf>, CommandError> {
    Ok(configured(config)?
        .path()
        .and_then(Path::parent)
        .map(Path::to_owned))
}

/// Returns `true` if only one process at a time can open the store.
pub(crate) fn is_in_files(config: &Config) -> bool {
    configured(config).is_ok_and(|url| url.path().is_some())
}

/// Serves the admin API over the configured store, until the returned server is dropped.
pub(crate) fn serve(config: &Config) -> Result<(AdminClient, LocalAdmin), CommandError> {
    // A named token has its role without a running server, too.
    let named_token = DataDir::inspect(&config.store.data_dir)?
        .known_token()?
        .filter(|token| token.named_id().is_some());
    let services = Installation::open_services(config)?;
    let token = AdminTokenSecret::from_bytes(&OsEntropy.bytes());
    if let Some(named_token) = &named_token {
        reject_unless_known(&services, named_token)?;
    }
    let local = LocalAdmin::start(services, config, token.clone())?;
    let token = named_token.unwrap_or(token);
    Ok((
        AdminClient::new(&format!("http://{}", local.addr()), token),
        local,
    ))
}

/// Fails unless the store has the record of a named token that is not revoked.
fn reject_unless_known(services: &Services, named: &AdminTokenSecret) -> Result<(), CommandError> {
    let Some(id) = named.named_id() else {
        return Ok(());
    };
    match block_on(services.admin_tokens.active(id)) {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(CommandError::configuration(format!(
            "the store has no admin token {id}, or it was revoked; give another one in VOIGHT_ADMIN_TOKEN, or leave that empty for the \
             token of the data directory"
        ))),
        Err(error) => Err(CommandError::internal(error.to_string())),
    }
}

/// Returns the configured store, or the last one of the data directory.
pub(crate) fn configured(config: &Config) -> Result<StoreUrl, CommandError> {
    store_url(config, &DataDir::inspect(&config.store.data_dir)?)
}
