//! Installation: a data directory with its secrets, and its store.

use crate::config::Config;
use crate::data_dir::DataDir;
use crate::exit::{CommandError, Exit};
use crate::lifecycle::block_on;
use crate::os::SystemClock;
use crate::wiring::{self, DEFAULT_STORE, NewStoreFiles, StoreUrl, has_store};
use std::sync::Arc;
use voight_api::AdminTokenSecret;
use voight_domain::ports::{Clock, StoreError};
use voight_domain::services::Services;

/// Open installation.
pub(crate) struct Installation {
    /// Data directory.
    pub(crate) data_dir: DataDir,
    /// URL of the store.
    pub(crate) store: StoreUrl,
    /// Services over the store.
    pub(crate) services: Services,
    /// Admin token.
    pub(crate) token: AdminTokenSecret,
    /// `true` when this process has created the installation with its store.
    pub(crate) is_new: bool,
}

impl Installation {
    /// Opens the configured installation and creates missing parts. On failure, all created files are removed.
    pub(crate) fn open(config: &Config) -> Result<Self, CommandError> {
        Self::open_by(config, Arc::new(SystemClock))
    }

    /// Opens the services over the configured store for one command. Creates nothing: a missing store or pepper is an error.
    pub(crate) fn open_services(config: &Config) -> Result<Services, CommandError> {
        let data_dir = DataDir::inspect(&config.store.data_dir)?;
        let _lock = data_dir.lock_if_created()?;
        let store = store_url(config, &data_dir)?;
        let pepper = data_dir.known_pepper()?;
        if !has_store(&store)? {
            return Err(no_store(&store, &data_dir));
        }
        let pepper = pepper.ok_or_else(|| no_pepper(&store, &data_dir))?;
        let services = wiring::wire(config, &store, &pepper, Arc::new(SystemClock))?;
        block_on(services.operator.load_signing_key())
            .map_err(|error| unreadable(&store, &error))?;
        Ok(services)
    }

    /// Opens the installation like [`open`](Self::open), with `clock` instead of the clock of the machine.
    pub(crate) fn open_by(config: &Config, clock: Arc<dyn Clock>) -> Result<Self, CommandError> {
        let mut data_dir = DataDir::inspect(&config.store.data_dir)?;
        let store = store_url(config, &data_dir)?;
        data_dir.create()?;
        // A new pepper cannot open a store that was created with another one.
        let is_new_store = !has_store(&store)?;
        if data_dir.known_pepper()?.is_none() && !is_new_store {
            return Err(no_pepper(&store, &data_dir));
        }
        let pepper = data_dir.pepper()?;
        let token = data_dir.admin_token()?;
        let traces = NewStoreFiles::detect(&store);
        let services = wiring::wire(config, &store, &pepper, clock)
            .inspect_err(|failure| traces.remove(failure))?;
        block_on(services.operator.load_signing_key())
            .map_err(|error| unreadable(&store, &error))?;
        let has_created_files =
            data_dir.commit(store.persisted_form(data_dir.path()).as_deref())?;
        let is_new = has_created_files && is_new_store;
        Ok(Self {
            data_dir,
            store,
            services,
            token,
            is_new,
        })
    }
}

/// Returns the configured store; else the last store of the data directory; else the default one in it.
pub(crate) fn store_url(config: &Config, data_dir: &DataDir) -> Result<StoreUrl, CommandError> {
    let parse = |text: &str| {
        text.parse::<StoreUrl>()
            .map_err(|error| CommandError::configuration(error.to_string()))
    };
    if !config.store.url.is_empty() {
        return parse(&config.store.url);
    }
    let stored_url = data_dir.store_url()?;
    let text = stored_url.as_deref().unwrap_or(DEFAULT_STORE);
    Ok(parse(text)?.within(data_dir.path()))
}

fn no_store(store: &StoreUrl, data_dir: &DataDir) -> CommandError {
    if *store == StoreUrl::Memory {
        let sentence = "the store memory: is in the process of its server only, and no server of this data directory answers: start \
                        `voight --store memory: serve`, or name another directory with --data-dir";
        return CommandError::new(Exit::NotFound, sentence);
    }
    let dir = data_dir.path().display();
    let missing_store = if store
        .path()
        .is_some_and(|path| path.starts_with(data_dir.path()))
    {
        format!("there is no store in {dir}")
    } else {
        format!("there is no store at {store}")
    };
    let sentence = format!(
        "{missing_store}, and this command creates none: name the directory of a store with --data-dir, or create one with `voight store init` or \
         `voight serve`"
    );
    CommandError::new(Exit::NotFound, sentence)
}

/// Returns the failure for a store whose pepper is missing, for example after a restore from a backup.
fn no_pepper(store: &StoreUrl, data_dir: &DataDir) -> CommandError {
    if store.path().is_some()
        && let Err(failure) = wiring::check_identity(store)
    {
        return failure;
    }
    CommandError::configuration(format!(
        "the store {store} opens only with the pepper that it was created with, and {} is absent: put that pepper there, or into VOIGHT_PEPPER",
        data_dir.pepper_path().display()
    ))
}

fn unreadable(store: &StoreUrl, error: &StoreError) -> CommandError {
    CommandError::internal(format!(
        "the store {store} cannot be read ({error}); run `voight store verify`"
    ))
}

#[cfg(test)]
#[path = "installation/tests.rs"]
mod tests;
