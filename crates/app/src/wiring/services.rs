//! Services over the store at a URL.

use super::database::with_password;
use super::failure::{open_failure, postgres_open_failure};
use super::outbound::outbound;
use super::store_url::with_engine;
use super::{EngineKind, StoreUrl, database};
use crate::config::Config;
use crate::exit::{CommandError, Exit};
use crate::os::OsEntropy;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use voight_detect::{DetectionPolicy, RuleAssessor};
use voight_domain::ports::{Clock, Entropy, Store};
use voight_domain::secrets::{Pepper, Secrets};
use voight_domain::services::{Ports, Services};
use voight_embedded::{StoreOptions, StorePaths};
use voight_memory::MemoryStore;
use voight_postgres::PostgresOptions;

/// Number of the first signing key; opening a store switches to the key that it names.
const FIRST_SIGNER: u32 = 0;

/// Opens the store at `url` and creates the services over it, with `clock` as their clock.
pub(crate) fn wire(
    config: &Config,
    url: &StoreUrl,
    pepper: &Pepper,
    clock: Arc<dyn Clock>,
) -> Result<Services, CommandError> {
    let entropy: Arc<dyn Entropy> = Arc::new(OsEntropy);
    let assessor = Arc::new(assessor(&config.checks.policy_file)?);
    let outbound = outbound(&config.outbound)?;
    let time = Arc::clone(&clock);
    let pepper_commitment = pepper.commitment();
    let store: Arc<dyn Store> = match url {
        StoreUrl::Memory => Arc::new(MemoryStore::new(time, config.evidence.max_bytes())),
        StoreUrl::Postgres(url) => {
            let options = PostgresOptions {
                url: with_password(url),
                evidence_max_bytes: config.evidence.max_bytes(),
            };
            let open_result =
                voight_postgres::open(&options, time, entropy.as_ref(), pepper_commitment);
            open_result.map_err(|error| postgres_open_failure(&error))?
        }
        StoreUrl::Files(..) => with_engine!(url, |Engine, path| {
            let options = options(config, path);
            let open_result = voight_embedded::open::<Engine>(
                &options,
                time,
                entropy.as_ref(),
                pepper_commitment,
            );
            open_result
                .map(|store| store as Arc<dyn Store>)
                .map_err(|error| open_failure(&error))
        })?,
    };
    let secrets = Secrets::derive(pepper, FIRST_SIGNER);
    let ports = Ports {
        store,
        assessor: Arc::clone(&assessor) as _,
        candidates: assessor,
        clock,
        entropy,
        outbound,
        secrets,
    };
    Ok(Services::new(&ports, config.policies()))
}

/// Returns `true` if a store, or a part of one, exists at `url`. Writes nothing.
pub(crate) fn has_store(url: &StoreUrl) -> Result<bool, CommandError> {
    match (url, url.path()) {
        (_, Some(path)) => Ok(exists(&StorePaths::for_store(path))),
        (StoreUrl::Postgres(url), _) => database::exists(url),
        _ => Ok(false),
    }
}

fn exists(paths: &StorePaths) -> bool {
    paths.paths().iter().any(|path| path.exists())
}

/// Files that remain of a store whose creation failed, for example on a full disk.
pub(crate) struct NewStoreFiles(Vec<PathBuf>);

impl NewStoreFiles {
    /// Returns the files that a new store at `url` would have; none if a store exists already.
    pub(crate) fn detect(url: &StoreUrl) -> Self {
        let StoreUrl::Files(EngineKind::Redb, path) = url else {
            return Self(Vec::new());
        };
        let paths = StorePaths::for_store(path);
        let files = paths
            .paths()
            .map(Path::to_owned)
            .into_iter()
            .chain([paths.sidecar.with_extension("id.new")]);
        Self(if exists(&paths) {
            Vec::new()
        } else {
            files.collect()
        })
    }

    /// Removes the files, unless another process has created a store there in the meantime.
    pub(crate) fn remove(&self, failure: &CommandError) {
        if failure.exit == Exit::Failure {
            for file in &self.0 {
                let _ = fs::remove_file(file);
            }
        }
    }
}

/// Returns the assessor for this policy file; for the rules of the release if `file` is empty.
fn assessor(file: &str) -> Result<RuleAssessor, CommandError> {
    if file.is_empty() {
        return Ok(RuleAssessor::new());
    }
    let wrong = |why: &dyn Display| {
        let remedy = "correct it, or leave the key empty for the rules of the release";
        CommandError::configuration(format!(
            "checks.policy_file {file} is not a policy ({why}); {remedy}"
        ))
    };
    let text = fs::read(file).map_err(|error| wrong(&error))?;
    DetectionPolicy::read(&text)
        .map(RuleAssessor::with_policy)
        .map_err(|error| wrong(&error))
}

fn options(config: &Config, path: &Path) -> StoreOptions {
    StoreOptions {
        path: path.to_owned(),
        cache_bytes: usize::try_from(config.store.cache_mib.saturating_mul(1 << 20))
            .unwrap_or(usize::MAX),
        evidence_max_bytes: config.evidence.max_bytes(),
        reserved_free_bytes: config.store.reserved_free_bytes(),
    }
}
