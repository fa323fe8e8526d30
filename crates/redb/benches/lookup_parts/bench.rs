//! Benchmark store with a client that does lookups.

use crate::without::TableFilterEngine;
use crate::{BenchResult, CALLERS, Elapsed, Variant};
use rustix::time::ClockId;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use voight_contract::block_on;
use voight_contract::generate::{START, ValueGenerator, address, audit, book};
use voight_domain::billing::{Currency, Money};
use voight_domain::metering::{LedgerId, Limit, LookupOutcome, LookupRequest};
use voight_domain::ports::{RegisterOutcome, Store};
use voight_domain::registry::{AuditAction, Context, Key};
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::Environment;
use voight_embedded::{
    EmbeddedStore, FORMAT, IdentityInit, StoreLocation, StoreParts, attach_database, load_or_create,
};
use voight_encoding::keyspace::Table;
use voight_redb::RedbEngine;
use voight_support::ManualClock;

/// Store with a client that does lookups.
pub(crate) struct BenchStore {
    store: Box<dyn Store>,
    make: ValueGenerator,
    kind: Variant,
    key: Key,
    context: Context,
}

impl BenchStore {
    /// Creates a new store in `folder`.
    pub(crate) fn open(folder: &Path, kind: Variant) -> BenchResult<Self> {
        let engine = |name: &str| -> BenchResult<TableFilterEngine> {
            let engine = RedbEngine::open(&folder.join(name), 64 << 20)?;
            Ok(TableFilterEngine { engine, table: (!kind.opening).then_some(Table::Opening) })
        };
        let (main, evidence) = (engine("main")?, engine("evidence")?);
        let founding = IdentityInit { pepper: PepperCommitment([7; 16]), now: START, entropy: [1; 10], format: FORMAT };
        let identity = load_or_create(&main, None, &founding, StoreLocation { place: "main", sidecar: "main.id" })?;
        attach_database(&evidence, &identity, "evidence")?;
        let clock = Arc::new(ManualClock::new(START));
        let store: Box<dyn Store> = Box::new(EmbeddedStore::start(StoreParts {
            main,
            evidence,
            identity,
            clock,
            evidence_max_bytes: 1 << 20,
        })?);
        let make = ValueGenerator::default();
        let entry = |action| audit(action, "bench", START);
        let client = block_on(store.create_client(make.client(START), entry(AuditAction::ClientCreated)))?;
        let key = make.key(client.id, Environment::Live, START);
        let key = block_on(store.create_key(key, entry(AuditAction::KeyIssued)))?.ok_or("no client")?;
        let context = make.context(&key, START);
        let registered = block_on(store.register_context(context, None, entry(AuditAction::ContextRegistered)))?;
        let RegisterOutcome::Registered(context) = registered else { return Err("no context".into()) };
        if kind.caps {
            let most = Money { minor: 1_000_000_000, currency: Currency::USD };
            for limit in [Limit::Lookups(Some(1_000_000_000)), Limit::Money(Some(most))] {
                let entry = entry(AuditAction::LimitChanged);
                block_on(store.set_limit(LedgerId::live(client.id), limit, book(), entry))?;
            }
        }
        Ok(Self { store, make, kind, key, context })
    }

    /// Lets every caller do `times` lookups, and returns the elapsed time.
    #[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
    pub(crate) fn look_up(&self, times: u64) -> BenchResult<Elapsed> {
        let (started, used) = (Instant::now(), processor_time());
        thread::scope(|scope| {
            let start =
                |caller| scope.spawn(move || (0..times).try_for_each(|number| self.look_up_once(caller, number)));
            let callers: Vec<_> = (0..CALLERS).map(start).collect();
            callers
                .into_iter()
                .try_for_each(|caller| caller.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })?;
        Ok(Elapsed { wall: started.elapsed(), processor: processor_time().saturating_sub(used) })
    }

    fn look_up_once(&self, caller: u64, number: u64) -> BenchResult<()> {
        let address = address(u32::try_from(caller << 16 | number)?);
        let idempotency = self.kind.idempotency.then(|| self.make.idempotency());
        let request = LookupRequest { idempotency, ..self.make.lookup(&self.key, &self.context, address) };
        match block_on(self.store.answer(request))? {
            LookupOutcome::Recorded(..) => Ok(()),
            other => Err(format!("not recorded: {other:?}").into()),
        }
    }
}

/// Returns the CPU time that this process has used.
fn processor_time() -> Duration {
    rustix::time::clock_gettime(ClockId::ProcessCPUTime).try_into().unwrap_or_default()
}
