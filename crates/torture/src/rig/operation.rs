//! What is written, and whether it is there.

use super::Account;
use anyhow::{Result, bail, ensure};
use std::collections::HashMap;
use voight_contract::block_on;
use voight_contract::make::{Maker, START, address, audit, bot};
use voight_domain::check::{CheckConclusion, EvidenceBatch};
use voight_domain::metering::{LookupOutcome, LookupRequest};
use voight_domain::ports::{RegisterOutcome, Store};
use voight_domain::registry::{AuditAction, Context, ContextSettings};
use voight_domain::verdict::answer;
use voight_domain::vocabulary::{Environment, Timestamp};

/// Until when evidence is kept: for as long as there is room.
const FOREVER: Timestamp = Timestamp::from_millis(i64::MAX);
/// No ledger of a row is longer.
const ALL: usize = 10_000_000;
/// The bytes of a batch of evidence.
const BATCH: usize = 2000;

/// One call of a port. It follows from its place in a history, so whoever knows the place knows what has to be stored.
#[derive(Debug, Clone)]
pub enum Operation {
    /// A lookup, with an idempotency key or without.
    LookUp(Box<LookupRequest>),
    /// A check that found a bot.
    Conclude(Box<CheckConclusion>),
    /// A new context.
    Register(Box<Context>),
    /// A batch of evidence.
    Append(Box<EvidenceBatch>),
}

impl Operation {
    /// The `number`-th operation of a thread in the history of `seed`.
    pub fn at(account: &Account, seed: u64, thread: usize, number: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed ^ (thread as u64) << 48 ^ number);
        let (make, whom) = (Maker::starting_at(random.u64(..)), address(random.u32(..)));
        match number % 10 {
            2 => {
                let claim = Some(make.claim());
                Self::LookUp(Box::new(LookupRequest { claim, ..make.lookup(&account.key, &account.context, whom) }))
            }
            4 => Self::Register(Box::new(make.context(&account.key, START))),
            5 | 6 => Self::Conclude(Box::new(make.conclusion(&account.context, whom, bot(), START))),
            8 => {
                let challenge = make.challenge(&account.context, whom, START);
                Self::Append(Box::new(make.batch(&challenge, 0, BATCH, START)))
            }
            _ => Self::LookUp(Box::new(make.lookup(&account.key, &account.context, whom))),
        }
    }

    /// Makes the call; returns when the store has acknowledged it.
    pub fn call(self, store: &dyn Store) -> Result<()> {
        match self {
            Self::LookUp(request) => match block_on(store.answer(*request))? {
                LookupOutcome::Recorded(..) => Ok(()),
                other => bail!("a lookup was not recorded: {other:?}"),
            },
            Self::Conclude(conclusion) => block_on(store.conclude(*conclusion)).map(drop).map_err(Into::into),
            Self::Register(context) => {
                let entry = audit(AuditAction::ContextRegistered, &context.id, START);
                match block_on(store.register_context(*context, None, entry))? {
                    RegisterOutcome::Registered(_) => Ok(()),
                    other => bail!("a context was not registered: {other:?}"),
                }
            }
            Self::Append(batch) => block_on(store.append(*batch, FOREVER)).map(drop).map_err(Into::into),
        }
    }

    /// Whether it is stored, whole; an error if a part of it is.
    pub fn is_stored(&self, store: &dyn Store, found: &Found) -> Result<bool> {
        match self {
            Self::LookUp(request) => {
                let rows = found.lookups.get(&request.nonce).copied().unwrap_or(0);
                ensure!(rows <= 1, "a lookup has {rows} rows");
                Ok(rows == 1)
            }
            Self::Conclude(conclusion) => {
                let burnt = block_on(store.concluded(conclusion.check))?.is_some();
                let verdict = block_on(store.verdict(&conclusion.context, &conclusion.address))?;
                let is_bot = verdict.is_some_and(|verdict| answer(&verdict, &ContextSettings::default()).is_bot);
                // Another check may have found the same address to be a bot, so a flag alone says nothing.
                ensure!(!burnt || is_bot, "a check is burnt and its flag is not there");
                Ok(burnt)
            }
            Self::Register(context) => Ok(block_on(store.context(&context.id))?.is_some()),
            Self::Append(batch) => {
                let kept = block_on(store.batches(batch.challenge.check))?;
                ensure!(kept.is_empty() || kept == [(**batch).clone()], "evidence has changed");
                Ok(!kept.is_empty())
            }
        }
    }

    /// Whether it makes a row of the ledger.
    pub const fn is_lookup(&self) -> bool {
        matches!(self, Self::LookUp(_))
    }
}

/// The ledger as it was found, which is read once for many operations.
pub struct Found {
    /// How many rows have an opening with this nonce.
    lookups: HashMap<[u8; 16], u64>,
    /// Rows of the ledger.
    pub rows: u64,
}

impl Found {
    /// Reads the account's ledger.
    pub fn read(store: &dyn Store, account: &Account) -> Result<Self> {
        let entries = block_on(store.rows(account.client.id, Environment::Live, 0, ALL))?;
        let mut lookups = HashMap::new();
        for opening in entries.iter().filter_map(|entry| entry.opening) {
            *lookups.entry(opening.nonce).or_default() += 1;
        }
        Ok(Self { lookups, rows: entries.len() as u64 })
    }
}
