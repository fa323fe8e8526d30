//! Filling a store fast: many callers, whose writes share commits.

use super::{Account, Subject};
use anyhow::Result;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use voight_contract::block_on;
use voight_contract::make::{Maker, START, bot};
use voight_domain::ports::Store;
use voight_domain::vocabulary::{Environment, EoaAddress};

const CALLERS: u64 = 128;

/// Looks up, and finds to be bots, as many addresses as the ledger lacks of `rows` rows.
pub fn fill_up_to(subject: Subject, path: &Path, rows: u64) -> Result<()> {
    Filling::start(subject, path)?.work(rows)
}

/// Looks up, and finds to be bots, as many addresses as the ledger lacks of `rows` rows; says `full`, and goes on until killed.
pub fn fill(subject: Subject, path: &Path, rows: u64) -> Result<()> {
    let filling = Filling::start(subject, path)?;
    filling.work(rows)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "full")?;
    out.flush()?;
    filling.work(u64::MAX)
}

/// A store that is filled.
struct Filling {
    store: Arc<dyn Store>,
    account: Account,
    next: AtomicU64,
}

impl Filling {
    fn start(subject: Subject, path: &Path) -> Result<Self> {
        let store = subject.open(path)?;
        let account = Account::settle(store.as_ref())?;
        let kept = block_on(store.meter(account.client.id, Environment::Live))?.map_or(0, |meter| meter.seq);
        Ok(Self { store, account, next: AtomicU64::new(kept) })
    }

    fn work(&self, end: u64) -> Result<()> {
        thread::scope(|scope| {
            let callers: Vec<_> = (0..CALLERS).map(|_| scope.spawn(|| self.call(end))).collect();
            callers
                .into_iter()
                .try_for_each(|caller| caller.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    fn call(&self, end: u64) -> Result<()> {
        let Self { store, account, next } = self;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end {
                return Ok(());
            }
            // A place in the sequence of values that no other number reaches.
            let make = Maker::starting_at(number << 16);
            let mut address = [0; 20];
            address[..8].copy_from_slice(&number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
            let address = EoaAddress::from_bytes(address);
            block_on(store.answer(make.lookup(&account.key, &account.context, address)))?;
            block_on(store.conclude(make.conclusion(&account.context, address, bot(), START)))?;
        }
    }
}
