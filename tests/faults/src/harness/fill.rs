//! Bulk filling of a store by many concurrent callers, whose writes share commits.

use super::{Backend, TestAccount};
use anyhow::Result;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use voight_contract::block_on;
use voight_contract::generate::{START, ValueGenerator, bot};
use voight_domain::metering::{LedgerId, LookupRequest};
use voight_domain::ports::Store;
use voight_domain::registry::Context;
use voight_domain::vocabulary::EoaAddress;

const CALLERS: u64 = 128;
/// Number of addresses of a context.
///
/// A check is compared with all earlier ones of its context, so a context of a million addresses would take about an hour.
const ADDRESSES_PER_CONTEXT: u64 = 10_000;
/// Offset of context numbers, above all address numbers.
const CONTEXT_NUMBER_BASE: u64 = 1 << 40;

/// Fills the store until the ledger has `rows` rows: looks up addresses with idempotency keys and flags them.
pub fn fill_up_to(backend: Backend, path: &Path, rows: u64) -> Result<()> {
    StoreFiller::start(backend, path)?.work(rows)
}

/// Fills the store like [`fill_up_to`], prints `full`, and continues to write until killed.
pub fn fill(backend: Backend, path: &Path, rows: u64) -> Result<()> {
    let filling = StoreFiller::start(backend, path)?;
    filling.work(rows)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "full")?;
    out.flush()?;
    filling.work(u64::MAX)
}

/// Store that is being filled.
struct StoreFiller {
    store: Arc<dyn Store>,
    account: TestAccount,
    next: AtomicU64,
    /// Last context that was used, with its number.
    quest: Mutex<Option<(u64, Context)>>,
}

impl StoreFiller {
    fn start(backend: Backend, path: &Path) -> Result<Self> {
        let store = backend.open(path)?;
        let account = TestAccount::find_or_create(store.as_ref())?;
        let first =
            block_on(store.meter(LedgerId::live(account.client.id)))?.map_or(0, |meter| meter.seq);
        Ok(Self {
            store,
            account,
            next: AtomicU64::new(first),
            quest: Mutex::default(),
        })
    }

    fn work(&self, end: u64) -> Result<()> {
        thread::scope(|scope| {
            let callers: Vec<_> = (0..CALLERS)
                .map(|_| scope.spawn(|| self.call(end)))
                .collect();
            callers.into_iter().try_for_each(|caller| {
                caller
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }

    fn call(&self, end: u64) -> Result<()> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= end {
                return Ok(());
            }
            let generator = generator_for(number);
            let mut address = [0; 20];
            address[..8].copy_from_slice(&number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
            let address = EoaAddress::from_bytes(address);
            let quest = self.quest(number / ADDRESSES_PER_CONTEXT)?;
            let lookup = generator.lookup(&self.account.key, &quest, address);
            block_on(self.store.answer(LookupRequest {
                idempotency: Some(generator.idempotency()),
                ..lookup
            }))?;
            block_on(
                self.store
                    .conclude(generator.conclusion(&quest, address, bot(), START)),
            )?;
        }
    }

    /// Finds or registers the context with this number.
    fn quest(&self, number: u64) -> Result<Context> {
        let mut last = self.quest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, quest)) = last.as_ref().filter(|(known, _)| *known == number) {
            return Ok(quest.clone());
        }
        let quest = self.account.find_or_register_context(
            self.store.as_ref(),
            &generator_for(CONTEXT_NUMBER_BASE + number),
        )?;
        Ok(last.insert((number, quest)).1.clone())
    }
}

/// Returns a generator whose values are disjoint from those of every other number.
const fn generator_for(number: u64) -> ValueGenerator {
    ValueGenerator::starting_at(number << 16)
}
