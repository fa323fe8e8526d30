//! An installation: a data directory, its secrets, and the store that belongs to them.

use crate::config::Config;
use crate::data_dir::{AdminToken, DataDir};
use crate::exit::{Exit, Failure};
use crate::lifecycle::block_on;
use crate::store_url::StoreUrl;
use crate::system::SystemClock;
use crate::wiring;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use voight_domain::ports::{Clock, StoreError};
use voight_http::Services;

/// The store of a data directory that names no other.
const DEFAULT_STORE: &str = "redb:voight.redb";

/// An installation that is open.
pub(crate) struct Installation {
    /// The data directory.
    pub(crate) data_dir: DataDir,
    /// The store.
    pub(crate) store: StoreUrl,
    /// The services over it.
    pub(crate) services: Services,
    /// The secret of operators.
    pub(crate) token: AdminToken,
    /// Whether it was created just now.
    pub(crate) is_new: bool,
}

impl Installation {
    /// Opens the installation that is configured, and creates what is missing. If it fails, nothing is left behind.
    pub(crate) fn open(config: &Config) -> Result<Self, Failure> {
        Self::open_by(config, Arc::new(SystemClock))
    }

    /// The same with another clock than the machine's.
    pub(crate) fn open_by(config: &Config, clock: Arc<dyn Clock>) -> Result<Self, Failure> {
        let mut data_dir = DataDir::inspect(&config.store.data_dir)?;
        let store = store_url(config, &data_dir)?;
        data_dir.create()?;
        let pepper = data_dir.pepper()?;
        let token = data_dir.admin_token()?;
        let traces = Traces::before(&store);
        let services = wiring::wire(config, &store, &pepper, clock).inspect_err(|failure| traces.remove(failure))?;
        block_on(services.operator.load_signing_key()).map_err(|error| unread(&store, &error))?;
        let is_new = data_dir.commit(store.remembered(data_dir.path()).as_deref())?;
        Ok(Self { data_dir, store, services, token, is_new })
    }
}

/// The store that is configured; else the one that the data directory was used with; else the one within it.
pub(crate) fn store_url(config: &Config, data_dir: &DataDir) -> Result<StoreUrl, Failure> {
    let parse = |text: &str| text.parse::<StoreUrl>().map_err(|error| Failure::configuration(error.to_string()));
    if !config.store.url.is_empty() {
        return parse(&config.store.url);
    }
    let remembered = data_dir.store_url()?;
    let text = remembered.as_deref().unwrap_or(DEFAULT_STORE);
    Ok(parse(text)?.within(data_dir.path()))
}

fn unread(store: &StoreUrl, error: &StoreError) -> Failure {
    Failure::internal(format!("the store {store} cannot be read ({error}); look at it with `voight store verify`"))
}

/// Files that a store which could not be created (a full disk, say) leaves behind.
struct Traces(Vec<PathBuf>);

impl Traces {
    /// Files that a new store at `url` would have, unless there is a store already.
    fn before(url: &StoreUrl) -> Self {
        let StoreUrl::Redb(path) = url else { return Self(Vec::new()) };
        let files =
            ["", ".evidence", ".id", ".id.new", ".log", ".evidence.log"].map(|suffix| with_suffix(path, suffix));
        if files.iter().any(|file| file.exists()) { Self(Vec::new()) } else { Self(files.to_vec()) }
    }

    /// Removes them, unless another process has created a store there in the meantime.
    fn remove(&self, failure: &Failure) {
        if failure.exit == Exit::Failure {
            for file in &self.0 {
                let _ = std::fs::remove_file(file);
            }
        }
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[cfg(test)]
#[path = "installation/tests.rs"]
mod tests;
