//! The only file that names adapters: it picks a store by its URL and puts the services together over it.

use crate::config::Config;
use crate::exit::{Exit, Failure};
use crate::store_url::StoreUrl;
use crate::system::OsEntropy;
use std::env;
use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use voight_detect::{Policy, RuleAssessor};
use voight_domain::ports::{Clock, Entropy, Store};
use voight_domain::secrets::{Pepper, Secrets};
use voight_http::{Ports, Services};
use voight_memory::MemoryStore;
use voight_postgres::PostgresOptions;
pub(crate) use voight_postgres::{
    Draft as DatabaseDraft, Moment as DatabaseMoment, OpenError as DatabaseRefusal, Pending, PostgresUrl,
    PostgresUrlError, Snapshot as DatabaseSnapshot, Spread, StoreIdentity, distribute, migrate,
};
use voight_redb::LoggedRedb;
use voight_store::{OnDisk, OpenError, StoreOptions};

/// The first signing key; whoever opens the store goes on to the one that it names.
const FIRST_SIGNER: u32 = 0;

/// Where the tools of PostgreSQL look for a password, too.
const PASSWORD: &str = "PGPASSWORD";

/// Opens the store at `url`, and puts the services together over it. They go by `clock`.
pub(crate) fn wire(
    config: &Config,
    url: &StoreUrl,
    pepper: &Pepper,
    clock: Arc<dyn Clock>,
) -> Result<Services, Failure> {
    let entropy: Arc<dyn Entropy> = Arc::new(OsEntropy);
    let judge = assessor(&config.checks.policy_file)?;
    match url {
        StoreUrl::Memory => {
            let store = Arc::new(MemoryStore::new(Arc::clone(&clock), config.evidence.budget_bytes()));
            Ok(services(config, &store, judge, pepper, clock, entropy))
        }
        StoreUrl::Redb(path) => {
            let options = options(config, path);
            let opened = voight_redb::open(&options, Arc::clone(&clock), entropy.as_ref(), pepper.commitment());
            Ok(services(config, &opened.map_err(|error| refused(&error))?, judge, pepper, clock, entropy))
        }
        #[cfg(feature = "sled")]
        StoreUrl::Sled(path) => {
            let options = options(config, path);
            let opened = voight_sled::open(&options, Arc::clone(&clock), entropy.as_ref(), pepper.commitment());
            Ok(services(config, &opened.map_err(|error| refused(&error))?, judge, pepper, clock, entropy))
        }
        StoreUrl::Postgres(url) => {
            let options = PostgresOptions { url: with_password(url), evidence_budget: config.evidence.budget_bytes() };
            let opened = voight_postgres::open(&options, Arc::clone(&clock), entropy.as_ref(), pepper.commitment());
            let store = opened.map_err(|error| refused_by_database(&error))?;
            Ok(services(config, &store, judge, pepper, clock, entropy))
        }
    }
}

/// The URL with the password of the environment, if it has none.
pub(crate) fn with_password(url: &PostgresUrl) -> PostgresUrl {
    url.clone().or_password(env::var(PASSWORD).ok().as_deref())
}

/// Work on the files of a store that no server runs on, whatever engine it is on.
pub(crate) trait FileWork {
    /// What comes of it.
    type Output;

    /// Does it on the store at `path`.
    fn on<E: OnDisk>(self, path: &Path) -> Result<Self::Output, Failure>;
}

/// Does `work` with the engine of the store at `url`.
pub(crate) fn on_files<W: FileWork>(url: &StoreUrl, work: W) -> Result<W::Output, Failure> {
    match url {
        StoreUrl::Redb(path) => work.on::<LoggedRedb>(path),
        #[cfg(feature = "sled")]
        StoreUrl::Sled(path) => work.on::<voight_sled::SledEngine>(path),
        StoreUrl::Postgres(url) => Err(Failure::new(
            Exit::Usage,
            format!(
                "the store {url} is a database and has no files of ours; look at it through its server, and back it up with pg_basebackup or pg_dump"
            ),
        )),
        StoreUrl::Memory => {
            let sentence = "the store memory: ends with its process and has no files; name a store that stays, for example redb:PATH";
            Err(Failure::new(Exit::Usage, sentence))
        }
    }
}

/// The assessor by the policy in this file, or by the rules of the release if none is named.
fn assessor(file: &str) -> Result<RuleAssessor, Failure> {
    if file.is_empty() {
        return Ok(RuleAssessor::new());
    }
    let wrong = |why: &dyn Display| {
        let rest = "put it right, or leave the key empty for the rules of the release";
        Failure::configuration(format!("checks.policy_file {file} is no policy ({why}); {rest}"))
    };
    let text = fs::read(file).map_err(|error| wrong(&error))?;
    Policy::read(&text).map(RuleAssessor::with_policy).map_err(|error| wrong(&error))
}

fn services<S: Store + 'static>(
    config: &Config,
    store: &Arc<S>,
    assessor: RuleAssessor,
    pepper: &Pepper,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
) -> Services {
    let assessor = Arc::new(assessor);
    let store = Arc::clone(store) as Arc<dyn Store>;
    let ports = Ports { store, assessor: Arc::clone(&assessor) as _, candidates: assessor, clock, entropy };
    let secrets = Secrets::derive(pepper, FIRST_SIGNER);
    Services::over(ports, secrets, config.allowance.rules(config.billing.price_book()), config.checks.policy())
}

fn options(config: &Config, path: &Path) -> StoreOptions {
    StoreOptions {
        path: path.to_owned(),
        cache_bytes: usize::try_from(config.store.cache_mib.saturating_mul(1 << 20)).unwrap_or(usize::MAX),
        evidence_budget: config.evidence.budget_bytes(),
        reserve: config.store.reserve_mib.saturating_mul(1 << 20),
    }
}

/// A store that another process holds can be reached through that process; everything else is for the operator to put right.
pub(crate) fn refused(error: &OpenError) -> Failure {
    let exit = match error {
        OpenError::Missing { .. } => Exit::NotFound,
        OpenError::Held { .. } => Exit::Unreachable,
        OpenError::Io { .. } | OpenError::Damaged { .. } | OpenError::Mendable { .. } | OpenError::NoBackup { .. } => {
            Exit::Failure
        }
        _ => Exit::Configuration,
    };
    Failure::new(exit, error.to_string())
}

/// A database that nobody answers at may be started; everything else is for the operator to put right.
pub(crate) fn refused_by_database(error: &DatabaseRefusal) -> Failure {
    let exit = match error {
        DatabaseRefusal::Unreachable { .. } => Exit::Unreachable,
        DatabaseRefusal::Damaged { .. } | DatabaseRefusal::Unknown { .. } => Exit::Failure,
        DatabaseRefusal::Missing { .. } => Exit::NotFound,
        _ => Exit::Configuration,
    };
    Failure::new(exit, error.to_string())
}
